import { readText } from '#shared/answers/decide/read-text.ts';
import type { RowMaterial } from '#shared/answers/decide/row-material.ts';
import { type Asking, askModel, type CallMeter, UnusableAnswer } from '#shared/models/decide/ask-model.ts';
import type { Generation, ModelClient } from '#shared/models/decide/port.ts';
import { inferPrompt } from './prompts/infer-prompt.v1.ts';

/**
 * Infers the prompt of a row that has only a completion.
 * @throws {AskFailure} also if the model repeats the completion instead of a request
 */
export function inferRowPrompt(
  model: ModelClient,
  { completion, context }: Pick<RowMaterial, 'completion' | 'context'>,
  asking: Asking,
  meter: CallMeter,
): Promise<string> {
  const answer = completion.trim();
  const read = (generation: Generation): string => {
    const prompt = readText(generation);
    if (startsAlike(prompt, answer)) {
      throw new UnusableAnswer('The model repeated the completion instead of inferring its prompt');
    }
    return prompt;
  };
  return askModel(model, inferPrompt({ answer, context }), read, asking, meter);
}

/** A short completion ("Paris.") may be the beginning of its own request. */
const ALIKE_CHARACTERS_MIN = 40;

function startsAlike(prompt: string, answer: string): boolean {
  const normal = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').slice(0, 80);
  const [a, b] = [normal(prompt), normal(answer)];
  return a === b || (b.length >= ALIKE_CHARACTERS_MIN && a.startsWith(b.slice(0, ALIKE_CHARACTERS_MIN)));
}
