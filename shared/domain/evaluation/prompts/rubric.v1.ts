import { FENCE_RULE, fence } from '#shared/domain/model/fence.ts';
import type { GenerateRequest } from '#shared/domain/model/port.ts';

export const RUBRIC_PROMPT_VERSION = 'rubric.v1';

/** What an answer is graded for, each 0 to 10; its score is their mean. */
export const CRITERIA = ['correctness', 'relevance', 'completeness', 'clarity', 'language'] as const;
export type Criterion = (typeof CRITERIA)[number];

const SYSTEM = `You are a strict grader of answers. Give five whole numbers from 0 (useless) over 5 (mediocre) to 10 (excellent), in this order:
1. correctness: what it says is true
2. relevance: it answers this request
3. completeness: nothing needed is missing, no sentence is cut off
4. clarity: well ordered, no repetition, no padding
5. language: same language as the request, well written
${FENCE_RULE}`;

/** An array, because every key that a model has to write costs more than the number that it stands for. */
const SCHEMA = {
  type: 'object',
  properties: {
    scores: {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: 10 },
      minItems: CRITERIA.length,
      maxItems: CRITERIA.length,
    },
  },
  required: ['scores'],
  additionalProperties: false,
};

/** Asks for a grade of one answer, alone: nothing says where it comes from. */
export function rubricPrompt(item: { readonly request: string; readonly answer: string }): GenerateRequest {
  const material = fence([
    { name: 'request', text: item.request },
    { name: 'answer', text: item.answer },
  ]);
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      {
        role: 'user',
        content: `${material}\nGrade the answer to the request: {"scores":[five numbers]} on one line, without spaces.`,
      },
    ],
    maxOutputTokens: 60,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'grade', schema: SCHEMA },
  };
}
