import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';

const RULES = `You see one request and one answer to it. Apply the instructions above to the answer alone and reply with JSON: {"score": n}, where n is an integer from 0 to 10.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: { score: { type: 'integer', minimum: 0, maximum: 10 } },
  required: ['score'],
  additionalProperties: false,
};

/** Asks for a score of one answer by the caller's unchanged instructions. */
export function customRubricPrompt(
  judgePrompt: string,
  { request, answer }: { readonly request: string; readonly answer: string },
): GenerateRequest {
  const material = fence([
    { name: 'request', text: request },
    { name: 'answer', text: answer },
  ]);
  return {
    messages: [
      { role: 'system', content: `${judgePrompt}\n\n${RULES}` },
      { role: 'user', content: `${material}\nScore the answer.` },
    ],
    maxOutputTokens: 20,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'score', schema: SCHEMA },
  };
}
