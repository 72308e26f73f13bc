import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const REASONING_TRACE_VERSION = 'reasoning-trace.v1';

const SYSTEM = `You write down the reasoning that leads from a request to its answer: two to six short numbered steps in the language of the answer. Say what is asked, what is known, and what follows. Never copy the answer.
${FENCE_RULE}
Reply with the steps only.`;

const OUTPUT_TOKENS_MAX = 350;

interface Answered {
  /** The whole request, with earlier turns and context. */
  readonly request: string;
  readonly answer: string;
}

/** The same in every call, so cacheable. */
const EXAMPLES: readonly (Answered & { readonly steps: string })[] = [
  {
    request: 'A train leaves at 9:40 and needs 95 minutes. When does it arrive?',
    answer: 'It arrives at 11:15.',
    steps:
      '1. The arrival is the departure plus the travel time.\n2. 95 minutes are 1 hour and 35 minutes.\n3. 9:40 plus 1 hour is 10:40, and 35 minutes more make a quarter past eleven.',
  },
  {
    request: 'Warum rostet Eisen?',
    answer: 'Eisen rostet, weil es mit Sauerstoff und Wasser zu Eisenoxid reagiert.',
    steps:
      '1. Gefragt ist nach der Ursache des Rosts.\n2. Rost bildet sich nur an feuchter Luft, also müssen Wasser und Sauerstoff beteiligt sein.\n3. Beide verbinden sich mit dem Metall zu einem neuen Stoff, der abblättert.',
  },
];

function ask({ request, answer }: Answered): string {
  const material = fence([
    { name: 'request', text: request },
    { name: 'answer', text: answer },
  ]);
  return `${material}\nWrite the reasoning that leads to the answer.`;
}

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ steps, ...example }): ChatMessage[] => [
    { role: 'user', content: ask(example) },
    { role: 'assistant', content: steps },
  ]),
]);

/**
 * Asks for the reasoning behind an existing answer.
 * @param image what the request shows, as a data URL or a link
 */
export function reasoningTrace(answered: Answered, image: string | null): GenerateRequest {
  const images = image === null ? {} : { images: [image] };
  return {
    messages: [...PREFIX, { role: 'user', content: ask(answered), ...images }],
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    temperature: 0,
    seed: 1,
  };
}
