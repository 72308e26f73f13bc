import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonReader } from '#shared/tabular/decide/json-reader.ts';
import { JsonlReader } from '#shared/tabular/decide/jsonl-reader.ts';
import { splitRawObject } from '#shared/tabular/decide/raw-object.ts';
import { TextBlocks } from '#shared/tabular/decide/text-blocks.ts';
import { awkwardText, cutOffsets, readFile } from './harness.ts';

const rawNumber = fc.constantFrom('12345678901234567890', '1.0', '1e5', '-0', '0.1', '3', '1E+400');
const row = fc.array(
  fc.tuple(
    // An empty key gets a name.
    fc.oneof(
      awkwardText.filter((key) => key !== ''),
      fc.constantFrom('a', 'b', 'c', '1'),
    ),
    fc.oneof(
      rawNumber,
      fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    ),
  ),
  { minLength: 1, maxLength: 5 },
);
const uniqueRow = row.map((cells) => [...new Map(cells)]);
/** Rows without content at the end would be left out. */
const uniqueRows = fc
  .array(uniqueRow, { maxLength: 12 })
  .map((rows) => [...rows, [['a', '"end"'] as [string, string]]]);
const objectText = (cells: readonly (readonly [string, string])[]) =>
  `{${cells.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(',')}}`;

it('any objects come back from jsonl with every cell as it stood, wherever the bytes are cut', () => {
  fc.assert(
    fc.property(uniqueRows, cutOffsets, (rows, cuts) => {
      const { lines, columns } = readFile(
        'jsonl',
        rows.map((cells) => `${objectText(cells)}\n`).join(''),
        cuts,
      );

      expect(lines).toEqual(rows.map(objectText));
      expect(columns.map(({ name }) => name)).toEqual([...new Set(rows.flat().map(([key]) => key))]);
    }),
    { numRuns: 300 },
  );
});

it('any objects come back from json the same, however it is laid out', () => {
  const space = fc.constantFrom('', ' ', '\n  ', '\r\n\t');
  fc.assert(
    fc.property(uniqueRows, space, cutOffsets, (rows, gap, cuts) => {
      const spaced = rows.map(
        (cells) =>
          `{${gap}${cells.map(([key, raw]) => `${JSON.stringify(key)}${gap}:${gap}${raw}`).join(`${gap},${gap}`)}${gap}}`,
      );

      const { lines } = readFile('json', `${gap}[${gap}${spaced.join(`${gap},${gap}`)}${gap}]${gap}`, cuts);

      expect(lines).toEqual(rows.map(objectText));
    }),
    { numRuns: 300 },
  );
});

it('what objects may look like reads jsonl with a mark, \\r\\n, blank lines and no last break', () => {
  const reading = readFile('jsonl', '\ufeff{"a": 1}\r\n\r\n  \n{"a":2, "b":[1, 2]}');

  expect(reading.lines).toEqual(['{"a":1}', '{"a":2,"b":[1,2]}']);
  expect(reading.warnings).toEqual([{ code: 'blank_lines', message: '2 blank lines were skipped.' }]);
});

it('what objects may look like leaves missing keys missing, and null null', () => {
  const { lines, columns } = readFile('jsonl', '{"a":null}\n{}\n{"b":1}\n');

  expect(lines).toEqual(['{"a":null}', '{}', '{"b":1}']);
  expect(columns).toEqual([
    { name: 'a', type: 'VARCHAR' },
    { name: 'b', type: 'BIGINT' },
  ]);
});

it('what objects may look like keeps the last value of a repeated key at its first place, and says so', () => {
  const reading = readFile('jsonl', '{"a":1}\n{"a":1,"b":2,"\\u0061":"3"}\n{"b":1,"b":2}\n');

  expect(reading.lines).toEqual(['{"a":1}', '{"a":"3","b":2}', '{"b":2}']);
  expect(reading.warnings).toEqual([
    {
      code: 'keys_repeated',
      message: '2 objects repeat a key (the first is row 2, line 2); the last value was kept.',
    },
  ]);
});

it('what objects may look like reads an object larger than a block in linear time', () => {
  const text = JSON.stringify([{ a: 'x'.repeat(8 * 1024 * 1024) }, { a: 'y' }]);
  const cuts = Array.from({ length: 2000 }, (_, at) => at * 4096);

  const { lines } = readFile('json', text, cuts);

  expect(lines.map((line) => line.length)).toEqual([8 * 1024 * 1024 + 8, 9]);
});

