import { equationFault } from '#shared/answers/decide/equations.ts';
import { isBareNumber, numbersOf } from '#shared/answers/decide/numbers.ts';
import { readText, splitReasoning } from '#shared/answers/decide/read-text.ts';
import { wordsOf } from '#shared/answers/decide/words.ts';
import {
  AskFailure,
  type Asking,
  askModel,
  type CallMeter,
  UnusableAnswer,
} from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import { reasoningTrace } from './prompts/reasoning-trace.v1.ts';

export interface TracedCompletion {
  /** The completion without its own reasoning. */
  readonly completion: string;
  /** Null if there is none; `notes` say why. */
  readonly trace: string | null;
  readonly notes: RowReason[];
}

/**
 * Returns the reasoning for a given completion. Reasoning inside the completion, as reasoning models write it, is split
 * off. A row without a trace does not fail; it gets a note.
 * @throws {ModelOutage}
 */
export async function traceCompletion(
  client: ModelClient,
  {
    request,
    completion,
    image,
    isBlind,
  }: {
    readonly request: string;
    readonly completion: string;
    /** An image that the request shows. */
    readonly image: string | null;
    /** Whether the turns have parts that no model is shown: nobody can say what leads from these to the answer. */
    readonly isBlind: boolean;
  },
  asking: Asking,
  meter: CallMeter,
): Promise<TracedCompletion> {
  const { reasoning, answer } = splitReasoning(completion);
  if (reasoning !== '' && answer !== '') return { completion: answer, trace: reasoning, notes: [] };
  const missing = (why: string): TracedCompletion => ({
    completion,
    trace: null,
    notes: [{ code: 'reasoning_trace_missing', message: `The row has no reasoning trace: ${why}` }],
  });
  if (isBlind)
    return missing('the turns have images or other parts that are no text, which no model is shown');
  try {
    const read = (generation: Generation): string => readTrace(generation, completion);
    const trace = await askModel(
      client,
      reasoningTrace({ request, answer: completion }, image),
      read,
      asking,
      meter,
    );
    return { completion, trace, notes: [] };
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
    return missing(error.message);
  }
}

/** A reasoning model may put its whole output between its reasoning marks. */
function readTrace(generation: Generation, completion: string): string {
  const { reasoning, answer } = splitReasoning(generation.text);
  const trace = readText({ ...generation, text: answer === '' ? reasoning : answer });
  const fault = equationFault('', trace);
  if (fault !== null) throw new UnusableAnswer(`The model reasoned wrongly: it ${fault}`);
  if (leadsElsewhere(trace, completion)) {
    throw new UnusableAnswer('The reasoning of the model leads to another answer than that of the row');
  }
  if (isRepetition(trace, completion)) {
    throw new UnusableAnswer('The model repeated the answer instead of reasoning');
  }
  return trace;
}

/**
 * Whether the steps of a trace lead to another result than the answer: another number than a bare number, another
 * verdict than a bare yes or no.
 */
function leadsElsewhere(trace: string, completion: string): boolean {
  const answer = completion.trim();
  if (isBareNumber(answer)) {
    const wanted = numbersOf(answer)[0]?.value;
    const shown = numbersOf(trace.replaceAll(/^[ \t]*\d+[.)]\s/gm, ''));
    return shown.length > 0 && /=/.test(trace) && !shown.some(({ value }) => value === wanted);
  }
  const verdict = /^(yes|no|true|false)[.!]?$/i.exec(answer)?.[1]?.toLowerCase();
  if (verdict === undefined) return false;
  const said = /\b(?:answer|result|verdict)\b[^.\n]{0,30}\b(yes|no|true|false)\b/i
    .exec(trace)?.[1]
    ?.toLowerCase();
  return said !== undefined && said !== verdict;
}

/** Maximum share of a trace's word triples that may be in the answer. */
const REPEATED_SHARE_MAX = 0.8;

function isRepetition(trace: string, completion: string): boolean {
  const [said, answered] = [wordsOf(trace), wordsOf(completion)].map((words) =>
    words.length < 3 ? [words.join(' ')] : words.slice(2).map((_, n) => words.slice(n, n + 3).join(' ')),
  );
  const known = new Set(answered);
  const repeated = (said ?? []).filter((triple) => known.has(triple)).length;
  return repeated / Math.max(1, said?.length ?? 0) > REPEATED_SHARE_MAX;
}
