import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';
import { type Brief, describeBrief } from '../brief.ts';

export const INVENT_REQUEST_VERSION = 'invent-request.v1';

const SYSTEM = `You invent requests for a training dataset: what one person could really ask an assistant, in their own words and complete in itself, with the details (names, numbers, places, texts) that make it a particular case. A description of the dataset, where there is one, comes first: write in its language, and keep to what it asks for. Never answer the request.
${FENCE_RULE}
Reply with the request only.`;

/** Token limit of a request that quotes a short text. */
const OUTPUT_TOKENS_MAX = 260;

/** The same in every call, so cacheable. */
const EXAMPLES: readonly { readonly brief: Omit<Brief, 'subdomain'>; readonly request: string }[] = [
  {
    brief: {
      topic: 'Cooking and food: Baking',
      form: 'a problem that somebody is stuck with and wants solved',
      person: 'a beginner',
      angle: 'something that went wrong',
    },
    request:
      'My sponge cake rose nicely for 20 minutes and then sank in the middle. I used 200 g of flour, four eggs and opened the oven once to look. What did I do wrong, and can I still serve it?',
  },
  {
    brief: {
      topic: 'Programming: Databases and queries',
      form: 'a request to check or correct something, which the request quotes',
      person: 'a professional of the field',
      angle: 'a rare or difficult case',
    },
    request:
      'This query returns each order twice once a customer has two addresses: SELECT o.id, a.city FROM orders o JOIN addresses a ON a.customer_id = o.customer_id. How do I keep only the newest address without losing customers that have none?',
  },
];

function ask(brief: Omit<Brief, 'subdomain'>, description: string | null, number: number): string {
  const parts = [
    ...(description === null ? [] : [{ name: 'description', text: description }]),
    { name: 'brief', text: describeBrief(brief) },
  ];
  return `${fence(parts)}\nWrite request number ${number}: unlike any of the others.`;
}

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ brief, request }, n): ChatMessage[] => [
    { role: 'user', content: ask(brief, null, n + 1) },
    { role: 'assistant', content: request },
  ]),
]);

/** Asks for the request of a candidate; numbers and seeds differ, so that no two calls are the same. */
export function inventRequest(brief: Brief, description: string | null, candidate: number): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(brief, description, candidate + 3) }],
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    temperature: 0.9,
    seed: candidate + 1,
  };
}
