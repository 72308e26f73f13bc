import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeText } from '#shared/platform/normalize-text.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';

const MARKS = /[\p{M}\uff9e\uff9f]/u;

test('a text with runs of at most 30 combining marks is normalized as ever', () => {
  const character = fc.oneof(
    fc.constantFrom('a', '\u0301', '\u0316', '\uff9e', '\u{1d165}', 'नि', '한', '🦊', '\ud800'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  fc.assert(
    fc.property(fc.array(character, { maxLength: 30 }), fc.constantFrom('NFC', 'NFKC'), (units, form) => {
      const text = units.join('');

      expect(normalizeText(text, form)).toBe(text.normalize(form));
    }),
  );
  for (let before = 0; before < 70; before += 1) {
    const text = `${'x'.repeat(before)}a${'\u0301\u0316'.repeat(15)}b`;
    expect(normalizeText(text, 'NFC')).toBe(text.normalize('NFC'));
  }
});

test.each(['\u0301', '\u0316', '\uff9e', '\u{1d165}'])(
  'a longer run of combining marks of %j is broken, wherever it lies',
  (mark) => {
    for (let before = 0; before < 70; before += 1) {
      const text = normalizeText(`${'x'.repeat(before)}${mark.repeat(100)}y`, 'NFC');
      const runs = text.split(/[^\p{M}\uff9e\uff9f]|\u034f/u).map((run) => [...run].length);

      expect(runs.filter((length) => length > 0)).toEqual([30, 30, 30, 10]);
      expect(text.replaceAll('\u034f', '')).toBe(
        `${'x'.repeat(before)}${mark.repeat(100)}y`.normalize('NFC'),
      );
    }
  },
);

test('a longer run of combining marks gets no more breaks the second time', () => {
  const text = normalizeText(`a${'\u0301\u0316'.repeat(100)}`, 'NFC');

  expect(normalizeText(text, 'NFC')).toBe(text);
});

test.each([
  ['\u0301\u0316', 'NFC'],
  ['\u0301\u0316', 'NFKC'],
  ['\u0301\uff9e', 'NFKC'],
  ['\u{1d165}\u{1d16d}', 'NFC'],
] as const)('a longer run of combining marks of %j takes no longer than its length', (marks, form) => {
  const text = `a${marks.repeat(500_000)}`;
  const elapsed = startStopwatch();

  expect(normalizeText(text, form).length).toBeGreaterThan(500_000);

  // In one run it would take minutes.
  expect(elapsed()).toBeLessThan(5000);
});

test('a longer run of combining marks lacks nothing that normal forms make a mark of', () => {
  for (let code = 0xa0; code < 0x110000; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const first = String.fromCodePoint(character.normalize('NFKD').codePointAt(0) ?? 0);
    // Two marks of different classes change places.
    const isNonStarter = `\u{1d165}${first}\u0334`.normalize('NFD') !== `\u{1d165}${first}\u0334`;
    if (isNonStarter) expect(character).toMatch(MARKS);
  }
});
