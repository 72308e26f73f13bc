import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import type { ExampleRow } from '../augment-request.ts';
import { CONTEXT_RULE, PAIR_RULE, type WrittenParts, writtenRow } from './written-row.ts';

export const WRITE_SIMILAR_VERSION = 'write-similar.v2';

const SYSTEM = `You add rows to a training dataset. A row has a "prompt", which is what somebody asks, and a "completion", which is a correct and helpful answer to it. You are shown rows of the dataset: keep to their subjects, their language, their tone, and to how long and how their prompts and completions are written. Ask something that none of them asks; do not reword one.
${FENCE_RULE}
Reply with one JSON object and nothing else.`;

/** Characters of a row that are shown: enough to see how it is written. */
const SHOWN_CHARACTERS = 1200;

/** Asks for a row that is like `examples`; `seed` makes the answers to repeated questions differ. */
export function writeSimilar(
  examples: readonly ExampleRow[],
  parts: WrittenParts,
  seed: number,
): GenerateRequest {
  const { withPair, withContext = false } = parts;
  const shown = examples.map(({ prompt, context, completion }, n) => ({
    name: `row${n + 1}`,
    text: JSON.stringify({
      prompt: prompt.slice(0, SHOWN_CHARACTERS),
      ...(withContext ? { context: context.slice(0, SHOWN_CHARACTERS) } : {}),
      completion: completion.slice(0, SHOWN_CHARACTERS),
    }),
  }));
  return {
    messages: [
      {
        role: 'system',
        content: `${SYSTEM}${withContext ? CONTEXT_RULE : ''}${withPair ? PAIR_RULE : ''}`,
      },
      { role: 'user', content: `${fence(shown)}\nWrite another row of this dataset.` },
    ],
    ...writtenRow(parts, seed),
  };
}
