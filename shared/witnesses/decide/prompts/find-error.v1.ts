import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';

export const FIND_ERROR_VERSION = 'find-error.v1';

const SYSTEM = `You check answers for errors of fact, logic and calculation. Style does not count. If an answer has an error, copy the first part of it that is wrong, word for word, and say in one sentence why it is wrong. If it has none, say that it is right.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: {
    verdict: { type: 'string', enum: ['right', 'wrong'] },
    quote: { type: 'string', maxLength: 300 },
    reason: { type: 'string', maxLength: 300 },
  },
  required: ['verdict', 'quote', 'reason'],
  additionalProperties: false,
};

/** Asks for the first error of an answer, as a quotation of it. */
export function findError(request: string, answer: string): GenerateRequest {
  const material = fence([
    { name: 'request', text: request },
    { name: 'answer', text: answer },
  ]);
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: `${material}\nIs the answer right or wrong?` },
    ],
    maxOutputTokens: 200,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'error', schema: SCHEMA },
  };
}
