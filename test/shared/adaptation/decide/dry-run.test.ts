import { beforeAll, expect, it } from 'vitest';
import { createDryRun } from '#shared/adaptation/decide/dry-run.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const SPECIFICATION = specificationOf(
  {},
  { prompt: 'prompt', completion: 'completion' },
  { columns: null, image_column_formats: null, language_expansion: null },
  'adapt',
);

type Row = readonly [prompt: string, completion: string];

async function dryRun(rows: readonly Row[]) {
  const lines = rows.map(([prompt, completion]) => JSON.stringify({ prompt, completion }));
  const look = createDryRun(lines, SPECIFICATION, detectLanguage);
  return Promise.all(lines.map(look));
}

const repeat = <T>(count: number, of: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => of(n));
const letter = (n: number): string => 'ABC'[n % 3] as string;
const choice = (n: number): string =>
  `What colour has thing ${n}? Choose one option and answer with its letter.\n(A) red\n(B) blue\n(C) green`;
const KEPT = { outcome: 'kept' };

it.each<[string, (n: number) => Row]>([
  ['letters in brackets', (n) => [choice(n), `(${letter(n)})`]],
  ['letters with a point', (n) => [choice(n), `${letter(n)}.`]],
  ['small letters', (n) => [choice(n), letter(n).toLowerCase()]],
  ['the words of the options', (n) => [choice(n), ['red', 'blue', 'green'][n % 3] as string]],
  [
    'categories with a capital',
    (n) => [
      `Company ${n} makes shoes. Classify it as company, village or animal.`,
      ['Company', 'Village', 'Animal'][n % 3] as string,
    ],
  ],
  [
    'one of the listed choices that holds another',
    (n) => [
      `Where did person ${n} work?\nChoices:\n - johns hopkins university\n - Johns Hopkins\n - yale`,
      n % 2 === 0 ? 'johns hopkins university' : 'yale',
    ],
  ],
  [
    'reasoning before the sentence that names the letter',
    (n) => [
      `${choice(n)}\nThink in <think> tags, then say "The answer is X.".`,
      `<think>Thing ${n} is on the list of such things, and so it has to be this one.</think>\nThe answer is ${letter(n)}.`,
    ],
  ],
  [
    'steps under a request for a bare number',
    (n) => [`What is ${n} + 4? Answer with the number only.`, `${n} + 4 = ${n + 4}\nSo it is ${n + 4}.`],
  ],
  ['titles without capitals', (n) => [`Write a title for article ${n}.`, `shares of firm ${n} open lower`]],
  [
    'answers that trail off',
    (n) => [`Begin a story about door ${n}.`, `She opened door ${n}. Nobody was there to see the...`],
  ],
  [
    'prose under a word that means code or a table elsewhere',
    (n) => [
      `The cat of family ${n} sits on the table. Make the sentence longer.`,
      `The cat of family ${n} sits on the old table in the garden.`,
    ],
  ],
  [
    'arithmetic that is quoted as wrong',
    (n) => [
      `What is 5 * ${n}?`,
      `5 * ${n} is ${5 * n}, not ${5 * n}000, as 5 * ${n} = 5${n} would be wrong.`,
    ],
  ],
  [
    'letters in quoted material',
    (n) => [
      `Sum up note ${n}: "The form has the fields (A) (B) (C); choose (A) or (B)."`,
      `Note ${n} names three fields of a form.`,
    ],
  ],
  ['mojibake', (n) => [`Translate word ${n} into French.`, `Ã©tÃ© numÃ©ro ${n}`]],
  [
    'the last mark of a template',
    (n) => [`Who wrote book ${n}?`, `Book ${n} was written by Anna Berg.<|endoftext|>`],
  ],
])('what a column does stays, whatever its prompts say: %s', async (_, rowOf) => {
  expect(await dryRun(repeat(30, rowOf))).toEqual(repeat(30, () => KEPT));
});

it('what a column does stays, whatever its prompts say: two conventions that are equally common', async () => {
  const rows = repeat(30, (n): Row => [choice(n), n % 2 === 0 ? `(${letter(n)})` : letter(n)]);

  expect(await dryRun(rows)).toEqual(repeat(30, () => KEPT));
});

it('what a column does stays, whatever its prompts say: labels that differ by case only', async () => {
  const rows = repeat(
    30,
    (n): Row => [`Which may is it in sentence ${n}? May or may?`, n % 2 === 0 ? 'May' : 'may'],
  );

  expect(await dryRun(rows)).toEqual(repeat(30, () => KEPT));
});

