import type { RowMode } from '../row-mapping.ts';
import type { RowMaterial } from '../row-material.ts';
import type { ComparedText } from './signature.ts';

/**
 * The text of a row for finding duplicates: its prompt and its context, never the answer that is to improve. If prompts
 * are inferred, the completion replaces the prompt; an instruction for the whole dataset is ignored.
 */
export function comparedText(material: RowMaterial, mode: RowMode): ComparedText {
  const { history, context, image } = material;
  const prompt =
    mode === 'completion_only' ? material.completion : mode === 'universal_prompt' ? '' : material.prompt;
  return {
    identity: JSON.stringify([prompt, history, context, image]),
    prompt,
    context: [...history, ...context].map(({ text }) => text).join('\n'),
    image,
  };
}
