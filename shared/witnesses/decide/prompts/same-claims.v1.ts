import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const SAME_CLAIMS_VERSION = 'same-claims.v1';

const SYSTEM = `You compare two answers to a request. They are the same if they give the same names, numbers, places and times where the request asks for them. Wording, length and details that were not asked for do not count.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: { same: { type: 'boolean' } },
  required: ['same'],
  additionalProperties: false,
};

interface TwoAnswers {
  readonly request: string;
  readonly first: string;
  readonly second: string;
}

const EXAMPLES: readonly (TwoAnswers & { readonly same: boolean })[] = [
  {
    request: 'Who wrote the play "Faust"?',
    first: 'It was written by Goethe.',
    second: 'Johann Wolfgang von Goethe wrote "Faust"; its first part was printed in 1808.',
    same: true,
  },
  {
    request: 'How far is it from the bakery to the mill?',
    first: 'It is three kilometres from the bakery to the mill.',
    second: 'The mill is thirteen kilometres away.',
    same: false,
  },
];

const PREFIX: readonly ChatMessage[] = [
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ same, ...answers }): ChatMessage[] => [
    { role: 'user', content: ask(answers) },
    { role: 'assistant', content: JSON.stringify({ same }) },
  ]),
];

function ask({ request, first, second }: TwoAnswers): string {
  const material = fence([
    { name: 'request', text: request },
    { name: 'first', text: first },
    { name: 'second', text: second },
  ]);
  return `${material}\nAre the two answers the same?`;
}

/** Asks whether two answers say the same where a request asks. */
export function sameClaims(answers: TwoAnswers): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(answers) }],
    maxOutputTokens: 20,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'comparison', schema: SCHEMA },
  };
}
