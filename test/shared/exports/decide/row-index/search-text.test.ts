import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import {
  findInTexts,
  foldText,
  hasBits,
  joinTexts,
  requiredBits,
  searchedText,
  signatureOf,
  TEXT_BLOCK_BYTES,
} from '#shared/exports/decide/row-index/search-text.ts';

const found = (texts: readonly string[], wanted: string): number[] => {
  const block = joinTexts(texts.map((text) => Buffer.from(text, 'utf8')));
  const places: number[] = [];
  findInTexts(block, Buffer.from(wanted, 'utf8'), (place) => places.push(place));
  return places;
};

test('a text in a block is found in exactly the rows that contain it, each once, in order', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🦊', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 30 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '🦊', '\n'), minLength: 1, maxLength: 3 }),
      (texts, wanted) => {
        const expected = texts.flatMap((each, place) => (each.includes(wanted) ? [place] : []));

        expect(found(texts, wanted)).toEqual(expected);
      },
    ),
  );
});

test('a text in a block is not found where it goes on in the next row', () => {
  expect(found(['xa', 'ab', '', 'ba'], 'aa')).toEqual([]);
  expect(found(['', '', 'a', ''], 'a')).toEqual([2]);
  expect(found([''], 'a')).toEqual([]);
});

test('a text in a block is found in the row whose own match follows one that goes on from the row before', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 9 });
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 40 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 8 }),
      (texts, wanted) => {
        expect(found(texts, wanted)).toEqual(
          texts.flatMap((each, place) => (each.includes(wanted) ? [place] : [])),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test.each([1, 7, 199])(
  'a text in a block is sought a few times a row at most, in rows of %i characters',
  (length) => {
    const rows = Math.floor(TEXT_BLOCK_BYTES / length);
    const block = joinTexts(Array.from({ length: rows }, () => Buffer.from('a'.repeat(length))));
    const search = vi.spyOn(block, 'indexOf');

    findInTexts(block, Buffer.from('a'.repeat(200)), () => expect.unreachable());

    expect(search.mock.calls.length).toBeLessThanOrEqual(2);
  },
);

test('the signature of a block has the bits of every text that the block contains', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 3, maxLength: 300 }), fc.nat(), fc.nat(), (text, from, length) => {
      const bytes = Buffer.from(text, 'utf8');
      const start = from % bytes.length;
      const part = bytes.subarray(start, start + 1 + (length % bytes.length));

      expect(hasBits(signatureOf(bytes), requiredBits(part))).toBe(true);
    }),
  );
});

test('the signature of a block lacks those of most others, so that few blocks are read for them', () => {
  const text = Array.from({ length: 5000 }, (_, n) => `the answer to ticket ${n} is on page ${n * 7}`).join(
    ' ',
  );
  const signature = signatureOf(Buffer.from(foldText(text)));
  const strangers = ['zymurgy', 'quixotic', 'jackdaws love', 'e5f9-77aa', '日本語の文章'];

  expect(strangers.filter((each) => hasBits(signature, requiredBits(Buffer.from(each))))).toEqual([]);
  expect(hasBits(signature, requiredBits(Buffer.from('ticket 4999')))).toBe(true);
  expect(requiredBits(Buffer.from('ab'))).toEqual([]);
});

test('a text that several cells of a row have is in its searched text once', () => {
  expect(searchedText(['Same', null, 'Same', '', 'other'])).toBe('same\0other');
  expect(searchedText([null, ''])).toBe('');
});
