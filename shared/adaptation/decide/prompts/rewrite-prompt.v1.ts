import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const REWRITE_PROMPT_VERSION = 'rewrite-prompt.v1';

const SYSTEM = `You rewrite requests so that they are clear, specific and well written. Keep the meaning, every fact and the language. Add no demand that is not there. Never answer the request.
${FENCE_RULE}
Reply with the rewritten request only.`;

/** Without examples, small models answer the request instead of rewriting it. The same in every call, so cacheable. */
const EXAMPLES: readonly { readonly request: string; readonly rewritten: string }[] = [
  { request: 'wat is the capitol of france', rewritten: 'What is the capital of France?' },
  {
    request: 'fix this it dont work: for i in range(10) print(i)',
    rewritten: 'Find and fix the error in this Python code: for i in range(10) print(i)',
  },
  { request: 'perro no come que hago', rewritten: '¿Qué puedo hacer si mi perro no quiere comer?' },
  { request: 'tell me about tea', rewritten: 'What is tea, and how is it made?' },
];

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ request, rewritten }): ChatMessage[] => [
    { role: 'user', content: ask(request) },
    { role: 'assistant', content: rewritten },
  ]),
]);

function ask(prompt: string): string {
  return `${fence([{ name: 'request', text: prompt }])}\nRewrite the request.`;
}

/** Token limit of a rewritten request: twice its size and a minimum. */
const OUTPUT_TOKENS_MIN = 120;

/** Asks for a better wording of a row's request. */
export function rewritePrompt(prompt: string): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(prompt) }],
    maxOutputTokens: Math.max(OUTPUT_TOKENS_MIN, Math.ceil(prompt.length / 2)),
    temperature: 0,
    seed: 1,
  };
}
