import type { GenerateRequest } from '#shared/models/decide/port.ts';

/** Goes to the end of a system message that asks for a preference pair. */
export const PAIR_RULE =
  ' Add "rejected": an answer that looks alike and is worse, because it is wrong or leaves out what matters.';

/** Goes to the end of a system message that shows rows with a context. */
export const CONTEXT_RULE =
  ' A row has a "context" too: what its prompt is about, in lines of a name and a text. Write a context of the same kind, with the same names, and let the prompt and the completion be about it.';

/** Goes to the end of a system message that shows rows with system messages of their own. */
export const SYSTEM_RULE =
  ' A row has a "system" message too: what the answer follows or is about. Write one of the same kind, and let the prompt and the completion be about it.';

/** Goes to the end of a system message that shows rows with turns before their prompt. */
export const EARLIER_RULE =
  ' A row has "earlier" turns too, in front of its prompt: write turns of the same kind, and let the prompt and the completion go on from them.';

/** What a written row has beside a prompt and a completion. */
export interface WrittenParts {
  readonly withPair: boolean;
  readonly withContext?: boolean;
  /** A system message of its own. */
  readonly withSystem?: boolean;
  /** Turns before its prompt. */
  readonly withEarlier?: boolean;
}

/** The texts of a written row. */
export const writtenKeys = ({
  withPair,
  withContext = false,
  withSystem = false,
  withEarlier = false,
}: WrittenParts): readonly string[] => [
  ...(withSystem ? ['system'] : []),
  ...(withEarlier ? ['earlier'] : []),
  'prompt',
  ...(withContext ? ['context'] : []),
  'completion',
  ...(withPair ? ['rejected'] : []),
];

const TEXT = { type: 'string', minLength: 1 };
const EXCHANGES = {
  type: 'array',
  items: {
    type: 'object',
    properties: { user: TEXT, assistant: TEXT },
    required: ['user', 'assistant'],
    additionalProperties: false,
  },
  minItems: 1,
};

/** What every request for a row has in common; `seed` makes the answers to repeated requests differ. */
export function writtenRow(parts: WrittenParts, seed: number): Omit<GenerateRequest, 'messages'> {
  const keys = writtenKeys(parts);
  return {
    // Room for the prompt and the answers, and as much for what they are about.
    maxOutputTokens: [parts.withContext, parts.withSystem, parts.withEarlier].includes(true) ? 1400 : 700,
    temperature: 0.9,
    seed,
    jsonSchema: {
      name: 'row',
      schema: {
        type: 'object',
        properties: Object.fromEntries(keys.map((key) => [key, key === 'earlier' ? EXCHANGES : TEXT])),
        required: [...keys],
        additionalProperties: false,
      },
    },
  };
}
