import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';

export const BLIND_ANSWER_VERSION = 'blind-answer.v1';

const SYSTEM = `You answer requests briefly and correctly.
${FENCE_RULE}`;

const TOLD = {
  result:
    'Work it out in a few short steps. Then write the result alone on a last line, as a number: "Answer: 12".',
  prose:
    'Answer in one or two sentences, in the language of the request. Say nothing that was not asked for.',
} as const;

/**
 * Asks for an answer to the request of a row without showing the row's own answer.
 * @param variation 0 asks for the most likely answer, other values for a different one
 */
export function blindAnswer(request: string, kind: keyof typeof TOLD, variation: number): GenerateRequest {
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: `${fence([{ name: 'request', text: request }])}\n${TOLD[kind]}` },
    ],
    maxOutputTokens: kind === 'result' ? 400 : 120,
    temperature: variation === 0 ? 0 : 0.7,
    seed: 1 + variation,
  };
}
