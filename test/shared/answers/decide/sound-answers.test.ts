import { beforeAll, expect, test } from 'vitest';
import { ANSWERS_MIN } from '#shared/answers/decide/answer-profile.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { equationFault } from '#shared/answers/decide/equations.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { learnProfile, materialReader, requestOf } from '#shared/answers/decide/row-material.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const MAPPING = { mapping: { prompt: 'q', completion: 'a', context: ['c'] } };

interface Row {
  readonly q: string;
  readonly a: string;
  readonly c?: string;
}

/** What is found in the last of rows that are one column. */
function defectOf(rows: readonly Row[]): string | null {
  const lines = rows.map((row) => JSON.stringify(row));
  const specification = MAPPING as unknown as Parameters<typeof learnProfile>[1];
  const profile = learnProfile(lines, specification, detectLanguage);
  const { columns, read } = materialReader(specification);
  const material = read(readCells(lines.at(-1) ?? '', columns));
  if ('skip' in material) throw new Error('The row has no material.');
  const { prompt, completion: answer } = material;
  const request = requestOf(material, prompt);
  const form = readForm({ request: prompt, answer, profile });
  return diagnose({ request, prompt, answer, form, detectLanguage }).defect;
}

const PLAIN: readonly Row[] = Array.from({ length: 2 * ANSWERS_MIN }, (_, n) => ({
  q: `What should I know about plan ${n}?`,
  a: `Plan ${n} costs ${n} euros a month. It can be ended at any time, and your files stay where they are.`,
}));

test.each<[string, Row]>([
  [
    'markup that a context column has',
    { q: 'Translate the text.', c: '<b>Save</b> the <i>file</i>', a: '<b>Sichere</b> die <i>Datei</i>' },
  ],
  [
    'a diff with marks of blocks of code in its lines',
    {
      q: 'Write the change.',
      a: '--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,4 @@\n \n \n ```\n+<b>new</b> <i>line</i>\n old',
    },
  ],
  [
    'an element of a page that a component returns',
    {
      q: 'Write the component.',
      a: "import { Box } from './box'\n\nexport default function Page() {\n  return (\n    <div>\n      <span>Loading</span>\n    </div>\n  )\n}",
    },
  ],
  [
    'what an assistant says of itself to a question about it',
    {
      q: 'Do you have a house?',
      a: "As an AI, I don't have a house. Houses are for people who live somewhere, with a door and a roof.",
    },
  ],
  ['a formula behind a sentence', { q: 'Which sum?', a: 'The sum is known. It is $r + s = \\boxed{3}.$' }],
  [
    'the option at the end',
    { q: 'How long is it?', a: 'The length is the area by the width. So it is 3 m. Answer C' },
  ],
  [
    'steps that repeat each other with other numbers',
    {
      q: 'Move the disks.',
      a: Array.from(
        { length: 40 },
        (_, n) => `Move disk ${1 + ((n * n) % 7)} from Peg ${1 + (n % 3)} to Peg ${1 + ((n * n) % 5)}`,
      ).join('\n'),
    },
  ],
  [
    'a block of code in an item of a list',
    {
      q: 'How do I run it?',
      a: 'Do this:\n\n1. Run it: ```sh\n   npm start\n   ```\n2. Open the page and look at it.',
    },
  ],
])('a column with sound answers keeps %s', (_, row) => {
  expect(defectOf([...PLAIN, row])).toBeNull();
});

test.each<[string, Row, string]>([
  ['a placeholder of an empty cell', { q: 'What should I know about plan 99?', a: 'nan' }, 'empty'],
  [
    'the error of a server',
    { q: 'What should I know about plan 99?', a: '504 Gateway Time-out' },
    'degenerate',
  ],
  [
    'reasoning that breaks off',
    { q: 'What should I know about plan 99?', a: '<think>\nOkay, the plan. Let me see what it' },
    'cut_off',
  ],
  [
    'the question above its answer',
    {
      q: 'What should I know about plan 99?',
      a: 'What should I know about plan 99?\nPlan 99 costs 9 euros a month, and can be ended at any time.',
    },
    'debris',
  ],
  [
    'a mark of another template',
    { q: 'What should I know about plan 99?', a: 'It costs 9 euros a month, at most.<|END_OF_TURN_TOKEN|>' },
    'debris',
  ],
])('a column with sound answers shows %s', (_, row, defect) => {
  expect(defectOf([...PLAIN, row])).toBe(defect);
});

test('a column of sentences without capitals has its own form', () => {
  const lower = Array.from({ length: 2 * ANSWERS_MIN }, (_, n) => ({
    q: `translate sentence ${n} .`,
    a: `can you call my friend ${n} in japan ?`,
  }));

  expect(defectOf([...lower, { q: 'translate this sentence .', a: 'i have many books .' }])).toBeNull();
});

const pairs = (count: number, language: string, a: (n: number) => string): Row[] =>
  Array.from({ length: count }, (_, n) => ({
    q: `Translate into ${language}: You can end plan ${n} at any time, and your files stay where they are.`,
    a: a(n),
  }));

test('a column of translations shows one in another language than its request names', () => {
  const spanish = pairs(
    12,
    'Spanish',
    (n) => `Puedes cancelar el plan ${n} en cualquier momento, y tus archivos se quedan donde están.`,
  );
  const [request] = pairs(1, 'Spanish', () => '');
  const q = request?.q ?? '';

  expect(
    defectOf([
      ...spanish,
      { q, a: 'Puede cancelar el plan cuando quiera, y sus archivos se quedan donde están ahora.' },
    ]),
  ).toBeNull();
  expect(
    defectOf([
      ...spanish,
      { q, a: 'Du kannst den Plan jederzeit beenden, und deine Dateien bleiben dort, wo sie jetzt sind.' },
    ]),
  ).toBe('wrong_language');
  expect(defectOf([...spanish, { q, a: '%(model_name)s con %(field_label)s' }])).toBeNull();
});

test.each([
  ['Then 504/M = 420/800, so M is 960.'],
  ['The share is (20/500)=(300/N).'],
  ['With X we get 0.9X(0.02) = 72 of them.'],
  ['So p = 21/28 = 75 of a hundred.'],
])('an equation with a quantity that is a letter is unknown: %s', (answer) => {
  expect(equationFault('How many are there?', answer)).toBeNull();
});