it.each([
  ['strings', ['"1"', '"x"', 'null'], 'VARCHAR'],
  ['nulls alone', ['null'], 'VARCHAR'],
  ['booleans', ['true', 'false'], 'BOOLEAN'],
  ['64-bit integers', ['-9223372036854775808', '9223372036854775807', '0'], 'BIGINT'],
  ['unsigned 64-bit integers', ['18446744073709551615', '1'], 'UBIGINT'],
  ['integers of both ranges', ['18446744073709551615', '-1'], 'DECIMAL(38,0)'],
  ['integers of 38 digits', ['99999999999999999999999999999999999999'], 'DECIMAL(38,0)'],
  ['integers of 39 digits', ['100000000000000000000000000000000000000'], 'JSON'],
  ['numbers that a double holds', ['1.5', '2', '1e5', '0.30000000000000004', '-0', '1.0'], 'DOUBLE'],
  ['a number with more digits than a double', ['0.10000000000000000001'], 'JSON'],
  ['a number beyond a double', ['1e400'], 'JSON'],
  ['fractions beside integers beyond 2^53', ['0.5', '9007199254740993'], 'JSON'],
  ['objects', ['{"a":1}'], 'JSON'],
  ['arrays', ['[1]', 'null'], 'JSON'],
  ['strings beside numbers', ['"1"', '1'], 'JSON'],
  ['booleans beside numbers', ['true', '1'], 'JSON'],
])('the type of a column of %s keeps them all', (_, values, type) => {
  const { columns } = readFile('jsonl', values.map((value) => `{"a":${value},"n":1}\n`).join(''));

  expect(columns[0]).toEqual({ name: 'a', type });
});

it.each<['json' | 'jsonl', string, string, string, string]>([
  [
    'jsonl',
    'an empty file',
    '',
    'file_empty',
    'The file holds no rows. Upload a file with one JSON object on each line.',
  ],
  [
    'jsonl',
    'blank lines alone',
    '\n \n',
    'file_empty',
    'The file holds no rows. Upload a file with one JSON object on each line.',
  ],
  [
    'jsonl',
    'objects without keys',
    '{}\n{}\n',
    'file_empty',
    'None of the objects in the file has a key, so there are no columns.',
  ],
  [
    'jsonl',
    'an array on a line',
    '{"a":1}\n\n[1]\n',
    'file_unreadable',
    'Line 3, byte 1: it holds an array, not an object. Each line of a jsonl file must be one whole JSON object.',
  ],
  [
    'jsonl',
    'a number on a line',
    ' 12\n',
    'file_unreadable',
    'Line 1, byte 2: it holds a number, not an object. Each line of a jsonl file must be one whole JSON object.',
  ],
  [
    'jsonl',
    'a word on a line',
    '{"a":1}\nhello\n',
    'file_unreadable',
    'Line 2, byte 1: it holds "h", not an object. Each line of a jsonl file must be one whole JSON object.',
  ],
  [
    'jsonl',
    'an object over two lines',
    '{"a":1,\n"b":2}\n',
    'file_unreadable',
    'Line 1, byte 8: the line ends inside the object. Each line of a jsonl file must be one whole JSON object.',
  ],
  [
    'jsonl',
    'two objects on a line',
    '{"a":1} {"b":2}\n',
    'file_unreadable',
    'Line 1, byte 9: "{" follows the object. Each line of a jsonl file must be one whole JSON object.',
  ],
  [
    'jsonl',
    'a NUL byte',
    '{"a":"x\0"}\n',
    'file_unreadable',
    'Line 1, byte 8: a string holds a NUL byte. Each line of a jsonl file must be one whole JSON object.',
  ],
  ['json', 'an empty file', ' \n', 'file_empty', 'The file is empty. Upload a JSON array of objects.'],
  ['json', 'an empty array', '[ ]', 'file_empty', 'The array in the file holds no objects.'],
  [
    'json',
    'objects without keys',
    '[{},{}]',
    'file_empty',
    'None of the objects in the file has a key, so there are no columns.',
  ],
  [
    'json',
    'an object',
    '{"rows":[1]}',
    'file_unreadable',
    'A json file must be an array of objects; this one begins with an object, whose one key "rows" holds a list of other values. Upload an array with one object for each row.',
  ],
  [
    'json',
    'a string',
    '"hello"',
    'file_unreadable',
    'A json file must be an array of objects; this one begins with a string. Upload an array with one object for each row.',
  ],
  [
    'json',
    'text',
    'a,b\n1,2',
    'file_unreadable',
    'A json file must be an array of objects; this one begins with "a". Upload an array with one object for each row.',
  ],
  [
    'json',
    'a number among the objects',
    '[{"a":1},{"a":2}, 17 ]',
    'file_unreadable',
    'Element 2 of the array (counting from 0) is a number, not an object. A json file must be an array of objects, one for each row.',
  ],
  [
    'json',
    'an array of strings',
    '["a","b"]',
    'file_unreadable',
    'Element 0 of the array (counting from 0) is a string, not an object. A json file must be an array of objects, one for each row.',
  ],
  [
    'json',
    'a null among the objects',
    '[{"a":1},null]',
    'file_unreadable',
    'Element 1 of the array (counting from 0) is null, not an object. A json file must be an array of objects, one for each row.',
  ],
  [
    'json',
    'a file that was cut off',
    '[{"a":1},{"a":"x',
    'file_unreadable',
    'The file ends before its array is closed, after 1 whole objects. It may have been cut off; upload it again.',
  ],
  [
    'json',
    'a missing bracket',
    '[{"a":1}',
    'file_unreadable',
    'The file ends before its array is closed, after 1 whole objects. It may have been cut off; upload it again.',
  ],
  [
    'json',
    'a missing comma',
    '[{"a":1} {"a":2}]',
    'file_unreadable',
    'The file is not valid JSON: expected "," or "]" after element 0, found "{" (byte 9 of the text). Correct it and upload it again.',
  ],
  [
    'json',
    'a comma too many',
    '[{"a":1},]',
    'file_unreadable',
    'Element 1 of the array (counting from 0) is "]", not an object. A json file must be an array of objects, one for each row.',
  ],
  [
    'json',
    'text after the array',
    '[{"a":1}] [',
    'file_unreadable',
    'The file is not valid JSON: "[" follows the array (byte 10 of the text). Correct it and upload it again.',
  ],
  [
    'json',
    'a broken object',
    '[{"a":1},\n{"a":tru}]',
    'file_unreadable',
    'The file is not valid JSON: in element 1 (counting from 0), expected a JSON value, found "t" (byte 15 of the text). Correct it and upload it again.',
  ],
])('%s: refuses %s, saying what and where', (format, _, text, code, message) => {
  expect(() => readFile(format, text)).toThrow(expect.objectContaining({ code, message }));
  expect(() => readFile(format, text, [1, 3, 4, 7, 8, 9, 10, 12, 14, 15, 16])).toThrow(
    expect.objectContaining({ code, message }),
  );
});

