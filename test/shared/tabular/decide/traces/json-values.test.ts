import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  numberText,
  parsedCell,
  parseExactly,
  stringifyExactly,
} from '#shared/tabular/decide/traces/json-values.ts';

/** Texts that a file may hold in place of whatever stands for a number, among others. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '\u0000',
    '\u00001.10',
    '\u0000\u0000',
    '\u0000number:1',
    'x"\u0000number:1',
    '"\u00001',
    '\\u00001.0',
  ),
);
const number = fc.constantFrom(
  '0',
  '-0',
  '1.10',
  '12345678901234567890',
  '1e5',
  '-1E+400',
  '0.1',
  '7',
  '1.0',
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text.map((one) => JSON.stringify(one)),
    number,
    fc.constantFrom('true', 'null'),
    fc.array(tie('json'), { maxLength: 4 }).map((each) => `[${each.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(text, tie('json')), { maxLength: 4, selector: ([key]) => key })
      // Whole numbers as keys come first in an object.
      .map((members) => members.filter(([key]) => !/^\d+$/.test(key)))
      .map((members) => `{${members.map(([key, one]) => `${JSON.stringify(key)}:${one}`).join(',')}}`),
  ),
}));

describe('JSON that is parsed with its numbers as they are written', () => {
  it('whatever a JSON text holds, it is written as it was', () => {
    fc.assert(
      fc.property(json, (written) => {
        expect(stringifyExactly(parseExactly(written))).toBe(written);
        // With one number that JavaScript would write differently.
        expect(stringifyExactly(parseExactly(`[1.10,${written}]`))).toBe(`[1.10,${written}]`);
      }),
      { numRuns: 500 },
    );
  });

  it('a text is read as it is, however it begins, and is no number', () => {
    fc.assert(
      fc.property(text, text, (key, one) => {
        const read = parseExactly(`{"n":1.10,${JSON.stringify(key)}  :  ${JSON.stringify(one)}}`);

        expect(read).toHaveProperty([key], one);
      }),
    );
  });

  it('the digits of a number are known, and it is neither a text nor an object', () => {
    const [exact, other] = parseExactly('[1700000000000000001, 5]') as unknown[];

    expect([numberText(exact), numberText(other), numberText('5')]).toEqual([
      '1700000000000000001',
      '5',
      '5',
    ]);
    expect(typeof exact).not.toBe('string');
  });

  it.each(['[1.2.3]', '[007.0]', '[1.]', '[1.10-]', '[-.50]'])('%s is no JSON, and stays a text', (cell) => {
    expect(parsedCell(cell)).toBe(cell);
  });
});
