import type { LengthTarget } from '#shared/answers/decide/length.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';

export const FIT_LENGTH_VERSION = 'fit-length.v1';

export interface MissedLength {
  /** The original request. */
  readonly request: GenerateRequest;
  readonly answer: string;
  /** Number of words of the answer. */
  readonly words: number;
  readonly target: LengthTarget;
  /** Number of earlier corrections; a model that repeats itself has to vary its answer. */
  readonly earlier: number;
}

/** Asks for the same answer with the required number of words. */
export function fitLength({ request, answer, words, target, earlier }: MissedLength): GenerateRequest {
  const { wordsMin, wordsMax } = target;
  const aim = Math.round((wordsMin + wordsMax) / 2);
  const advice =
    words > wordsMax
      ? 'Leave out what matters least.'
      : 'Add reasons, details and examples that belong to the answer.';
  return {
    ...request,
    messages: [
      ...request.messages,
      { role: 'assistant', content: answer },
      {
        role: 'user',
        content: `Your answer has ${words} words. It must have ${wordsMin} to ${wordsMax}. Write the whole answer again in the same language with about ${aim} words. ${advice} Reply with the answer only.`,
      },
    ],
    temperature: earlier === 0 ? request.temperature : Math.max(request.temperature, 0.4),
    seed: (request.seed ?? 0) + earlier + 1,
  };
}