it.each([
  [
    'jsonl' as const,
    'Line 2 is larger than 16 MiB, the limit of one row. Put each object on a line of its own, or shorten it.',
  ],
  [
    'json' as const,
    'Element 1 of the array (counting from 0) is larger than 16 MiB, the limit of one row. Shorten it.',
  ],
])('an object over 16 MiB is refused without holding more of it: %s', (format, message) => {
  const text = new TextBlocks(format);
  const reader = format === 'json' ? new JsonReader() : new JsonlReader();
  reader.push(
    text.push(Buffer.from(`${format === 'json' ? '[{"a":1},' : '{"a":1}\n'}{"a":"${' '.repeat(2000)}`)),
  );
  let pushed = 0;

  expect(() => {
    for (; pushed < 200; pushed += 1) reader.push(text.push(Buffer.alloc(1024 * 1024, 'x')));
  }).toThrow(expect.objectContaining({ code: 'file_unreadable', message }));
  expect(pushed).toBeLessThan(34);
});

it('what cannot be read refuses objects that use identifiers as keys', () => {
  const rows = Array.from({ length: 10_001 }, (_, at) => `{"id-${at}":1}\n`).join('');

  expect(() => readFile('jsonl', rows)).toThrow(
    expect.objectContaining({
      code: 'file_unreadable',
      message: `The file's objects have more than 10000 different keys (the next is "id-10000"). Give every object the same keys, and move identifiers from keys into values.`,
    }),
  );
});

it('canonical lines are what splitRawObject reads', () => {
  const { lines } = readFile('jsonl', '{"a": 12345678901234567890, "b": [1.0,  2]}\n');

  expect(splitRawObject(lines[0] ?? '')).toEqual([
    ['a', '12345678901234567890'],
    ['b', '[1.0,2]'],
  ]);
});
