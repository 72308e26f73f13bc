import { DEFAULT_LENGTH, type LengthTarget, lengthTargets } from '#shared/answers/decide/length.ts';
import { sharedMessages } from '#shared/models/decide/call-memo.ts';
import { FENCE_RULE, fence } from '#shared/models/decide/fence.ts';
import type { ChatMessage, GenerateRequest } from '#shared/models/decide/port.ts';
import type { SearchResult } from '#shared/models/decide/search/port.ts';
import { sourceText } from '../grounding.ts';

export const IMPROVE_ANSWER_VERSION = 'improve-answer.v2';

const SYSTEM = `You write the answers of a training dataset: correct, specific and helpful, in the language of the request, in the form that it asks for, as short as that allows. Asked for a recipe, poem, letter, plan or code, write that itself. A draft, where there is one, shows what the author meant: keep its statements, numbers and names, and mend what is wrong. Add no number or name that you are not sure of.
${FENCE_RULE}
Reply with the answer only: no introduction, no remark about the draft.`;

export interface DraftedAnswer {
  /** The earlier turns of the conversation; empty if there are none. */
  readonly history: readonly { readonly role: string; readonly text: string }[];
  readonly prompt: string;
  /** The current answer; empty if there is none. */
  readonly draft: string;
  /** Columns that the answer may rely on. */
  readonly context: readonly { readonly name: string; readonly text: string }[];
  /** An image for the answer, as a data URL or a link. */
  readonly image?: string | null;
  /** Results of a web search for the request. */
  readonly sources?: readonly SearchResult[];
  readonly length: LengthTarget;
  /** The fault of the draft or of an earlier answer; continues "The answer …". */
  readonly fault?: string | null;
  /** The caller's own instruction for every answer (spec §4.8); it comes from the dataset's owner. */
  readonly blueprint: string | null;
}

/** One example for each length, so that the model follows the instruction. The same in every call, so cacheable. */
const EXAMPLES: readonly (Omit<DraftedAnswer, 'blueprint'> & { readonly answer: string })[] = [
  {
    history: [],
    prompt: 'what does a cache do',
    draft: 'its fast',
    context: [],
    length: lengthTargets.minimal,
    answer:
      'A cache keeps copies of data that is needed often where they can be read quickly, instead of fetching them again.',
  },
  {
    history: [],
    prompt: 'how long do i boil eggs',
    draft: '10 min',
    context: [],
    length: DEFAULT_LENGTH,
    answer:
      'For a hard yolk, boil the egg for nine to ten minutes; for a soft one, six minutes are enough. Start counting when the water boils, and put the egg into cold water afterwards so that it stops cooking.',
  },
];

function ask({
  history,
  prompt,
  draft,
  context,
  image,
  length,
  sources = [],
  fault = null,
}: Omit<DraftedAnswer, 'blueprint'>): string {
  const parts = [
    ...(history.length === 0
      ? []
      : [{ name: 'conversation', text: history.map(({ role, text }) => `${role}: ${text}`).join('\n') }]),
    ...(prompt === '' ? [] : [{ name: 'request', text: prompt }]),
    ...(context.length === 0
      ? []
      : [{ name: 'context', text: context.map(({ name, text }) => `${name}: ${text}`).join('\n') }]),
    ...(sources.length === 0
      ? []
      : [
          { name: 'sources', text: sources.map((source, n) => `${n + 1}. ${sourceText(source)}`).join('\n') },
        ]),
    ...(draft === '' ? [] : [{ name: 'draft', text: draft }]),
    // The fault may quote the row, so it is in a block like the row.
    ...(fault === null ? [] : [{ name: 'fault', text: `The answer so far ${fault}.` }]),
  ];
  const resting =
    sources.length === 0 ? '' : ' Rest its facts on the sources, and leave out what they contradict.';
  const seeing = image ? ' The image belongs to the request.' : '';
  const told = fault === null ? '' : ' Mind what the block fault says.';
  return `${fence(parts)}\nWrite the answer.${seeing}${resting}${told} ${length.instruction}`;
}

const EXAMPLE_TURNS = sharedMessages(
  EXAMPLES.flatMap(({ answer, ...example }): ChatMessage[] => [
    { role: 'user', content: ask(example) },
    { role: 'assistant', content: answer },
  ]),
);

const [SYSTEM_MESSAGE] = sharedMessages([{ role: 'system', content: SYSTEM }]) as readonly [ChatMessage];

/** Asks for a better answer to a row's request. */
export function improveAnswer(drafted: DraftedAnswer): GenerateRequest {
  const { blueprint, length } = drafted;
  return {
    messages: [
      blueprint === null ? SYSTEM_MESSAGE : { role: 'system', content: `${SYSTEM}\n\n${blueprint}` },
      ...EXAMPLE_TURNS,
      {
        role: 'user',
        content: ask(drafted),
        ...(drafted.image ? { images: [drafted.image] } : {}),
      },
    ],
    maxOutputTokens: length.outputTokensMax,
    temperature: 0,
    seed: 1,
  };
}
