import type { GenerateRequest } from '#shared/models/decide/port.ts';

/** Goes to the end of a system message that asks for a preference pair. */
export const PAIR_RULE =
  ' Add "rejected": an answer that looks alike and is worse, because it is wrong or leaves out what matters.';

/** What every request for a row has in common; `seed` makes the answers to repeated requests differ. */
export function writtenRow(withPair: boolean, seed: number): Omit<GenerateRequest, 'messages'> {
  const keys = ['prompt', 'completion', ...(withPair ? ['rejected'] : [])];
  return {
    // Room for the prompt and the answers.
    maxOutputTokens: 700,
    temperature: 0.9,
    seed,
    jsonSchema: {
      name: 'row',
      schema: {
        type: 'object',
        properties: Object.fromEntries(keys.map((key) => [key, { type: 'string', minLength: 1 }])),
        required: keys,
        additionalProperties: false,
      },
    },
  };
}
