import { expect, test } from 'vitest';
import { errorExample, exampleCodes, wordedCodes } from '#bin/openapi/error-examples.ts';
import { sourceTexts } from '../helpers/source/source-texts.ts';

/** The share of a message's words that texts of the source have to say. */
const SHARE_MIN = 0.9;

/** Quotations, numbers, ids and names of fields are what a template puts in. */
const VALUES = /"[^"]*"|`[^`]*`|\([^)]*\)|[\w.]+(?:\[\d+\])?:|[\w-]*[\d_][\w.-]*/g;

const words = (text: string): number => text.match(/\p{L}+/gu)?.length ?? 0;

/** Texts of several words, and those between the values of a template. */
const pieces = sourceTexts(['functions', 'infra', 'shared']).flatMap((text) =>
  text.filter((piece) => words(piece) > (text.length > 1 ? 0 : 1)),
);

/** Whether nearly all words of a message stand in texts of the source, or are values. */
function isSaid(message: string): boolean {
  const left = [...message];
  const cover = (from: number, length: number): void => {
    left.fill(' ', from, from + length);
  };
  for (const match of message.matchAll(VALUES)) cover(match.index, match[0].length);
  for (const piece of pieces) {
    for (let at = message.indexOf(piece); at >= 0; at = message.indexOf(piece, at + 1))
      cover(at, piece.length);
  }
  return words(left.join('')) <= (1 - SHARE_MIN) * words(message);
}

test.each(exampleCodes)('the example of %s is an error of that code', (code) => {
  expect(errorExample(code).code).toBe(code);
});

test.each(wordedCodes)('the words of the example of %s are those of the service', (code) => {
  const { message, details } = errorExample(code);

  for (const text of [message, ...details.map((detail) => detail.message)]) {
    expect(isSaid(text), text).toBe(true);
  }
});

test('a message that nothing says is found', () => {
  expect(isSaid('There is no such dataset on the moon.')).toBe(false);
});
