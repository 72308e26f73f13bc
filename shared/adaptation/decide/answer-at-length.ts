import { lengthTargets } from '#shared/answers/decide/length.ts';
import { readText, splitReasoning } from '#shared/answers/decide/read-text.ts';
import { wordsOf } from '#shared/answers/decide/words.ts';
import type { Length } from '#shared/answers/schema/length.ts';
import { AskFailure, type Asking, askModel, type CallMeter } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import { fitLength } from './prompts/fit-length.v1.ts';

/** Retries of an answer that misses the requested length. */
const CORRECTIONS_MAX = 2;

/**
 * Generates the answer to `request`. If it misses the requested length, the model gets its word count and tries again,
 * up to twice; the nearest answer is used.
 * @throws {AskFailure} if there is no answer at all, {ModelOutage}
 */
export async function answerAtLength(
  client: ModelClient,
  request: GenerateRequest,
  length: Length | null,
  asking: Asking,
  meter: CallMeter,
): Promise<string> {
  let nearest = await askModel(client, request, readText, asking, meter);
  if (length === null) return nearest;
  const target = lengthTargets[length];
  for (let earlier = 0; earlier < CORRECTIONS_MAX && missedWords(nearest, length) > 0; earlier += 1) {
    const words = wordsOfAnswer(nearest);
    const correction = fitLength({ request, answer: nearest, words, target, earlier });
    try {
      const answer = await askModel(client, correction, readText, asking, meter);
      if (missedWords(answer, length) < missedWords(nearest, length)) nearest = answer;
    } catch (error) {
      // There is an answer already, of another length than requested.
      if (error instanceof AskFailure) break;
      throw error;
    }
  }
  return nearest;
}

/** Number of words of a text without its reasoning, which is no part of the answer. */
const wordsOfAnswer = (text: string): number => wordsOf(splitReasoning(text).answer).length;

/** Number of words by which the answer in a text is outside the range of a length; 0 inside. */
export function missedWords(text: string, length: Length): number {
  const { wordsMin, wordsMax } = lengthTargets[length];
  const words = wordsOfAnswer(text);
  return Math.max(wordsMin - words, words - wordsMax, 0);
}

/** The report's note on a completion that misses the requested length. */
export function lengthNotes(completion: string | null | undefined, length: Length | null): RowReason[] {
  if (length === null || !completion || missedWords(completion, length) === 0) return [];
  const { wordsMin, wordsMax } = lengthTargets[length];
  return [
    {
      code: 'length_missed',
      message: `The completion has ${wordsOfAnswer(completion)} words; "${length}" asks for ${wordsMin} to ${wordsMax}`,
    },
  ];
}
