import { isSystemTurn } from '#shared/tabular/decide/chat-turns.ts';
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
  // A long system prompt that all rows have would make any two contexts alike.
  const told = history.filter(isSystemTurn).map(({ text }) => text);
  return {
    identity: JSON.stringify([prompt, history, context, image]),
    prompt,
    context: [...history.filter((turn) => !isSystemTurn(turn)), ...context]
      .map(({ text }) => text)
      .join('\n'),
    apart: image === null && told.length === 0 ? null : JSON.stringify([image, ...told]),
  };
}
