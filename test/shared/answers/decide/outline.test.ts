import { expect, test } from 'vitest';
import { type Answered, learnOutline, outerTextIn } from '#shared/answers/decide/outline.ts';
import { millisecondsOf } from '#test/helpers/hostile-texts.ts';

const THINGS = ['lamps', 'boots', 'kettles', 'tents', 'clocks', 'chairs', 'maps', 'knives', 'bells', 'ropes'];
/** Twenty rows whose answers are one paragraph each, with words of their prompts. */
const ROWS: readonly Answered[] = THINGS.flatMap((thing, n) => [
  { prompt: `How do I clean ${thing}?`, answer: `Wipe the ${thing} with a dry cloth, ${n + 1} times.` },
  { prompt: `Where are ${thing} sold?`, answer: `You find ${thing} in shop ${n + 1}, beside the market.` },
]);
const PROMPT = 'How do I store blankets?';
const ANSWER = 'Fold the blankets and keep them dry.';

const outlineOf = (rows: readonly Answered[]) => {
  const outline = learnOutline(rows);
  if (outline === null) throw new Error('The column has no outline.');
  return outline;
};
const look = (answer: string, prompt = PROMPT, rows = ROWS) =>
  outerTextIn({ prompt, answer }, outlineOf(rows));

test.each([
  ['a line of a page before it', `Posted in Tips\n${ANSWER}`],
  ['a line of a page behind it', `${ANSWER}\nShare   Copy   2/2`],
  ['a paragraph behind it', `${ANSWER}\n\nSouhaitez-vous que je développe ?`],
  ['a paragraph before it', `Ответ нейросети\n\n${ANSWER}`],
  ['a line that announces it', `بالتأكيد! إليك الإجابة:\n\n${ANSWER}`],
])('%s is doubted, whatever its words and language', (_, answer) => {
  expect(look(answer)).toMatchObject({ rest: ANSWER, isCertain: false });
});

test.each([
  ['an element around it', `<seg id="14">${ANSWER}</seg>`],
  ['an element before it', `<scratchpad>Hm, dry.</scratchpad>\n${ANSWER}`],
  ['the end of an element before it', `Hm, dry.</scratchpad>\n${ANSWER}`],
])('%s is no part of an answer', (_, answer) => {
  expect(look(answer)).toMatchObject({ rest: ANSWER, isCertain: true });
});

test.each([
  ['Can I mix bleach with vinegar?', 'Never.\n\nBleach and vinegar make chlorine gas.'],
  [
    'How much ibuprofen may an adult take?',
    'Adults take 400 mg of ibuprofen.\nNever exceed 1,200 mg in a day.',
  ],
  ['Print the square root of total.', 'import math\nprint(math.sqrt(total)).'],
])('a right answer to %j loses nothing', (prompt, answer) => {
  expect(look(answer, prompt)?.isCertain ?? false).toBe(false);
});

test.each([
  ['an answer as the others are', ANSWER],
  ['a further part that speaks of what was asked', `${ANSWER}\n\nMoths like blankets of wool.`],
  ['a list behind a line', `Keep the blankets so:\n\n- dry\n- folded`],
  ['an item of a list behind it', `${ANSWER}\n- or roll them.`],
  ['an answer of several paragraphs', `Dear Ann,\n\n${ANSWER}\n\nYours, Bo.`],
  ['a code that is spoken of', 'Write <b>blankets</b> in bold.'],
  ['a part that is longer than what stands around answers', `${'Lorem ipsum dolor. '.repeat(12)}\n${ANSWER}`],
  ['a rest that ends as no other answer does', 'Fold the blankets and keep\nthem dry.'],
])('%s stays', (_, answer) => {
  expect(look(answer)).toBeNull();
});

test('what many answers of a column have is its layout', () => {
  const signed = ROWS.map(({ prompt, answer }, n) => ({
    prompt,
    answer: n % 5 === 0 ? `${answer}\n\nAsk again.` : answer,
  }));

  expect(look(`${ANSWER}\n\nBye.`, PROMPT, signed)).toBeNull();
});

test('a prompt that all rows have does not show what is meant to be there', () => {
  const rows = ROWS.map(({ answer }) => ({ prompt: 'Write a joke.', answer }));

  expect(look(`Knock, knock.\n\n${ANSWER}`, 'Write a joke.', rows)).toBeNull();
});

test('fewer than 20 answers have no layout', () => {
  expect(learnOutline(ROWS.slice(0, 19))).toBeNull();
});

test.each(['\n', '<a>', '</a', 'a:\n', ' \n\n', '你', '<a b', '('])(
  'a hundred thousand characters of %j are looked at in less than two seconds',
  (piece) => {
    const text = `${piece.repeat(99_000 / piece.length)}.`;
    const outline = outlineOf(ROWS);
    const read = () => {
      outerTextIn({ prompt: text, answer: `${ANSWER}\n${text}` }, outline);
      outerTextIn({ prompt: text, answer: text }, outline);
      learnOutline(Array.from({ length: 20 }, () => ({ prompt: text, answer: text })));
    };
    read();

    expect(millisecondsOf(read)).toBeLessThan(2000);
  },
);