it('what a column does stays, whatever its prompts say: ten rows with ten forms', async () => {
  const answers = [
    'B',
    '(B)',
    'b.',
    'B) blue',
    'blue',
    'Blue.',
    'It is blue.',
    'The answer is B.',
    'option B',
    '**B**',
  ];

  expect(await dryRun(answers.map((answer, n): Row => [choice(n), answer]))).toEqual(repeat(10, () => KEPT));
});

it.each<[string, (n: number) => Row]>([
  [
    'titles that have a verb',
    (n) => [
      `Which film has the number ${n}? Return only the title.`,
      ['The World Is Not Enough', 'This Is Spinal Tap', 'Heat', 'Up', 'This Is 40'][n % 5] as string,
    ],
  ],
  ['JSON of another kind', (n) => [`Write row ${n} as a Ruby hash, not as JSON.`, `{name: "n${n}"}`]],
  [
    'JSON that is wrong on purpose',
    (n) => [`Give invalid JSON for test ${n}.`, `{"item": ${n}, "name": "n",}`],
  ],
  ['superscripts beside a full-width comma', (n) => [`勾股 ${n}?`, `3² + 4² = 25，所以斜边是5。`]],
  ['pairs in brackets', (n) => [`Add the pairs of ${n}.`, '(2,9) + (2,2) = (4,11)']],
  ['two currencies', (n) => [`What do we pay for ${n}?`, '$1 + 50¢ = $1.50']],
  ['repeating decimals in brackets', (n) => [`Add one to number ${n}.`, '1.(6) + 1 = 2.(6)']],
  ['odds', (n) => [`Convert the odds of horse ${n}.`, '2/1 = 3.00']],
  ['lyrics as they are sung', (n) => [`Write line ${n} in informal spelling.`, `gonna love you ${n} times`]],
  ['a share in Spanish', (n) => [`Calcula ${n}.`, 'el 20 % de 100 + 5 = 25']],
  ['lines of a poem', (n) => [`Quote line ${n}.`, `Two roads diverged in a yellow wood ${n} times,`]],
  [
    'wrappers of primitive types',
    (n) => [
      `Which type is wanted in case ${n}: boolean, Boolean, int or Integer?`,
      ['boolean', 'int', 'Integer', 'boolean', 'int', 'Integer', 'boolean', n === 7 ? 'Boolean' : 'int'][
        n % 8
      ] as string,
    ],
  ],
])('what a column does stays, whatever its prompts say: %s', async (_, rowOf) => {
  expect(await dryRun(repeat(36, rowOf))).toEqual(repeat(36, () => KEPT));
});

it('what a column does stays, whatever its prompts say: a right-looking answer of a single row', async () => {
  expect(await dryRun([[choice(1), '(B)']])).toEqual([KEPT]);
});

it.each<[string, (n: number) => Row, string, string]>([
  ['a letter without its brackets', (n) => [choice(n), `(${letter(n)})`], 'b', '(B)'],
  ['a letter in a sentence that says nothing else', (n) => [choice(n), letter(n)], 'i think its B', 'B'],
  [
    'a label in another case',
    (n) => [`Is ${n} odd? Answer Yes or No.`, n % 2 === 1 ? 'Yes' : 'No'],
    'yes.',
    'Yes',
  ],
])(
  'a row that deviates from its column is written as the others write it: %s',
  async (_, rowOf, deviating, written) => {
    const rows = repeat(30, rowOf);
    const [prompt] = rows[1] as Row;
    const results = await dryRun([...rows, [prompt, deviating]]);

    expect(results.slice(0, -1)).toEqual(repeat(30, () => KEPT));
    expect(results.at(-1)).toMatchObject({ outcome: 'changed', defect: 'form_broken', completion: written });
  },
);

it('a row that deviates from its column is doubted where it is none of the listed answers, and stays where it explains one', async () => {
  const rows = repeat(30, (n): Row => [choice(n), letter(n)]);
  const results = await dryRun([
    ...rows,
    [choice(1), 'D'],
    [choice(1), 'B, since blue is the colour of the sky'],
  ]);

  expect(results.slice(30)).toMatchObject([{ outcome: 'doubted', defect: 'form_broken' }, KEPT]);
});

it('reasoning before an answer stays where the answer is edited', async () => {
  const [result] = await dryRun([
    ['How can I sleep better?', '<think>Sleep is good.</think>\ngo to bed early and dont look at ur phone'],
  ]);

  expect(result).toMatchObject({
    outcome: 'doubted',
    fallback: "<think>Sleep is good.</think>\nGo to bed early and don't look at your phone.",
  });
});

it('a row without a prompt is skipped, and one without an answer is doubted', async () => {
  expect(
    await dryRun([
      ['', 'Yes.'],
      ['Is it so?', ' '],
    ]),
  ).toMatchObject([{ outcome: 'skipped' }, { outcome: 'doubted', defect: 'empty' }]);
});
