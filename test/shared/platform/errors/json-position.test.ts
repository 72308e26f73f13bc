import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonFault } from '#shared/platform/errors/json-position.ts';

test.each([
  ['an empty text', '', 1, 1, 'expected a value'],
  ['a trailing comma', '{\n  "a": 1,\n}', 3, 1, 'expected a field name in double quotes'],
  ['a missing comma', '{"a": 1\n "b": 2}', 2, 2, 'expected "," or "}"'],
  ['a missing comma of an array', '[1 2]', 1, 4, 'expected "," or "]"'],
  ['single quotes', "{'a': 1}", 1, 2, 'expected a field name in double quotes or "}"'],
  ['a missing colon', '{"a" 1}', 1, 6, 'expected ":"'],
  ['a word', '{"a": yes}', 1, 7, 'expected a value'],
  ['a word that begins as a value', '{"a": nullable}', 1, 7, 'expected a value'],
  ['a number with a leading zero', '[01]', 1, 2, 'expected a value or "]"'],
  ['a comment', '{ // c\n}', 1, 3, 'expected a field name in double quotes or "}"'],
  ['a text that is cut off', '{"a": [1, 2', 1, 12, 'expected "," or "]"'],
  ['a string that is cut off', '{"a": "b', 1, 9, 'expected the closing quote of a string'],
  ['a line break in a string', '{"a": "b\nc"}', 1, 9, 'expected an escaped control character, such as \\n'],
  ['a wrong escape', '{"a": "\\x"}', 1, 8, 'expected an escape that JSON knows'],
  ['the wrong bracket', '{"a": [1}', 1, 9, 'expected "," or "]"'],
  ['a second value', '{} {}', 1, 4, 'expected the end of the text'],
])('the parser finds the line and column of %s', (_what, text, line, column, expected) => {
  expect(findJsonFault(text)).toEqual({ line, column, expected });
});

test('the parser accepts exactly the texts that JSON.parse accepts', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const damaged = fc
    .tuple(
      fc.json(),
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', ',', '"', '}', ']', '\\', '0', 'e', '-', '.', '\u0001'),
    )
    .map(([text, at, cut, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + cut);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
      expect(findJsonFault(text) === null).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});

test('the parser takes a text of any depth and length', () => {
  expect(findJsonFault('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
  expect(findJsonFault(`"${'a'.repeat(4_000_000)}"`)).toBeNull();
});
