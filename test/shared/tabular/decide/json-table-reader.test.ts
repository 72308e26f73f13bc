import { describe, expect, it } from 'vitest';
import { readTextHeader } from '#shared/tabular/decide/text-header.ts';
import { readFile } from './harness.ts';

const ROWS = ['{"q":"What?","a":"So","n":1.50}', '{"q":"Who?","a":null,"n":2}'];

/** Tables in one object, as `DataFrame.to_json`, `Dataset.to_dict` and the Hub's server write them. */
const TABLES = {
  'orient="columns"': '{"q":{"0":"What?","1":"Who?"},"a":{"0":"So","1":null},"n":{"0":1.50,"1":2}}',
  'orient="columns", indented':
    '{\n  "q": {\n    "0": "What?",\n    "1": "Who?"\n  },\n  "a": {"0": "So", "1": null},\n  "n": {"0": 1.50, "1": 2}\n}\n',
  'orient="index"': '{"0":{"q":"What?","a":"So","n":1.50},"1":{"q":"Who?","a":null,"n":2}}',
  'orient="split"': '{"columns":["q","a","n"],"index":[0,1],"data":[["What?","So",1.50],["Who?",null,2]]}',
  'a dict of lists': '{"q":["What?","Who?"],"a":["So",null],"n":[1.50,2]}',
  'rows of the Hub':
    '{"features":[{"feature_idx":0,"name":"q","type":{"dtype":"string"}}],"rows":[{"row_idx":0,"row":{"q":"What?","a":"So","n":1.50},"truncated_cells":[]},{"row_idx":1,"row":{"q":"Who?","a":null,"n":2},"truncated_cells":[]}],"num_rows_total":2}',
};

it.each(Object.entries(TABLES))('a JSON object that holds a table is read as its rows: %s', (name, text) => {
  const file = Buffer.from(text);
  const reading = readFile('json', file);

  expect(reading.lines).toEqual(ROWS);
  expect(reading.columns).toEqual([
    { name: 'q', type: 'VARCHAR' },
    { name: 'a', type: 'VARCHAR' },
    { name: 'n', type: 'DOUBLE' },
  ]);
  expect(reading.warnings.map(({ code }) => code)).toEqual([
    name === 'rows of the Hub' ? 'keys_left_out' : 'table_detected',
  ]);
  expect(readFile('json', file, [1, 30, file.length - 3]).lines).toEqual(ROWS);
  expect(readTextHeader('json', file, true)).toEqual(['q', 'a', 'n']);
});

it('a JSON object that holds a table may hold conversations, NaN and keys that are empty or repeated', () => {
  const turns = '[{"role":"user","content":"Hi"}]';
  const reading = readFile('json', `{"":[0,NaN],"messages":[${turns},${turns}],"":[1,2]}`);

  expect(reading.lines).toEqual([`{"column_1":1,"messages":${turns}}`, `{"column_1":2,"messages":${turns}}`]);
});

it('a JSON object that holds a table keeps what surrounds the rows of the Hub in its warning', () => {
  expect(readFile('json', TABLES['rows of the Hub']).warnings[0]?.message).toContain(
    'Other keys were left out: "features", "num_rows_total".',
  );
});

describe('a JSON object that holds no whole table', () => {
  it.each([
    ['columns of different lengths', '{"q":["a","b"],"a":["x"]}', 'do not have the same rows (at row 1'],
    [
      'columns of different rows',
      '{"q":{"0":"a","1":"b"},"a":{"0":"x","2":"y"}}',
      'do not have the same rows',
    ],
    ['one column that is none', '{"q":["a"],"a":"x"}', '"a" does not'],
    ['a short row', '{"columns":["q","a"],"data":[["x"]]}', 'is no list of 2 cells'],
    ['rows without columns', '{"index":[0],"data":[["x"]]}', 'rows without columns'],
    ['a row that is none', '{"0":{"q":"a"},"1":7}', 'is no object'],
    ['an end that is missing', '{"q":["a","b"],"a":["x","y"', 'ends inside the object'],
    ['more behind it', '{"q":["a"],"a":["b"]} x', 'something follows the object'],
    ['no rows', '{"q":[],"a":[]}', 'hold no cells'],
    ['a word that is no JSON', '{"q":["a", undefined]}', 'is not valid JSON'],
  ])('a JSON object that holds no whole table is refused: %s', (_, text, message) => {
    expect(() => readFile('json', text)).toThrow(message);
  });

  it.each([
    '{"q":"a","a":"b"}',
    '{"q":{"text":"a"},"a":"b"}',
    '{"messages":[{"role":"user","content":"x"}]}',
  ])('a JSON object that holds no whole table but one row is refused as before: %s', (text) => {
    expect(() => readFile('json', text)).toThrow('must be an array of objects');
  });

  it('a JSON object that holds no whole table is a row where it was announced as a line', () => {
    expect(readFile('jsonl', '{"q":["a","b"]}\n').lines).toEqual(['{"q":["a","b"]}']);
  });

  it('a JSON object that holds no whole table is refused above its limit of bytes, with what to write instead', () => {
    const block = Buffer.from(`"${'x'.repeat(1_000_000)}",`);

    expect(() => {
      const pieces = [Buffer.from('{"q":['), ...Array.from({ length: 70 }, () => block)];
      readFile('json', Buffer.concat(pieces), [70_000, 1_000_000]);
    }).toThrow('lines=True');
  });
});
