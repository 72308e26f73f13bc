import type { BatchJobResult, BatchProvider } from '#shared/models/decide/batch-provider.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { own } from '#shared/platform/own.ts';
import { writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { BatchedCall, BatchJob, BatchState, WantedLine } from './decide/batch-jobs.ts';
import { readWanted } from './plan-jobs.ts';

/** What became of a recorded job. */
export interface RecordedJob {
  readonly name: string;
  /** Calls that were answered, and those that are left to single calls. */
  readonly answered: number;
  readonly left: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Writes what a job has answered beside the batches of rows that want it. A call without an answer is left to a single call,
 * unless the model did not take a field of it: then the next pass asks without that field. One call whose value was refused is not enough
 * for that: others that were answered had the field, too.
 */
export async function recordJob(
  { objects }: { readonly objects: Pick<ObjectStore, 'read' | 'write'> },
  runId: string,
  state: BatchState,
  index: number,
  results: AsyncIterable<BatchJobResult>,
  provider: BatchProvider,
): Promise<RecordedJob & { refused: BatchState['refused'] }> {
  const { pass } = state;
  const { name, model_id: modelId, parts, refused: sentWithout } = state.jobs[index] as BatchJob;
  const outcomes = new Map<string, BatchJobResult['outcome']>();
  for await (const { id, outcome } of results) {
    const known = outcomes.get(id);
    if (known === undefined || (!('generation' in known) && 'generation' in outcome))
      outcomes.set(id, outcome);
  }
  const isAnswered = [...outcomes.values()].some((outcome) => 'generation' in outcome);
  const refused = new Set(own(state.refused, modelId));
  const counted = new Set<string>();
  const totals = { answered: 0, left: 0, inputTokens: 0, outputTokens: 0 };
  const toAnswer = ({ id, request }: WantedLine): BatchedCall | null => {
    const outcome = outcomes.get(id);
    const isCounted = counted.has(id);
    counted.add(id);
    if (outcome !== undefined && 'generation' in outcome) {
      const { text, finishReason, usage } = outcome.generation;
      if (!isCounted) {
        totals.answered += 1;
        totals.inputTokens += usage.input_tokens;
        totals.outputTokens += usage.output_tokens;
      }
      return [id, { text, finish: finishReason, usage }];
    }
    const refusal =
      outcome === undefined ? null : provider.refusedField(modelId, request, sentWithout, outcome);
    if (refusal !== null && (refusal.isUnknown || !isAnswered)) {
      refused.add(refusal.field);
      return null;
    }
    if (!isCounted) totals.left += 1;
    return [id, null];
  };
  for (const [n, places] of groupBy(parts, (part) => part.n)) {
    const calls = (await readWanted(objects, runId, pass, n)).get(modelId) ?? [];
    const answers = places.flatMap(({ from, to }) =>
      calls.slice(from, to).flatMap((call) => {
        const answer = toAnswer(call);
        return answer === null ? [] : [answer];
      }),
    );
    await writeLines(objects, objectKeys.batchedAnswers(runId, n, pass, index), answers);
  }
  return {
    name,
    ...totals,
    refused: refused.size === 0 ? state.refused : { ...state.refused, [modelId]: [...refused] },
  };
}
