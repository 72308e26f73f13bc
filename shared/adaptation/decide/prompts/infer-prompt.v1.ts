import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';

export const INFER_PROMPT_VERSION = 'infer-prompt.v1';

const SYSTEM = `You write the request that a given answer replies to: what somebody asked before they got it, in their words and in the language of the answer, clear and complete in itself. Do not give the answer away.
${FENCE_RULE}
Reply with the request only.`;

/** Characters of the answer and of its context in the prompt: the beginning is enough to infer a request. */
const ANSWER_CHARACTERS_MAX = 6000;
const CONTEXT_CHARACTERS_MAX = 3000;

/** Room for a request of a few sentences. */
const OUTPUT_TOKENS_MAX = 160;

export interface AnswerToInferFrom {
  readonly answer: string;
  /** Columns that the request may mention. */
  readonly context: readonly { readonly name: string; readonly text: string }[];
}

/** The same in every call, so cacheable. */
const EXAMPLES: readonly (AnswerToInferFrom & { readonly request: string })[] = [
  {
    answer:
      'Water boils at 100 °C at sea level, and at a lower temperature on a mountain, where the air is thinner.',
    context: [],
    request: 'At what temperature does water boil, and does it depend on where I am?',
  },
  {
    answer: 'def is_even(n):\n    return n % 2 == 0',
    context: [],
    request: 'Write a Python function that tells whether a number is even.',
  },
  {
    answer: 'Sí, se puede devolver dentro de 30 días con el recibo.',
    context: [{ name: 'producto', text: 'zapatos' }],
    request: '¿Puedo devolver los zapatos que compré, y hasta cuándo?',
  },
];

function ask({ answer, context }: AnswerToInferFrom): string {
  const said = context.map(({ name, text }) => `${name}: ${text}`).join('\n');
  const parts = [
    { name: 'answer', text: answer.slice(0, ANSWER_CHARACTERS_MAX) },
    ...(said === '' ? [] : [{ name: 'context', text: said.slice(0, CONTEXT_CHARACTERS_MAX) }]),
  ];
  return `${fence(parts)}\nWrite the request that this answers.`;
}

const PREFIX = sharedMessages([
  { role: 'system', content: SYSTEM },
  ...EXAMPLES.flatMap(({ request, ...example }): ChatMessage[] => [
    { role: 'user', content: ask(example) },
    { role: 'assistant', content: request },
  ]),
]);

/** Asks for the request that a completion without a prompt answers. */
export function inferPrompt(material: AnswerToInferFrom): GenerateRequest {
  return {
    messages: [...PREFIX, { role: 'user', content: ask(material) }],
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    temperature: 0,
    seed: 1,
  };
}
