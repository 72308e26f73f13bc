import { FENCE_RULE, fence } from '#shared/domain/model/fence.ts';
import type { GenerateRequest } from '#shared/domain/model/port.ts';

export const REWRITE_PROMPT_VERSION = 'rewrite-prompt.v1';

const SYSTEM = `You rewrite requests so that they are clear, specific and well written. Keep the meaning, every fact and the language. Add no demand that is not there. Do not answer the request.
${FENCE_RULE}
Reply with the rewritten request only, in one or two sentences unless the request is longer.`;

/** Room for a rewritten request: twice its size and some. */
const OUTPUT_TOKENS_MIN = 120;

/** Asks for a better wording of a row's request. */
export function rewritePrompt(prompt: string): GenerateRequest {
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: `${fence([{ name: 'request', text: prompt }])}\nRewrite the request.` },
    ],
    maxOutputTokens: Math.max(OUTPUT_TOKENS_MIN, Math.ceil(prompt.length / 2)),
    temperature: 0,
    seed: 1,
  };
}
