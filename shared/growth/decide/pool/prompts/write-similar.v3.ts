import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import type { ExampleRow } from '../augment-request.ts';
import {
  CONTEXT_RULE,
  EARLIER_RULE,
  PAIR_RULE,
  SYSTEM_RULE,
  type WrittenParts,
  writtenRow,
} from './written-row.ts';

export const WRITE_SIMILAR_VERSION = 'write-similar.v3';

const SYSTEM = `You add rows to a training dataset. A row has a "prompt", which is what somebody asks, and a "completion", which is a correct and helpful answer to it. You are shown rows of the dataset: keep to their subjects, their language, their tone, and to how long and how their prompts and completions are written. Ask something that none of them asks; do not reword one.
${FENCE_RULE}
Reply with one JSON object and nothing else.`;

/** Characters of a row that are shown: enough to see how it is written. */
const SHOWN_CHARACTERS = 3600;
/** Characters of one of its parts. */
const PART_CHARACTERS = 1200;
/** The last exchanges before a prompt, which it goes on from. */
const EXCHANGES_SHOWN = 3;

/** The beginning and the end of a text: a passage may stand before its question. */
function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = Math.floor(characters / 3);
  return `${text.slice(0, characters - end)} … ${text.slice(-end)}`;
}

/** Asks for a row that is like `examples`; `seed` makes the answers to repeated questions differ. */
export function writeSimilar(
  examples: readonly ExampleRow[],
  parts: WrittenParts,
  seed: number,
): GenerateRequest {
  const shown = examples.map((example, n) => ({
    name: `row${n + 1}`,
    text: JSON.stringify(shownRow(example, parts)),
  }));
  return {
    messages: [
      {
        role: 'system',
        content: [
          SYSTEM,
          parts.withSystem === true ? SYSTEM_RULE : '',
          parts.withEarlier === true ? EARLIER_RULE : '',
          parts.withContext === true ? CONTEXT_RULE : '',
          parts.withPair ? PAIR_RULE : '',
        ].join(''),
      },
      { role: 'user', content: `${fence(shown)}\nWrite another row of this dataset.` },
    ],
    ...writtenRow(parts, seed),
  };
}

/** A row as it is shown, with its system message also where the new row is given that of all rows. */
function shownRow({ system, earlier, prompt, context, completion }: ExampleRow, parts: WrittenParts): object {
  const { withContext = false } = parts;
  const count = 2 + [system !== '', earlier.length > 0, withContext].filter(Boolean).length;
  const characters = Math.min(PART_CHARACTERS, Math.floor(SHOWN_CHARACTERS / count));
  const exchanges = earlier.slice(-EXCHANGES_SHOWN);
  const ofTurn = Math.floor(characters / (2 * exchanges.length));
  const cut = (text: string): string => shorten(text, characters);
  return {
    ...(system === '' ? {} : { system: cut(system) }),
    ...(exchanges.length === 0
      ? {}
      : {
          earlier: exchanges.map(({ user, assistant }) => ({
            user: shorten(user, ofTurn),
            assistant: shorten(assistant, ofTurn),
          })),
        }),
    prompt: cut(prompt),
    ...(withContext ? { context: cut(context) } : {}),
    completion: cut(completion),
  };
}
