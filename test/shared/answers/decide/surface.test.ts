import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCareless, isWellWritten, slipsOf, surfaceOf, tidy } from '#shared/answers/decide/surface.ts';
import { millisecondsOf, slowTexts } from '#test/helpers/hostile-texts.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 120 });
const vocabulary = [
  'i',
  'u',
  'dont',
  'lol',
  'its',
  'a',
  'hot',
  'Cake',
  'U.S.',
  'iPhone',
  'v1.2',
  'w',
  '`im ok`',
  'https://x.example/u',
  'n',
  'haha',
  '中文',
  'e.g.',
  'and',
  'R&D',
  "rock'n'roll",
  '-',
  '1.',
  '\n',
  ',',
  '.',
  '!',
  'ur',
  '  ',
];
const chat = fc.array(fc.constantFrom(...vocabulary), { maxLength: 14 }).map((words) => words.join(' '));

it.each([
  ['go to bed', 'Go to bed.'],
  ['i think u dont need it lol', "I think you don't need it."],
  ['its a trap. run', "It's a trap. Run."],
  ['run `im ok` and see https://x.example/u', 'Run `im ok` and see https://x.example/u.'],
  ['お茶を飲む', 'お茶を飲む。'],
  ['Already fine.', 'Already fine.'],
  ['eggs, milk,', 'Eggs, milk.'],
  ['iPhone users', 'iPhone users.'],
  [
    'use oil, e.g. olive oil, approx. two spoons... or butter. stir',
    'Use oil, e.g. olive oil, approx. two spoons... or butter. Stir.',
  ],
])('tidy makes of "%s" "%s"', (text, tidied) => {
  expect(tidy(text)).toBe(tidied);
});

it.each(['The dog shook its a tail-less body.', 'Teh Wong plays R. Schumann.', 'u-boats, U2 and @ur'])(
  'tidy keeps names and literals of "%s" as far as rules can tell',
  (text) => {
    expect(tidy(text)).toContain(text.split(' ').at(-1)?.replace('.', '') ?? '');
  },
);

it('tidy changes nothing when it is repeated', () => {
  fc.assert(
    fc.property(fc.oneof(chat, anyText), (text) => {
      expect(tidy(tidy(text))).toBe(tidy(text));
    }),
    { numRuns: 400 },
  );
});

it.each(['ᾀ', 'ßeta', 'ŉ yes'])('tidy writes no capital that is other letters: %s', (text) => {
  expect(tidy(text).toLowerCase()).toContain(text);
});

it('tidy keeps every word that is no known slip, in its order', () => {
  fc.assert(
    fc.property(fc.oneof(chat, anyText), (text) => {
      const slips = new Set(
        slipsOf(text).flatMap((slip) => slip.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []),
      );
      const words = (of: string): string[] => of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
      const tidied = words(tidy(text));
      let at = 0;
      for (const word of words(text)) {
        if (slips.has(word)) continue;
        const found = tidied.indexOf(word, at);
        expect(found, word).toBeGreaterThanOrEqual(0);
        at = found + 1;
      }
    }),
    { numRuns: 400 },
  );
});

it.each([
  ['u should go', ['u']],
  ['Thats fine', []],
  ['It is definately the goverment.', ['definately', 'goverment']],
  ['Can Tho, famous for its hot springs, lol', []],
  ['in the u.s. and the u.k.', []],
  ['i like `u` and https://a.example/thx', ['i']],
  ["u-boat, U2, d'abt, @im", []],
])('slipsOf "%s" are %j', (text, slips) => {
  expect(slipsOf(text)).toEqual(slips);
});

it.each([
  ['Go to bed.', false],
  ['go to bed', true],
  ['U.S. law', false],
  ['https://a.example', false],
  ['你好吗', false],
  ['- one\n- two', false],
  ['Best regards,\nAnna', false],
  ['thats it!', true],
])('isCareless of "%s" is %s', (text, careless) => {
  expect(isCareless(text, true)).toBe(careless);
});

it('chat words are no slips outside English', () => {
  expect(isCareless('Im Haus u. Garten.', false)).toBe(false);
});

it('a prompt is well written where it begins large, ends closed and has no slips', () => {
  const detect = () => 'en';

  expect(isWellWritten('How do I sleep better?', detect)).toBe(true);
  expect(isWellWritten('how do i sleep better', detect)).toBe(false);
});

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  isCareless: (text) => isCareless(text, true),
  isWellWritten: (text) => isWellWritten(text, () => 'en'),
  slipsOf,
  surfaceOf,
  tidy,
};

it.each(Object.entries(readers))(
  '%s takes time that grows as its text does',
  (_, read) => {
    expect(slowTexts(read)).toEqual([]);
  },
  60_000,
);

it.each(['i dont know, u see ', '中', ',\n', '1. '])(
  '16 MB of "%s" are tidied in less than a second',
  (part) => {
    const text = part.repeat(16_000_000 / part.length);

    expect(millisecondsOf(() => tidy(text))).toBeLessThan(1000);
  },
);

it('tidy takes time that grows as the chat words of its text do', () => {
  const text = `the room is cool and dark and quiet. ${'u '.repeat(120_000)}${'teh '.repeat(50_000)}`;

  expect(millisecondsOf(() => tidy(text))).toBeLessThan(1000);
});
