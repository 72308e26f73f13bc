import type { RowMaterial } from '../adaptation/row-material.ts';
import type { AdaptationSpecification } from '../adaptation/specification.ts';
import type { ComparedText } from './signature.ts';

/**
 * What of a row makes it a repetition of another: its prompt and its context, never the answer that is to improve.
 * Where prompts are inferred the completion takes the prompt's place; an instruction that is the same for the whole
 * dataset says nothing of a row.
 */
export function comparedText(material: RowMaterial, mode: AdaptationSpecification['mode']): ComparedText {
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
