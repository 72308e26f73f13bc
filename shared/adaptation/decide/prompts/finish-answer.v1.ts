import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const FINISH_ANSWER_VERSION = 'finish-answer.v1';

const SYSTEM = `You finish answers that break off. Write only what comes after the last word of the answer, in its language, tone and layout, until it is complete, and no further.
${FENCE_RULE}
Reply with the missing end only: never repeat what stands there.`;

/** The same in every call, so cacheable. */
const EXAMPLES: readonly { readonly request: string; readonly answer: string; readonly end: string }[] = [
  {
    request: 'Name three rules for crossing a road.',
    answer: '1. Stop at the kerb.\n2. Look both',
    end: 'ways.\n3. Walk, and do not run.',
  },
  {
    request: 'Why does ice float?',
    answer: 'Water expands when it freezes. Ice is therefore lighter than the same',
    end: 'volume of water, so it floats.',
  },
];

const ask = (request: string, answer: string, wanted: string): string =>
  `${fence([
    { name: 'request', text: request },
    { name: 'answer', text: answer },
    ...(wanted === '' ? [] : [{ name: 'fault', text: wanted }]),
  ])}\nWrite the missing end of the answer.`;

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ request, answer, end }): ChatMessage[] => [
    { role: 'user', content: ask(request, answer, '') },
    { role: 'assistant', content: end },
  ]),
]);

/** Asks for the end of a truncated answer; `why` continues "The answer …". */
export function finishAnswer(
  { request, answer, why }: { readonly request: string; readonly answer: string; readonly why: string },
  outputTokensMax: number,
  variation: number,
): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(request, answer, `The answer ${why}.`) }],
    maxOutputTokens: outputTokensMax,
    temperature: variation === 0 ? 0 : 0.5,
    seed: 1 + variation,
  };
}
