import type { AnswerForm } from '#shared/answers/decide/read-form.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';

export const ANSWER_IN_FORM_VERSION = 'answer-in-form.v1';

const SYSTEM = `You answer requests in exactly the form that they demand: nothing before the answer, nothing after it.
${FENCE_RULE}`;

export interface AnswerInForm {
  /** The request with its context and earlier turns. */
  readonly request: string;
  readonly form: AnswerForm;
  /** The current answer, if it is to be fixed. */
  readonly draft: string | null;
  /** The defect of the draft, or of the last attempt; continues "The answer …". */
  readonly fault: string | null;
  /** 0 asks for the most likely answer, other values for a different one. */
  readonly variation: number;
  /** An image for the answer, as a data URL or a link. */
  readonly image: string | null;
  /** The caller's own instruction for every answer (spec §4.8). */
  readonly blueprint: string | null;
}

/** Token limit of an answer by form. */
const OUTPUT_TOKENS: Readonly<Partial<Record<AnswerForm['kind'], number>>> = {
  label: 40,
  number: 40,
  string: 160,
  short: 80,
};
const OUTPUT_TOKENS_LONG = 600;

/** Asks for an answer in a demanded form; for a closed set of labels with a schema that allows only them. */
export function answerInForm({
  request,
  form,
  draft,
  fault,
  variation,
  image,
  blueprint,
}: AnswerInForm): GenerateRequest {
  const parts = [
    { name: 'request', text: request },
    ...(draft === null ? [] : [{ name: 'draft', text: draft }]),
    // The fault may quote the row, so it is in a block like the row.
    ...(fault === null ? [] : [{ name: 'fault', text: `The draft ${fault}.` }]),
  ];
  const told =
    fault === null || draft === null
      ? ''
      : ' Mend what the block fault says, with as few changes as possible.';
  return {
    messages: [
      { role: 'system', content: blueprint === null ? SYSTEM : `${SYSTEM}\n\n${blueprint}` },
      {
        role: 'user',
        content: `${fence(parts)}\n${instructionOf(form)}${told}`,
        ...(image === null ? {} : { images: [image] }),
      },
    ],
    maxOutputTokens: OUTPUT_TOKENS[form.kind] ?? OUTPUT_TOKENS_LONG,
    temperature: variation === 0 ? 0 : 0.7,
    seed: 1 + variation,
    ...(form.labels.length > 0
      ? { jsonSchema: { name: 'label', schema: labelSchema(form.labels), choicesVary: true } }
      : {}),
  };
}

/** The same for the same set of labels, in whatever order a request names them: servers keep what they compile of a schema. */
function labelSchema(labels: readonly string[]): Record<string, unknown> {
  return {
    type: 'object',
    properties: { answer: { type: 'string', enum: [...labels].sort() } },
    required: ['answer'],
    additionalProperties: false,
  };
}

function instructionOf(form: AnswerForm): string {
  switch (form.kind) {
    case 'label':
      return `Reply with JSON: {"answer": …}, one of ${form.labels.map((label) => JSON.stringify(label)).join(', ')}.`;
    case 'number':
      return 'Reply with the number alone, with its unit where the request wants one.';
    case 'json':
      return `Reply with valid JSON alone${form.jsonKeys === null ? '' : `, an object with the keys that the other rows of the dataset have: ${JSON.stringify(form.jsonKeys).slice(0, 400)}`}.`;
    case 'table':
      return 'Reply with the table alone, in the format of the request.';
    case 'code':
      return 'Reply with the code alone, without a fence around it and without remarks.';
    case 'sql':
      return 'Reply with the SQL statement alone, without a fence around it.';
    default:
      return 'Reply with the word or phrase alone, without a sentence around it.';
  }
}
