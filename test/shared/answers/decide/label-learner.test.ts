import { expect, test } from 'vitest';
import { LabelLearner } from '#shared/answers/decide/label-learner.ts';
import { heldMemory } from '#test/helpers/held-memory.ts';

function taught(rows: number, labelOf: (row: number) => string): LabelLearner {
  const learner = new LabelLearner(['label']);
  for (let row = 0; row < rows; row += 1) learner.take(row, () => labelOf(row));
  return learner;
}
const learn = (...of: Parameters<typeof taught>): string[] =>
  taught(...of)
    .labels()
    .sort();
const known = (...of: Parameters<typeof taught>): string[] =>
  taught(...of)
    .known()
    .sort();

test('labels are learned from rows that are sorted, periodic or few', () => {
  expect(learn(20_000, (row) => (row < 10_000 ? 'no' : 'yes'))).toEqual(['no', 'yes']);
  for (const period of [2, 3, 4, 8, 64, 100]) {
    expect(learn(20_000, (row) => `label ${String.fromCharCode(97 + ((row % period) % 3))}`)).toEqual(
      ['label a', 'label b', 'label c'].slice(0, Math.min(3, period)),
    );
  }
  expect(learn(8, (row) => (row % 2 === 0 ? 'no' : 'yes'))).toEqual(['no', 'yes']);
});

test('a label that stands in two of twenty thousand rows is learned, and a spelling that occurs once is not', () => {
  const rare = (row: number): string => {
    if (row === 777) return 'positve';
    if (row === 5 || row === 19_998) return 'unknown';
    if (row % 1000 === 1) return 'mixed';
    return row % 2 === 0 ? 'positive' : 'negative';
  };

  expect(learn(20_000, rare)).toEqual(['mixed', 'negative', 'positive', 'unknown']);
  expect(known(20_000, rare)).toEqual(['mixed', 'negative', 'positive', 'positve', 'unknown']);
});

test('texts of many rows teach no label, whether they are sentences or words, alone or beside labels', () => {
  expect(learn(1_000_000, (row) => `Answer ${row} is a sentence.`)).toEqual([]);
  expect(learn(1_000_000, (row) => `name ${Math.floor(row / 3)}`)).toEqual([]);
  const entity = (row: number): string =>
    row % 3 === 0 ? `place ${row % 3000}` : row % 3 === 1 ? 'yes' : 'no';
  expect(learn(20_000, entity)).toEqual(['no', 'yes']);
  expect(known(20_000, entity)).toContain('place 3');
  expect(learn(100_000, (row) => (row % 3 === 0 ? 'yes' : `Answer ${row} is a sentence.`))).toEqual([]);
});

test('labels are learned from the replies of turns', () => {
  const labelOf = (row: number): string => (row % 2 === 0 ? 'negative' : 'positive');
  const reply = (row: number) => ({ role: 'assistant', content: labelOf(row) });
  const asked = { role: 'user', content: 'What does the writer think of the film?' };

  expect(learn(100, (row) => JSON.stringify([reply(row)]))).toEqual(['negative', 'positive']);
  expect(learn(100, (row) => JSON.stringify([asked, reply(row)]))).toEqual(['negative', 'positive']);
  expect(learn(100, (row) => JSON.stringify({ from: 'gpt', value: labelOf(row) }))).toEqual([
    'negative',
    'positive',
  ]);
  expect(
    learn(100, (row) => JSON.stringify([{ role: 'assistant', content: `Answer ${row} is long.` }])),
  ).toEqual([]);
});

test('texts of many rows teach no label where they are the last of several replies, in their cell or behind a prompt of turns', () => {
  const endOf = (row: number): string => (row % 2 === 0 ? 'You are welcome' : 'Happy to help');
  const said = (row: number) => [
    { role: 'user', content: `Where is order ${row}?` },
    { role: 'assistant', content: `Order ${row} is on its way.` },
    { role: 'user', content: 'Thank you.' },
  ];
  const [user] = said(0);

  expect(
    learn(400, (row) => JSON.stringify([...said(row), { role: 'assistant', content: endOf(row) }])),
  ).toEqual([]);
  const behind = (promptOf: (row: number) => unknown): string[] => {
    const learner = new LabelLearner(['prompt', 'answer'], 'prompt');
    for (let row = 0; row < 400; row += 1)
      learner.take(row, (column) => (column === 'prompt' ? JSON.stringify(promptOf(row)) : endOf(row)));
    return learner.labels().filter((label) => label === endOf(0));
  };
  expect(behind(said)).toEqual([]);
  expect(behind(() => [user])).toEqual([endOf(0)]);
  // The answer replaces the reply at the end of its prompt.
  expect(behind(() => [user, { role: 'assistant', content: 'Soon.' }])).toEqual([endOf(0)]);
});

test('the labels of each column are learned by themselves', () => {
  const learner = new LabelLearner(['topic', 'text', 'mood']);
  for (let row = 0; row < 100; row += 1) {
    const cells = { topic: `topic ${row % 3 === 0 ? 'a' : 'b'}`, text: `Sentence ${row}.`, mood: null };
    learner.take(row, (column) => cells[column as keyof typeof cells]);
  }

  expect(learner.labels().sort()).toEqual(['topic a', 'topic b']);
});

test('of the cells that it takes, a learner holds the short ones alone, however long their texts and rows are', () => {
  const heldBy = (cellOf: (row: number) => string): number => {
    const { made, bytes } = heldMemory(() => taught(200, cellOf));
    expect(made.labels()).toEqual([]);
    return bytes;
  };
  const filler = (row: number): string => String.fromCharCode(97 + (row % 26)).repeat(100_000);

  // Of 20 MB each.
  expect(heldBy((row) => `${row} ${filler(row)}`)).toBeLessThan(2_000_000);
  expect(heldBy((row) => `A label of row ${row}${' '.repeat(100_000)}`)).toBeLessThan(2_000_000);
  expect(heldBy((row) => `${filler(row)}A label of row ${row}`.slice(100_000))).toBeLessThan(2_000_000);
});
