import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  buildRawObject,
  cellText,
  INCOMPLETE,
  JsonTextError,
  ObjectScanner,
  splitRawArray,
  splitRawObject,
} from '#shared/tabular/decide/raw-object.ts';

const object = fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), fc.jsonValue({ maxDepth: 4 }), {
  maxKeys: 6,
});

it('splitting an object keeps every byte of every value', () => {
  const values = [
    '12345678901234567890',
    '1.0',
    '1e5',
    '-0',
    '0.10000000000000000001',
    '1E+400',
    '"\\u00e9\\/\\n"',
    '"é"',
    '[{"role":"user","content":"a  b"},[],{}]',
    'null',
    'true',
    '""',
  ];
  const line = `{${values.map((value, at) => `"k${at}":${value}`).join(',')}}`;

  expect(splitRawObject(line)).toEqual(values.map((value, at) => [`k${at}`, value]));
  expect(buildRawObject(splitRawObject(line))).toBe(line);
});

it('splitting an object drops whitespace outside strings alone', () => {
  const line = ' { "a b" :\t[ 1 , {"x y" : "p  q" } ] ,\r\n"c":" d " } ';

  expect(splitRawObject(line)).toEqual([
    ['a b', '[1,{"x y":"p  q"}]'],
    ['c', '" d "'],
  ]);
});

it('splitting an object agrees with JSON.parse on any object, however it is indented', () => {
  fc.assert(
    fc.property(object, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const cells = splitRawObject(JSON.stringify(value, null, indent));

      expect(cells.map(([key, raw]) => [key, raw])).toEqual(
        Object.entries(JSON.parse(JSON.stringify(value)) as object).map(([key, member]) => [
          key,
          JSON.stringify(member),
        ]),
      );
    }),
    { numRuns: 500 },
  );
});

it('splitting an array keeps every byte of every item, but for whitespace outside strings', () => {
  const items = [
    '12345678901234567890',
    '1.10',
    '-0',
    '"\\u00e9  \\n"',
    '[9007199254740993,[]]',
    '{"a":" ]"}',
    'null',
  ];

  expect(splitRawArray(`[${items.join(',')}]`)).toEqual(items);
  expect(splitRawArray(` [\n${items.join(' ,\t')} ] `)).toEqual(items);
  expect(splitRawArray(' [ 1 , { "a b" : "p  q" } ] ')).toEqual(['1', '{"a b":"p  q"}']);
  expect(splitRawArray('[ ]')).toEqual([]);
});

it('splitting an array agrees with JSON.parse on any array, however it is indented', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 })),
      fc.constantFrom(undefined, 1, '\t'),
      (value, indent) => {
        expect(splitRawArray(JSON.stringify(value, null, indent))).toEqual(
          value.map((item) => JSON.stringify(item)),
        );
      },
    ),
    { numRuns: 500 },
  );
});

it.each([
  ['{}', 0, 'expected an array, found "{"'],
  ['[1,', 3, 'the text ends inside the array'],
  ['[1] x', 4, 'expected nothing after the array, found "x"'],
  ['[1,]', 3, 'expected a JSON value, found "]"'],
])('%s, which is no array, is explained', (text, offset, message) => {
  expect(() => splitRawArray(text)).toThrow(expect.objectContaining({ offset, message }));
});

it('splitting an object returns decoded keys in their order, and all of a repeated one', () => {
  expect(splitRawObject('{"2":1,"1":2,"\\u0061":3,"a":4,"__proto__":5,"":6}')).toEqual([
    ['2', '1'],
    ['1', '2'],
    ['a', '3'],
    ['a', '4'],
    ['__proto__', '5'],
    ['', '6'],
  ]);
});

it('malformed text is refused exactly where JSON.parse refuses it', () => {
  const mutated = fc
    .tuple(
      object,
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '{', '\\', '0', 'e', '-', ' ', '\n', 'u', ':'),
      fc.nat(2),
    )
    .map(([value, at, insert, removed]) => {
      const text = JSON.stringify(value);
      const offset = at % text.length;
      return text.slice(0, offset) + insert + text.slice(offset + removed);
    });
  fc.assert(
    fc.property(mutated, (text) => {
      let isObject: boolean;
      try {
        const value: unknown = JSON.parse(text);
        isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      } catch {
        isObject = false;
      }
      if (isObject) expect(() => splitRawObject(text)).not.toThrow();
      else expect(() => splitRawObject(text)).toThrow(JsonTextError);
    }),
    { numRuns: 3000 },
  );
});

it.each([
  ['{"a":NaN}', 5, 'expected a JSON value, found NaN, which JSON does not have (write null, true or false)'],
  ["{'a':1}", 1, 'expected a key in double quotes, found "\'"'],
  ['{"a":1,}', 7, 'expected a key in double quotes, found "}"'],
  ['{"a" 1}', 5, 'expected ":" after the key, found "1"'],
  ['{"a":"x\ny"}', 7, 'a string holds a control character (0x0a) that must be escaped'],
  ['{"a":"\\x"}', 7, 'expected a valid escape after the backslash, found "x"'],
  ['{"a":01}', 6, 'expected "," or "}", found "1"'],
  ['{"a":[1 2]}', 8, 'expected "," or "]", found "2"'],
  ['{"a":1', 6, 'the text ends inside the object'],
  ['{"a":1} x', 8, 'expected nothing after the object, found "x"'],
  ['[1]', 0, 'expected an object, found "["'],
])('%s is explained', (text, offset, message) => {
  expect(() => splitRawObject(text)).toThrow(expect.objectContaining({ offset, message }));
});

it('malformed text is refused when it nests too deep to be read further down', () => {
  expect(() => splitRawObject(`{"a":${'['.repeat(100_000)}`)).toThrow('values nest deeper than 500 levels');
});

it('a scan says of every proper prefix that it is incomplete', () => {
  const bytes = Buffer.from('{"a\\u00e9":"x\\n","b":[-1.5e+3,true,{"c":null}],"d":12}');
  const scanner = new ObjectScanner();

  for (let end = 1; end < bytes.length; end += 1) expect(scanner.scan(bytes, 0, end)).toBe(INCOMPLETE);
  expect(scanner.scan(bytes, 0, bytes.length)).toBe(bytes.length);
});

it.each([
  [undefined, null],
  ['null', null],
  ['"a \\"b\\"\\n"', 'a "b"\n'],
  ['""', ''],
  ['12345678901234567890', '12345678901234567890'],
  ['[{"role":"user"}]', '[{"role":"user"}]'],
])('the text of a cell of %s is %s', (raw, text) => {
  expect(cellText(raw)).toBe(text);
});
