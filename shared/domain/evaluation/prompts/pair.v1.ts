import { FENCE_RULE, fence } from '#shared/domain/model/fence.ts';
import type { GenerateRequest } from '#shared/domain/model/port.ts';

export const PAIR_PROMPT_VERSION = 'pair.v1';

const SYSTEM = `You are a strict judge. Decide which of two answers to a request is better: correct, relevant, complete, in the language of the request, without padding.
${FENCE_RULE}`;

const SCHEMA = {
  type: 'object',
  properties: { winner: { type: 'string', enum: ['A', 'B'] } },
  required: ['winner'],
  additionalProperties: false,
};

/** Asks which of two answers is better. Callers ask in both orders, since judges favour a position. */
export function pairPrompt(pair: {
  readonly request: string;
  readonly a: string;
  readonly b: string;
}): GenerateRequest {
  const material = fence([
    { name: 'request', text: pair.request },
    { name: 'A', text: pair.a },
    { name: 'B', text: pair.b },
  ]);
  return {
    messages: [
      { role: 'system', content: SYSTEM },
      {
        role: 'user',
        content: `${material}\nWhich answer to the request is better, A or B? Reply with {"winner":"A"} or {"winner":"B"}.`,
      },
    ],
    maxOutputTokens: 20,
    temperature: 0,
    seed: 1,
    jsonSchema: { name: 'verdict', schema: SCHEMA },
  };
}
