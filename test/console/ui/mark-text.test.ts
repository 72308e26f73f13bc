import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutText, hasMarks, markText, type TextPiece } from '../../../console/src/ui/mark-text.ts';

const textOf = (pieces: readonly TextPiece[]): string =>
  pieces
    .map((piece) =>
      piece.kind === 'text'
        ? piece.text
        : String.fromCodePoint(Number.parseInt(piece.code.slice(2), 16)).repeat(piece.times),
    )
    .join('');

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Code points of the property Bidi_Control (Unicode 16). */
const BIDIRECTIONAL = [0x61c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
/** Code points that are drawn without width, or as nothing. */
const ZERO_WIDTH = [
  0xad,
  0x34f,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  ...range(0x180b, 0x180f),
  ...range(0x200b, 0x200d),
  ...range(0x2060, 0x2065),
  ...range(0x206a, 0x206f),
  0x2800,
  0x3164,
  ...range(0xfe00, 0xfe0f),
  0xfeff,
  0xffa0,
  ...range(0xfff0, 0xfffb),
  ...range(0x1bca0, 0x1bca3),
  ...range(0x1d173, 0x1d17a),
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe01ef),
];
const CONTROLS = [...range(0, 8), 11, 12, 13, ...range(14, 31), ...range(127, 159), 0x2028, 0x2029];

it.each([
  ['bidirectional', BIDIRECTIONAL],
  ['zero-width', ZERO_WIDTH],
  ['control', CONTROLS],
  ['half a surrogate', [0xd800, 0xdbff, 0xdc00, 0xdfff]],
])('markText marks every %s code point between letters', (_, points) => {
  for (const point of points) {
    const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
    expect(markText(`a${String.fromCodePoint(point)}b`)).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'mark', code, name: expect.toSatisfy((name) => name === null || name !== ''), times: 1 },
      { kind: 'text', text: 'b' },
    ]);
  }
});

it('markText names every bidirectional mark', () => {
  for (const point of BIDIRECTIONAL) {
    expect(markText(String.fromCodePoint(point))).toMatchObject([{ name: expect.any(String) }]);
  }
});

it('markText shows the letters of a text that is hidden in tags', () => {
  const hidden = [...'hi'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  expect(markText(hidden)).toMatchObject([{ name: 'hidden “h”' }, { name: 'hidden “i”' }]);
});

it('markText leaves tab, line break and every visible text as they are', () => {
  for (const text of [
    'a\tb\nc\r\nd',
    'Zoë 北京 ไทย',
    '👍🏽',
    '<script>alert(1)</script>',
    '=HYPERLINK("x")',
  ]) {
    expect(markText(text)).toEqual([{ kind: 'text', text }]);
  }
});

it('markText leaves joiners where a script or an emoji needs them, and marks them elsewhere', () => {
  for (const text of ['می‌خواهم', 'क्‍ष', '👩‍👩‍👧', '❤️', '1️⃣']) {
    expect(markText(text)).toEqual([{ kind: 'text', text }]);
  }
  expect(markText('pay\u200dpal')).toHaveLength(3);
  expect(markText('می\u200c\u200cخواهم')).toMatchObject([{}, { code: 'U+200C', times: 2 }, {}]);
  expect(markText('\u200d👩')).toMatchObject([{ code: 'U+200D' }, {}]);
});

it('markText counts a mark that follows itself, so that a thousand are one', () => {
  expect(markText('\u200b'.repeat(1000))).toEqual([
    { kind: 'mark', code: 'U+200B', name: 'zero-width space', times: 1000 },
  ]);
});

it('markText loses no character of any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(textOf(markText(text))).toBe(text);
    }),
  );
});

it('markText stops at the limit of pieces', () => {
  const text = 'a\u200bb\u202e'.repeat(1000);
  expect(markText(text, 10)).toEqual(markText(text).slice(0, 10));
  expect(markText('', 10)).toEqual([]);
});

it('hasMarks is true of a text with a mark, wherever it is', () => {
  for (const text of ['\u200b', 'a\u200b', '\u200ba', '👩‍👩‍👧 then\u202e']) expect(hasMarks(text)).toBe(true);
  for (const text of ['', 'a\tb\r\n', '👩‍👩‍👧']) expect(hasMarks(text)).toBe(false);
});

it('cutText keeps a short text, and never half a character', () => {
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('abcd', 3)).toBe('abc');
  expect(cutText('ab😀d', 3)).toBe('ab');
  expect(cutText('ab😀d', 4)).toBe('ab😀');
});
