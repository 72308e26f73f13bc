import { sampleRows, seededRandom } from '#shared/runs/decide/sample-rows.ts';

/**
 * The rows that comparisons are measured on. `noisy`: originals with a defect, and adapted rows without one. `equal`: each
 * row has two good answers of different words, of which chance makes one the original and the other the adapted one.
 */
export type ComparedRows = 'noisy' | 'equal';

/** A row before and after its adaptation, which leaves the prompt as it is. */
export interface ComparedRow {
  readonly prompt: string;
  readonly original: string;
  readonly adapted: string;
}

/** A task with two good answers, and answers with a defect. */
interface Task {
  readonly prompt: string;
  readonly good: readonly [string, string];
  readonly noisy: readonly string[];
}

/** Things and what they do, in two to four words. */
export const THINGS =
  `lamp gives light; rope ties a load; oven bakes bread; needle joins cloth; ladder reaches a roof; kettle boils water;
  saw cuts wood; hammer drives nails; broom sweeps a floor; pen writes words; clock tells the time; boat crosses a lake;
  bridge spans a river; candle lights a room; cup holds tea; fence keeps sheep in; bell calls people; map shows the way;
  net catches fish; plough turns the soil; pillow rests a head; roof keeps rain out; scale weighs flour; sail catches wind;
  shovel moves earth; sponge cleans a plate; stove heats a room; tent shelters campers; towel dries hands; wheel carries a cart;
  whistle starts a race; window lets light in; zipper closes a coat; anchor holds a ship; axe splits logs; basket carries apples;
  blanket keeps you warm; button fastens a shirt; camera takes pictures; chair seats a guest; comb tidies hair; door closes a house;
  drum beats a rhythm; fan cools a room; flute plays a tune; fork lifts food; glove warms a hand; key opens a lock;
  mirror shows a face; spoon stirs soup; umbrella keeps rain off; violin plays music; compass points north; brush paints a wall`
    .split(';')
    .map((text) => text.trim())
    .map((text) => ({ name: text.slice(0, text.indexOf(' ')), does: text.slice(text.indexOf(' ') + 1) }));

const ENDINGS = [
  'today',
  'indeed',
  'always',
  'again',
  'outside',
  'indoors',
  'together',
  'sometimes',
  'slowly',
];

/** Rows by task: of 40 rows a comparison trains on 20 and holds 20 out. */
const ROWS = { words: 13, ending: 14, sum: 13 } as const;

/**
 * The rows with a number, always in the same words. The tasks are short and have a form that a small model
 * meets on some prompts and misses on others, so that the checks decide between two models that are equally good.
 */
export function comparedRows(of: ComparedRows, number: number): ComparedRow[] {
  const random = seededRandom(`comparison ${of} ${number}`);
  return tasksOf(`comparison ${of} ${number}`, random).map(({ prompt, good, noisy }) => {
    const adapted = random() < 0.5 ? 0 : 1;
    const original = of === 'equal' ? good[1 - adapted] : pick(noisy, random);
    return { prompt, original: original ?? '', adapted: good[adapted] };
  });
}

/** The tasks of a dataset, for the tests of what is good and what is not. */
export function tasksOf(seed: string, random = seededRandom(seed)): Task[] {
  const things = sampleRows(THINGS.length, ROWS.words + ROWS.ending, seed).flatMap(
    (place) => THINGS[place] ?? [],
  );
  return things
    .flatMap((thing, place) => (place % 2 === 1 ? wordCount(thing) : ending(thing, pick(ENDINGS, random))))
    .concat(Array.from({ length: ROWS.sum }, () => sum(random)));
}

type Thing = (typeof THINGS)[number];

const articleOf = ({ name }: Thing): string => (/^[aeiou]/.test(name) ? 'an' : 'a');
const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

function wordCount(thing: Thing): Task {
  const named = `${articleOf(thing)} ${thing.name}`;
  const prompt = `Answer in one sentence. Use at least eight words and at most eleven words. What does ${named} do?`;
  return {
    prompt,
    good: [
      `${capital(named)} ${thing.does} whenever somebody needs it most.`,
      `People like ${named} because it ${thing.does} for them.`,
    ],
    noisy: [
      `It ${thing.does}.`,
      `People like ${named} because it is made for the`,
      prompt,
      `Das weiß doch jeder, dafür braucht man keine lange Antwort zu schreiben.`,
    ],
  };
}

function ending(thing: Thing, last: string): Task {
  const named = `${articleOf(thing)} ${thing.name}`;
  const prompt = `Answer in one sentence. End it with the word "${last}". What does ${named} do?`;
  return {
    prompt,
    good: [`${capital(named)} ${thing.does} ${last}.`, `You may find that it ${thing.does} ${last}.`],
    noisy: [
      `${capital(named)} ${thing.does} for everybody.`,
      `You may find that it ${thing.does} with the`,
      prompt,
      `Man benutzt es jeden Tag im Haus und manchmal auch im Garten.`,
    ],
  };
}

function sum(random: () => number): Task {
  const [one, other] = [twoDigits(random), twoDigits(random)];
  const right = one + other;
  const prompt = `Answer in one sentence. What is ${one} + ${other}?`;
  return {
    prompt,
    good: [`The sum of the two numbers is ${right}.`, `Together they make ${right}.`],
    noisy: [
      `The sum of the two numbers is ${right + 1 + Math.floor(9 * random())}.`,
      'The sum of the two numbers is the',
      prompt,
      'Die Summe der beiden Zahlen kann man leicht im Kopf ausrechnen.',
    ],
  };
}

const twoDigits = (random: () => number): number => 11 + Math.floor(79 * random());

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}
