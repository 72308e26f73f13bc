import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const RUBRIC_PROMPT_VERSION = 'rubric.v1';

/** The criteria of a grade, each 0 to 10; the score is their mean. */
export const CRITERIA = ['correct', 'relevant', 'complete', 'clear', 'fluent'] as const;
export type Criterion = (typeof CRITERIA)[number];

const SYSTEM = `You are a strict grader of answers. Give each criterion 0 (useless) to 10 (excellent):
correct: it is true
relevant: it answers this request
complete: nothing needed is missing, no sentence is cut off
clear: no repetition, no padding
fluent: well written, in the language of the request
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(
    CRITERIA.map((criterion) => [criterion, { type: 'integer', minimum: 0, maximum: 10 }]),
  ),
  required: [...CRITERIA],
  additionalProperties: false,
};

interface GradedExample {
  readonly request: string;
  readonly answer: string;
  readonly grades: readonly number[];
}

/**
 * Without examples of the whole scale, small models give every answer the same grade. The examples are the same in
 * every call, so a provider with a prefix cache processes them once.
 */
const EXAMPLES: readonly GradedExample[] = [
  {
    request: 'Name the three primary colours.',
    answer: 'The three primary colours are red, yellow and blue.',
    grades: [10, 10, 10, 10, 10],
  },
  {
    request: 'How do I cook rice?',
    answer: 'Rinse the rice, then add twice as much',
    grades: [6, 8, 1, 4, 3],
  },
  {
    request: 'What is the largest ocean?',
    answer: 'The largest ocean on Earth is the Sahara.',
    grades: [0, 6, 3, 6, 8],
  },
  {
    request: 'When should I plant tulips?',
    answer: 'Plante los bulbos en otoño, antes de las heladas.',
    grades: [7, 7, 6, 6, 0],
  },
  {
    request: 'Why is the sky blue?',
    answer: 'The sky is blue. Some say the sky is blue. The sky is blue. Some say the sky is blue.',
    grades: [3, 4, 1, 0, 3],
  },
  {
    request: 'How can I save water at home?',
    answer:
      'Fix dripping taps, take short showers and run full loads only. Each tap that drips wastes many litres a day.',
    grades: [10, 10, 9, 10, 10],
  },
];

const PREFIX: readonly ChatMessage[] = [
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap((example): ChatMessage[] => [
    { role: 'user', content: ask(example) },
    {
      role: 'assistant',
      content: JSON.stringify(
        Object.fromEntries(CRITERIA.map((criterion, n) => [criterion, example.grades[n]])),
      ),
    },
  ]),
];

function ask({ request, answer }: Pick<GradedExample, 'request' | 'answer'>): string {
  const material = fence([
    { name: 'request', text: request },
    { name: 'answer', text: answer },
  ]);
  return `${material}\nGrade the answer.`;
}

/** Asks for a grade of a single answer, without its origin. */
export function rubricPrompt(item: { readonly request: string; readonly answer: string }): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(item) }],
    maxOutputTokens: 80,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'grade', schema: SCHEMA },
  };
}
