import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { CALIBRATION_SET } from '#shared/judging/decide/calibration-set.ts';
import { pairKindOf } from '#shared/judging/decide/pair-kind.ts';
import { type LanguageDetector, loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { PAIR_KINDS } from '#shared/runs/schema/pair-kind.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

let detectLanguage: LanguageDetector;

beforeAll(async () => {
  detectLanguage = await loadLanguageDetector();
});

const kindOf = (first: string, second: string, request = 'How do I keep bread fresh?'): string =>
  pairKindOf({ request, first, second }, detectLanguage);

const BREAD =
  'Keep the bread in a paper bag at room temperature, and freeze what you cannot eat in two days.';

it.each(CALIBRATION_SET.map((pair) => [pair.kind, pair.request, pair] as const))(
  'the kind of a pair is %s for the calibration pair "%s"',
  (kind, request, { better, worse }) => {
    expect(pairKindOf({ request, first: better, second: worse }, detectLanguage)).toBe(kind);
  },
);

it.each([
  ['defect', 'nothing against a text', '', BREAD],
  ['defect', 'nothing against a label', ' … ', 'yes'],
  ['defect', 'a text that was cut off', 'Keep the bread in a paper bag at room', BREAD],
  ['defect', 'a text that ends on a small word', 'Bread likes paper, and it dislikes the cold of the', BREAD],
  [
    'defect',
    'a block of code that is not closed',
    '```py\nprint("bread in a bag of paper")\n',
    '```py\nprint("bread in a bag of paper")\n```',
  ],
  [
    'defect',
    'another language',
    BREAD,
    'Bewahren Sie das Brot in einer Tüte aus Papier bei Zimmertemperatur auf.',
  ],
  ['short', 'two labels', 'fresh', 'stale bread'],
  ['short', 'nothing twice', '', ' '],
  ['form', 'a label against prose', 'bag', BREAD],
  ['form', 'a label with which the other begins', 'Paper', 'Paper bags are what you keep bread in.'],
  ['form', 'JSON against prose', '{"where": "a paper bag", "temperature": "room"}', BREAD],
  ['form', 'a list against prose', '- a paper bag\n- room temperature\n- the freezer for the rest', BREAD],
  [
    'form',
    'a table against prose',
    '| day | place |\n| --- | --- |\n| one | bag |\n| two | freezer |',
    BREAD,
  ],
  [
    'code',
    'two programs of which one is longer',
    'const a = keep(bread);',
    'function f(bread) {\n  const bag = paper();\n  return bag.keep(bread);\n}',
  ],
  ['fact', 'another number', BREAD, BREAD.replace('two', 'nine')],
  ['fact', 'a negation', BREAD, BREAD.replace('Keep', 'Never keep')],
  ['fact', 'another name', `Ask Ann first. ${BREAD}`, `Ask Bob first. ${BREAD}`],
  [
    'fact',
    'names that changed places',
    'So says Ann to Bob on the phone at home.',
    'So says Bob to Ann on the phone at home.',
  ],
  [
    'voice',
    'another person',
    'I keep my bread in a bag, and we freeze the rest.',
    'She keeps her bread in a bag and freezes the rest.',
  ],
  [
    'voice',
    'verse against prose',
    'The bread is cold,\nthe night is long,\nthe crust is old\nand so my song.',
    'My bread is cold and old, and so is my song in this long night.',
  ],
  ['length', 'more words', 'Keep your bread in a bag made of paper.', BREAD],
  [
    'wording',
    'other words',
    BREAD,
    'Store the bread in a dry place, wrapped up in cloth, and cut and freeze some of it at once.',
  ],
  ['wording', 'the same text', BREAD, BREAD],
])('the kind of a pair is %s for %s', (kind, _, first, second) => {
  expect(kindOf(first, second)).toBe(kind);
  expect(kindOf(second, first)).toBe(kind);
});

it('the kind of a pair does not take a plain answer for one that is beside the request', () => {
  const request = 'Give one reason why bees matter to farmers.';
  const echo =
    'There is more than one reason why bees matter to farmers, since bees pollinate what is in bloom.';

  expect(
    kindOf('Without them nothing would pollinate apples, pumpkins and berries.', echo, request),
  ).not.toBe('defect');
});

it('the kind of a pair is total, and the same whichever answer comes first', () => {
  const pieces = fc.constantFrom(
    BREAD,
    '',
    ' ',
    '\n',
    '```',
    '```py\n',
    'I ',
    'we ',
    'not ',
    '12 ',
    '3.5 km ',
    'Paris ',
    '{"a": 1}',
    '- x\n- y\n',
    '| a | b |\n',
    'def f():\n  return 1\n',
    'Brot ist gut, und wir essen es gern am Abend. ',
    '面包很好吃。',
    '"""',
    '(',
    ',',
    'the ',
    'A: hi\nB: ho\n',
    '😀',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, text, text, (request, first, second) => {
      const kind = pairKindOf({ request, first, second }, detectLanguage);
      expect(PAIR_KINDS).toContain(kind);
      expect(pairKindOf({ request, first: second, second: first }, detectLanguage)).toBe(kind);
    }),
    { numRuns: 500 },
  );
});

it('the kind of a pair of answers of megabytes is found at once', () => {
  const texts = [
    'a '.repeat(2_000_000),
    '('.repeat(4_000_000),
    `${'"'.repeat(3_000_000)}x`,
    ' '.repeat(4_000_000),
    `${BREAD}\n`.repeat(40_000),
    ', '.repeat(2_000_000),
  ];
  const elapsed = startStopwatch();
  for (const first of texts) for (const second of texts) expect(PAIR_KINDS).toContain(kindOf(first, second));

  expect(elapsed()).toBeLessThan(4000);
});

it('the kind of a pair counts characters where texts are too long to count words', () => {
  expect(kindOf(`${BREAD} `.repeat(3).trim(), 'x'.repeat(100_000))).not.toBe('wording');
  const long = Array.from({ length: 9000 }, (_, n) => `word${n}`).join(' ');
  expect(kindOf(`${long}.`, `${long} ${long.replaceAll('word', 'other')}.`)).toBe('length');
});
