import { FENCE_RULE, fence } from '#shared/domain/model/fence.ts';
import type { GenerateRequest } from '#shared/domain/model/port.ts';

export const COMPARE_FACTS_VERSION = 'compare-facts.v1';

const SYSTEM = `You check facts. Of two answers to a request, one may be false. Decide which is true; how they are worded does not matter.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: { true_answer: { type: 'string', enum: ['A', 'B'] } },
  required: ['true_answer'],
  additionalProperties: false,
};

/** Asks which of two answers is true. Callers ask in both orders, since models favour a position. */
export function compareFacts({
  request,
  a,
  b,
}: {
  readonly request: string;
  readonly a: string;
  readonly b: string;
}): GenerateRequest {
  const material = fence([
    { name: 'request', text: request },
    { name: 'A', text: a },
    { name: 'B', text: b },
  ]);
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: `${material}\nWhich answer is true, A or B?` },
    ],
    maxOutputTokens: 20,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'fact', schema: SCHEMA },
  };
}
