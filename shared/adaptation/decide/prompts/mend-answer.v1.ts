import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const MEND_ANSWER_VERSION = 'mend-answer.v1';

const SYSTEM = `You proofread answers. Correct spelling, grammar, capital letters and punctuation, and spell out words of chat. Keep every statement, the order and the language. Add nothing, leave nothing out.
${FENCE_RULE}
Reply with the corrected answer only.`;

/** The same in every call, so cacheable. */
const EXAMPLES: readonly { readonly answer: string; readonly mended: string }[] = [
  {
    answer: 'u need 2 eggs n some flour, dont forget the milk',
    mended: "You need 2 eggs and some flour. Don't forget the milk.",
  },
  {
    answer: 'the bus goes every 20 min til midnite, after that its only taxis lol',
    mended: "The bus goes every 20 minutes until midnight. After that, it's only taxis.",
  },
];

const ask = (answer: string): string => `${fence([{ name: 'answer', text: answer }])}\nCorrect the answer.`;

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ answer, mended }): ChatMessage[] => [
    { role: 'user', content: ask(answer) },
    { role: 'assistant', content: mended },
  ]),
]);

/** Asks for the smallest edit of a correct but badly written answer. */
export function mendAnswer(answer: string, outputTokensMax: number): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(answer) }],
    maxOutputTokens: outputTokensMax,
    temperature: 0,
    seed: 1,
  };
}
