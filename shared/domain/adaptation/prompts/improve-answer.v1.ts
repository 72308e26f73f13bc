import { FENCE_RULE, fence } from '#shared/domain/model/fence.ts';
import type { GenerateRequest } from '#shared/domain/model/port.ts';
import type { LengthTarget } from '../length.ts';

export const IMPROVE_ANSWER_VERSION = 'improve-answer.v1';

const SYSTEM = `You write the answers of a training dataset: correct, specific, complete and helpful, in the language of the request. A draft, where there is one, shows what the author meant: keep what is right in it, mend what is wrong, add what is missing.
${FENCE_RULE}
Reply with the answer only: no introduction, no remark about the draft.`;

export interface AnswerMaterial {
  readonly prompt: string;
  /** The answer as it stands; empty where there is none. */
  readonly draft: string;
  /** Columns that the answer may rely on. */
  readonly context: readonly { readonly name: string; readonly text: string }[];
  readonly length: LengthTarget;
  /** The caller's own instruction for every answer (spec §4.8); it comes from the dataset's owner. */
  readonly blueprint: string | null;
}

/** Asks for a better answer to a row's request. */
export function improveAnswer(material: AnswerMaterial): GenerateRequest {
  const { prompt, draft, context, length, blueprint } = material;
  const parts = [
    { name: 'request', text: prompt },
    ...(context.length === 0
      ? []
      : [{ name: 'context', text: context.map(({ name, text }) => `${name}: ${text}`).join('\n') }]),
    ...(draft === '' ? [] : [{ name: 'draft', text: draft }]),
  ];
  return {
    messages: [
      { role: 'system', content: blueprint === null ? SYSTEM : `${SYSTEM}\n\n${blueprint}` },
      {
        role: 'user',
        content: `${fence(parts)}\nWrite the ${draft === '' ? '' : 'improved '}answer to the request. ${length.instruction}`,
      },
    ],
    maxOutputTokens: length.outputTokensMax,
    temperature: 0,
    seed: 1,
  };
}
