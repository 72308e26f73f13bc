import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const PAIR_PROMPT_VERSION = 'pair.v1';

const SYSTEM = `You are a strict judge. Decide which of two answers to a request is better: correct, relevant, complete, in the language of the request, without padding.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: { winner: { type: 'string', enum: ['A', 'B'] } },
  required: ['winner'],
  additionalProperties: false,
};

interface Pair {
  readonly request: string;
  readonly a: string;
  readonly b: string;
}

/** Without examples small models choose the first position. A wins half of the examples, and B the other half. */
const EXAMPLES: readonly (Pair & { readonly winner: 'A' | 'B' })[] = [
  {
    request: 'How do I cook rice?',
    a: 'Rinse the rice, then add twice as much',
    b: 'Rinse the rice, add twice as much water and simmer it, covered, for 15 minutes.',
    winner: 'B',
  },
  {
    request: 'What is the largest ocean?',
    a: 'The largest ocean is the Pacific.',
    b: 'The largest ocean on Earth is the Sahara.',
    winner: 'A',
  },
  {
    request: 'When should I plant tulips?',
    a: 'Plante los bulbos en otoño, antes de las heladas.',
    b: 'Plant the bulbs in autumn, before the first frost.',
    winner: 'B',
  },
  {
    request: 'Why is the sky blue?',
    a: 'Air scatters blue light more than red, so blue reaches us from all sides.',
    b: 'The sky is blue. Some say the sky is blue. The sky is blue. Some say the sky is blue.',
    winner: 'A',
  },
  {
    request: 'How can I save water at home?',
    a: 'The piano has 88 keys, of which 52 are white.',
    b: 'Fix dripping taps and take short showers.',
    winner: 'B',
  },
  {
    request: 'How do I thank a colleague?',
    a: 'Write a short note that says what the help meant to you.',
    b: 'just say thx',
    winner: 'A',
  },
];

const PREFIX: readonly ChatMessage[] = [
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ winner, ...pair }): ChatMessage[] => [
    { role: 'user', content: ask(pair) },
    { role: 'assistant', content: JSON.stringify({ winner }) },
  ]),
];

function ask({ request, a, b }: Pair): string {
  const material = fence([
    { name: 'request', text: request },
    { name: 'A', text: a },
    { name: 'B', text: b },
  ]);
  return `${material}\nWhich answer is better, A or B?`;
}

/** Asks which of two answers is better. Callers ask in both orders, because judges have a position bias. */
export function pairPrompt(pair: Pair): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(pair) }],
    maxOutputTokens: 20,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'verdict', schema: SCHEMA },
  };
}
