import { FENCE_RULE, fence } from '#shared/domain/model/fence.ts';
import type { GenerateRequest } from '#shared/domain/model/port.ts';

export const RUBRIC_PROMPT_VERSION = 'rubric.v1';

/** What an answer is graded for, each 0 to 10; its score is their mean. */
export const CRITERIA = ['correctness', 'relevance', 'completeness', 'clarity', 'language'] as const;
export type Criterion = (typeof CRITERIA)[number];

const SYSTEM = `You are a strict grader of answers. Give each criterion a whole number from 0 to 10:
correctness: what it says is true
relevance: it answers this request
completeness: nothing needed is missing, no sentence is cut off
clarity: well ordered, no repetition, no padding
language: same language as the request, well written
10 is excellent, 5 is mediocre, 0 is useless.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(
    CRITERIA.map((criterion) => [criterion, { type: 'integer', minimum: 0, maximum: 10 }]),
  ),
  required: [...CRITERIA],
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
        content: `${material}\nGrade the answer to the request. Reply with JSON on one line, without spaces: {"correctness":…`,
      },
    ],
    maxOutputTokens: 80,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'grade', schema: SCHEMA },
  };
}
