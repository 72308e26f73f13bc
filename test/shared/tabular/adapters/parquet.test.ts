import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { writeParquet } from '#shared/tabular/adapters/parquet-writer.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { sourceColumns } from '#shared/tabular/decide/export-columns.ts';
import { isCellOf } from '#shared/tabular/decide/typed-cells.ts';
import { exportFile, ingest, query, stream } from './harness.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parquet-test-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** Writes a query's rows as Parquet; returns the file's path. */
async function parquet(name: string, sql: string, options = ''): Promise<string> {
  const path = join(directory, name);
  await query(`COPY (${sql}) TO '${path}' (FORMAT parquet${options})`);
  return path;
}

const oneOfEachType: [column: string, type: string, cell: string, value: string][] = [
  ['tiny', 'TINYINT', '-128', `-128`],
  ['big', 'BIGINT', '-9223372036854775808', `-9223372036854775808`],
  ['unsigned', 'UBIGINT', '18446744073709551615', `18446744073709551615`],
  ['price', 'DECIMAL(18,4)', '12345678901234.5678', `12345678901234.5678`],
  [
    'wide',
    'DECIMAL(38,0)',
    '12345678901234567890123456789012345678',
    `12345678901234567890123456789012345678`,
  ],
  ['narrow', 'DECIMAL(10,2)', '1.50', `1.5`],
  ['single', 'FLOAT', '0.1', `0.1`],
  ['double', 'DOUBLE', '0.1', `0.1`],
  ['zero', 'DOUBLE', '-0.0', `'-0.0'`],
  ['not_a_number', 'DOUBLE', 'null', `'nan'`],
  ['infinite', 'DOUBLE', 'null', `'-inf'`],
  ['flag', 'BOOLEAN', 'true', `true`],
  ['text', 'VARCHAR', '"007"', `'007'`],
  ['escapes', 'VARCHAR', '"a\\"\\\\\\n\\u0001é"', `'a"\\' || chr(10) || chr(1) || 'é'`],
  ['bytes', 'BLOB', '"qgBhYg=="', `'\\xAA\\x00ab'`],
  ['day', 'DATE', '"2020-02-29"', `'2020-02-29'`],
  ['time', 'TIME', '"10:11:12.5"', `'10:11:12.5'`],
  ['at', 'TIMESTAMP', '"2020-01-01 01:02:03.123456"', `'2020-01-01 01:02:03.123456'`],
  ['at_nanos', 'TIMESTAMP_NS', '"2020-01-01 01:02:03.123456789"', `'2020-01-01 01:02:03.123456789'`],
  [
    'at_zone',
    'TIMESTAMP WITH TIME ZONE',
    '"2019-12-31 23:02:03.123456+00"',
    `'2020-01-01 01:02:03.123456+02'`,
  ],
  ['uuid', 'UUID', '"ad58834e-2eff-42a9-903a-c05f9678762b"', `'ad58834e-2eff-42a9-903a-c05f9678762b'`],
  ['span', 'INTERVAL', '"3 months 2 days 00:00:01"', `'3 months 2 days 1 second'`],
  ['json', 'JSON', '{"a":1e5,"b":[1.0,12345678901234567890]}', `'{"a":1e5,"b":[1.0,12345678901234567890]}'`],
  [
    'chat',
    'STRUCT("role" VARCHAR, "content" VARCHAR)[]',
    '[{"role":"user","content":"hi"},null]',
    `[{'role':'user','content':'hi'},NULL]`,
  ],
  [
    'image',
    'STRUCT(bytes BLOB, path VARCHAR)',
    '{"bytes":"iVBORw==","path":null}',
    `{'bytes':'\\x89PNG'::BLOB,'path':NULL}`,
  ],
  ['map', 'MAP(INTEGER, VARCHAR[])', '{"1":["x",null],"2":null}', `MAP{1:['x',NULL],2:NULL}`],
  [
    'deep',
    'STRUCT(b BLOB, m MAP(VARCHAR, BLOB))[]',
    '[{"b":"AQ==","m":{"k":"Ag=="}},null]',
    `[{'b':'\\x01'::BLOB,'m':MAP{'k':'\\x02'::BLOB}},NULL]`,
  ],
  ['floats', 'FLOAT[]', '[1.5,null,null]', `[1.5::FLOAT,'nan'::FLOAT,NULL]`],
  ['exact', 'DECIMAL(18,3)[]', '["123456789012345.678"]', `[123456789012345.678]`],
];
const selectOneOfEach = `SELECT ${oneOfEachType.map(([name, type]) => `NULL::${type} AS ${name}`).join(', ')}
  UNION ALL SELECT ${oneOfEachType.map(([, type, , value]) => `(${value})::${type}`).join(', ')}`;

it('reading keeps every type, with cells that hold each value exactly', async () => {
  const { manifest, bodies } = await ingest('parquet', await parquet('types.parquet', selectOneOfEach));

  expect(manifest.columns.map(({ name, type }) => [name, type])).toEqual(
    oneOfEachType.map(([name, type]) => [name, type]),
  );
  const cells = oneOfEachType.map(([name, , cell]) => `${JSON.stringify(name)}:${cell}`).join(',');
  const nulls = oneOfEachType.map(([name]) => `${JSON.stringify(name)}:null`).join(',');
  expect(Buffer.concat(bodies).toString()).toBe(`{${nulls}}\n{${cells}}\n`);
  expect(manifest).toMatchObject({ version: 1, row_count: 2, source_format: 'parquet' });
  expect(manifest.warnings).toEqual([
    { code: 'binary_as_base64', message: expect.stringContaining('their cells are base64: "bytes"') },
    {
      code: 'numbers_not_finite',
      message: expect.stringMatching(
        /^3 values are or hold NaN or Infinity \(the first is in .*not_a_number/,
      ),
    },
  ]);
});

it.each([
  ['a map with keys that are structs', `MAP {{'a': 1}: 'x'}`, "{{'a': 1}=x}"],
  ['a map with keys that are lists', `MAP {[1, 2]: 'x'}`, '{[1, 2]=x}'],
  ['a list of such maps', `[MAP {[1, 2]: 'x'}]`, '[{[1, 2]=x}]'],
])('reading keeps %s as text, and says so', async (_, value, text) => {
  const { manifest, bodies } = await ingest('parquet', await parquet('maps.parquet', `SELECT ${value} AS m`));

  expect(bodies.map(String)).toEqual([`${JSON.stringify({ m: text })}\n`]);
  expect(manifest.columns).toMatchObject([{ name: 'm', type: 'VARCHAR' }]);
  expect(manifest.warnings).toMatchObject([{ code: 'types_as_text' }]);
});

describe('decimal numbers of more than 38 digits', () => {
  const select = (others: string) =>
    `SELECT (-12345678901234567890.5678)::DECIMAL(38,4) AS d${others} UNION ALL SELECT 0.05${others} UNION ALL SELECT NULL${others}`;
  /** A file whose footer says that its numbers have 50 digits: DuckDB writes none with more than 38. */
  const long = async (name: string, others = ", 'q' AS t"): Promise<Buffer> => {
    const bytes = await readFile(await parquet(name, select(others)));
    const footer = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
    const hex = bytes.subarray(footer).toString('hex');
    // Scale 4 and precision 38, in both forms of the type.
    const patched = hex.replaceAll('1508154c', '15081564');
    expect(patched).not.toBe(hex);
    return Buffer.concat([bytes.subarray(0, footer), Buffer.from(patched, 'hex')]);
  };

  it('decimal numbers of more than 38 digits are kept as text, digit by digit', async () => {
    const { manifest, bodies } = await ingest('parquet', stream(await long('long-decimal.parquet')));

    expect(Buffer.concat(bodies).toString()).toBe(
      '{"d":"-12345678901234567890.5678","t":"q"}\n{"d":"0.0500","t":"q"}\n{"d":null,"t":"q"}\n',
    );
    expect(manifest.columns).toMatchObject([
      { name: 'd', type: 'VARCHAR' },
      { name: 't', type: 'VARCHAR' },
    ]);
    expect(manifest.warnings).toEqual([
      {
        code: 'types_as_text',
        message: expect.stringContaining('"d" (decimal numbers of more than 38 digits)'),
      },
    ]);
  });

  it.each([
    ['inside other values', ', [12.5::DECIMAL(38,4)] AS t', /inside other values, which cannot be read/],
    ['beside a structure', ", {'a': 1} AS t", /beside the column "t", which cannot be read without loss/],
  ])('decimal numbers of more than 38 digits are refused where they stand %s', async (_, others, message) => {
    const bytes = await long(`long-${others.length}.parquet`, others);

    await expect(ingest('parquet', stream(bytes))).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringMatching(message),
    });
  });
});

describe('columns of bytes', () => {
  const read = async (values: string) => {
    const path = await parquet('bytes.parquet', `SELECT unnest([${values}]) AS b, 1 AS n`);
    const { manifest, bodies } = await ingest('parquet', path);
    return { lines: Buffer.concat(bodies).toString().split('\n').slice(0, -1), manifest };
  };

  it('columns of bytes whose values are all text are read as text, and told', async () => {
    const { lines, manifest } = await read(`encode('héllo'), NULL, ''::BLOB, encode('a' || chr(10) || 'b')`);

    expect(lines).toEqual([
      '{"b":"héllo","n":1}',
      '{"b":null,"n":1}',
      '{"b":"","n":1}',
      '{"b":"a\\nb","n":1}',
    ]);
    expect(manifest.columns[0]).toMatchObject({ name: 'b', type: 'VARCHAR' });
    expect(manifest.warnings).toMatchObject([{ code: 'binary_as_text' }]);
  });

  it.each([
    ['no value is text', `'\\xAA\\x00'::BLOB`],
    ['a late value is none', `${"encode('a'), ".repeat(50)}'\\xFF'::BLOB`],
  ])('columns of bytes are base64 where %s, and told', async (_, values) => {
    const { manifest } = await read(values);

    expect(manifest.columns[0]).toMatchObject({ name: 'b', type: 'BLOB' });
    expect(manifest.warnings).toMatchObject([{ code: 'binary_as_base64' }]);
  });

  it('columns of bytes that are images are told as nothing else', async () => {
    const { manifest } = await read(`'\\x89PNG\\x0D\\x0A\\x1A\\x0A'::BLOB`);

    expect(manifest.warnings).toEqual([]);
  });

  it.each([
    ['text', `encode('a')`, 'binary_as_text'],
    ['bytes', `'\\x01\\x00\\x00\\x00'::BLOB`, 'binary_as_base64'],
  ])(
    'columns of bytes whose first thousands of rows are empty are read as the %s that they hold',
    async (_, value, code) => {
      const select = `SELECT CASE WHEN i > 5000 THEN ${value} WHEN i % 2 = 0 THEN ''::BLOB END AS b FROM range(5002) t(i)`;

      const { manifest } = await ingest('parquet', await parquet('late.parquet', select));

      expect(manifest.warnings).toMatchObject([{ code }]);
    },
  );

  it('one image makes a column of texts none of images', async () => {
    const select =
      "SELECT CASE WHEN i = 1500 THEN '\\x89PNG\\x0D\\x0A\\x1A\\x0A'::BLOB ELSE encode('text ' || i) END AS b FROM range(2000) t(i)";
    const { manifest } = await ingest('parquet', await parquet('one-image.parquet', select));

    expect(manifest.warnings.map(({ code }) => code)).toEqual(['binary_as_base64']);
  });

  it('a thousand columns of bytes are looked at with as many queries as one', async () => {
    const runs = vi.spyOn(DuckDBConnection.prototype, 'runAndReadAll');
    const queriesOf = async (columns: number): Promise<number> => {
      const names = Array.from({ length: columns }, (_, n) => `encode('a') AS c${n}`);
      const path = await parquet('wide.parquet', `SELECT ${names.join(', ')}`);
      runs.mockClear();
      const { manifest } = await ingest('parquet', path);
      expect(manifest.columns.every(({ type }) => type === 'VARCHAR')).toBe(true);
      return runs.mock.calls.length;
    };

    expect(await queriesOf(1000)).toBe(await queriesOf(1));
  });
});

it('a column without a name is written by its place', async () => {
  const path = await writeParquet(
    await mkdtemp(join(directory, 'unnamed-')),
    [{ name: '', type: 'VARCHAR' }],
    stream(Buffer.from('{"":"a"}\n')),
  );

  const { bodies } = await ingest('parquet', path);

  expect(bodies.map(String)).toEqual(['{"column_1":"a"}\n']);
});

it('reading shows cells of each type in the form in which they can be appended', () => {
  for (const [name, type, cell] of oneOfEachType) {
    expect([name, isCellOf(JSON.parse(cell), type)]).not.toEqual([name, false]);
  }
});

it('reading packs JSON values onto one line', async () => {
  const path = await parquet('json.parquet', `SELECT '{"a" :\n [ 1,  2 ]}'::JSON AS j`);

  const { bodies } = await ingest('parquet', path);

  expect(bodies.map(String)).toEqual(['{"j":{"a":[1,2]}}\n']);
});

it('reading keeps the order of rows over row groups and chunks', async () => {
  const path = await parquet(
    'order.parquet',
    `SELECT i::INTEGER AS i, repeat('x', 200) AS pad FROM range(30000) t(i)`,
    ', ROW_GROUP_SIZE 2048',
  );

  const { manifest, bodies } = await ingest('parquet', path);

  expect(manifest.chunks).toHaveLength(30);
  expect(manifest.chunks.map(({ first_row, row_count }) => [first_row, row_count])).toEqual(
    Array.from({ length: 30 }, (_, n) => [n * 1000, 1000]),
  );
  const numbers = Buffer.concat(bodies)
    .toString()
    .match(/"i":\d+/g);
  expect(numbers).toEqual(Array.from({ length: 30_000 }, (_, i) => `"i":${i}`));
});

it('reading reads a stream as it reads a file', async () => {
  const path = await parquet('stream.parquet', selectOneOfEach);
  const bytes = await readFile(path);

  const streamed = await ingest('parquet', stream(bytes.subarray(0, 100), bytes.subarray(100)));

  expect(streamed).toEqual(await ingest('parquet', path));
});

it('reading reads long texts within the memory that DuckDB may use', async () => {
  const path = await parquet(
    'long.parquet',
    `SELECT repeat(md5(i::VARCHAR), 1024) AS t FROM range(2500) r(i)`,
  );

  const { manifest } = await ingest('parquet', path);

  expect(manifest.row_count).toBe(2500);
  expect(manifest.chunks.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(2500 * (32 * 1024 + 9));
});

it('reading keeps names that differ in case alone, and any characters in names', async () => {
  const path = await parquet('case.parquet', `SELECT 1 AS "Qz", 2 AS xy, 3 AS "é ""q"""`);
  const patched = Buffer.from((await readFile(path)).toString('latin1').replaceAll('xy', 'qZ'), 'latin1');

  const { manifest, bodies } = await ingest('parquet', stream(patched));

  expect(manifest.columns.map(({ name }) => name)).toEqual(['Qz', 'qZ', 'é "q"']);
  expect(bodies.map(String)).toEqual(['{"Qz":1,"qZ":2,"é \\"q\\"":3}\n']);
});

it('writing what was read from Parquet gives the same types and values', async () => {
  const path = await parquet('source.parquet', selectOneOfEach);

  const copy = join(directory, 'copy.parquet');
  await writeFile(copy, await exportFile(await ingest('parquet', path), 'parquet'));

  expect(await query(`DESCRIBE FROM '${copy}'`)).toEqual(await query(`DESCRIBE FROM '${path}'`));
  const finite = `* REPLACE (NULL::DOUBLE AS not_a_number, NULL::DOUBLE AS infinite, [1.5, NULL, NULL]::FLOAT[] AS floats)`;
  expect(await query(`FROM '${copy}' WHERE tiny IS NOT NULL`)).toEqual(
    await query(`SELECT ${finite} FROM '${path}' WHERE tiny IS NOT NULL`),
  );
  const [read, again] = [await ingest('parquet', path), await ingest('parquet', copy)];
  expect(again.bodies).toEqual(read.bodies);
  expect(again.manifest).toMatchObject({
    ...read.manifest,
    warnings: [{ code: 'binary_as_base64' }],
  });
});

it('writing keeps strings strings: "007" stays "007"', async () => {
  const csv = Buffer.from('id,text\n007,"a ""b""\n\t\\c"\n1e5,\n');

  const path = join(directory, 'strings.parquet');
  await writeFile(path, await exportFile(await ingest('csv', stream(csv)), 'parquet'));

  expect(await query(`SELECT *, typeof(id) AS t FROM '${path}'`)).toEqual([
    { id: '007', text: 'a "b"\n\t\\c', t: 'VARCHAR' },
    { id: '1e5', text: '', t: 'VARCHAR' },
  ]);
});

it('writing gives objects from jsonl the narrowest exact types, and missing cells NULL', async () => {
  const jsonl = Buffer.from(
    '{"n":1,"u":18446744073709551615,"w":12345678901234567890123,"d":0.1,"b":true,"c":[{"x": 1.0}],"m":"s"}\n{"m":1e5,"w":-1}\n',
  );

  const path = join(directory, 'objects.parquet');
  await writeFile(path, await exportFile(await ingest('jsonl', stream(jsonl)), 'parquet'));

  expect(await query(`SELECT column_name, column_type FROM (DESCRIBE FROM '${path}')`)).toEqual(
    Object.entries({
      n: 'BIGINT',
      u: 'UBIGINT',
      w: 'DECIMAL(38,0)',
      d: 'DOUBLE',
      b: 'BOOLEAN',
      c: 'JSON',
      m: 'JSON',
    }).map(([column_name, column_type]) => ({ column_name, column_type })),
  );
  expect(await query(`FROM '${path}'`)).toEqual([
    {
      n: '1',
      u: '18446744073709551615',
      w: '12345678901234567890123',
      d: 0.1,
      b: true,
      c: '[{"x":1.0}]',
      m: '"s"',
    },
    { n: null, u: null, w: '-1', d: null, b: null, c: null, m: '1e5' },
  ]);
});

it('writing holds what UTF-8 cannot as U+FFFD, and nothing else', async () => {
  const jsonl = Buffer.from('{"a":"x\\ud83d y","j":["\\\\ud83d","\\uDE00","\\ud83d\\ude00"]}\n');

  const path = join(directory, 'surrogates.parquet');
  await writeFile(path, await exportFile(await ingest('jsonl', stream(jsonl)), 'parquet'));

  expect(await query(`SELECT a, j->>0 AS b, j->>1 AS c, j->>2 AS d FROM '${path}'`)).toEqual([
    { a: 'x\ufffd y', b: '\\ud83d', c: '\ufffd', d: '😀' },
  ]);
});

it('writing keeps the order of rows, in one file of several row groups', async () => {
  const lines = Array.from({ length: 130_000 }, (_, i) => `{"i":${i}}\n`).join('');

  const path = join(directory, 'order-out.parquet');
  await writeFile(path, await exportFile(await ingest('jsonl', stream(Buffer.from(lines))), 'parquet'));

  expect(
    await query(
      `SELECT count(*)::INTEGER AS n, bool_and(i = file_row_number) AS ordered FROM read_parquet('${path}', file_row_number = true)`,
    ),
  ).toEqual([{ n: 130_000, ordered: true }]);
  expect((await query(`FROM parquet_file_metadata('${path}')`))[0]).toMatchObject({ num_row_groups: '2' });
});

it('writing makes row groups small where rows are large, so that readers can hold them', async () => {
  const row = Buffer.from(`{"image":"${'x'.repeat(32 * 1024)}"}\n`);
  const columns = sourceColumns([{ name: 'image', type: 'VARCHAR' }]);
  const path = join(directory, 'large-rows.parquet');

  const source = stream(...Array.from({ length: 3000 }, () => row));
  await exportRows('parquet', { columns, source, withoutResult: 'keep' }, async (file) =>
    writeFile(path, await readFile(file.path)),
  );

  const [file] = await query(`FROM parquet_file_metadata('${path}')`);
  expect(file).toMatchObject({ num_rows: '3000' });
  expect(Number(file?.num_row_groups)).toBeGreaterThanOrEqual(2);
});

it('writing writes a file without rows with its columns', async () => {
  const columns = sourceColumns([{ name: 'a', type: 'VARCHAR' }]);

  const path = join(directory, 'no-rows.parquet');
  await exportRows('parquet', { columns, source: stream<Buffer>(), withoutResult: 'keep' }, async (file) =>
    writeFile(path, await readFile(file.path)),
  );

  expect(await query(`SELECT column_name FROM (DESCRIBE FROM '${path}')`)).toEqual([{ column_name: 'a' }]);
  expect(await query(`FROM '${path}'`)).toEqual([]);
});

describe('what cannot be read', () => {
  const damaged =
    /^The file is not a readable Parquet file: .+ It may have been cut off or damaged; upload it again\.$/;
  const refuse = async (bytes: Buffer) => {
    const error: unknown = await ingest('parquet', stream(bytes)).catch((caught: unknown) => caught);
    return error as { code: string; message: string };
  };

  it('what cannot be read is refused when it was cut off anywhere', async () => {
    const bytes = await readFile(await parquet('whole.parquet', selectOneOfEach));

    for (const length of [4, 8, 100, bytes.length - 500, bytes.length - 9, bytes.length - 1]) {
      const { code, message } = await refuse(bytes.subarray(0, length));
      expect([length, code]).toEqual([length, 'file_unreadable']);
      expect(message).toMatch(damaged);
    }
  });

  it('what cannot be read is refused when its pages or its footer are damaged', async () => {
    const bytes = await readFile(
      await parquet('damage.parquet', `SELECT 'text ' || i AS t FROM range(1000) r(i)`),
    );
    const pages = Buffer.from(bytes).fill(0xff, 4, 400);
    const footer = Buffer.from(bytes).fill(0x07, bytes.length - 200, bytes.length - 8);

    for (const broken of [pages, footer]) {
      const { code, message } = await refuse(broken);
      expect(code).toBe('file_unreadable');
      expect(message).toMatch(damaged);
      expect(message).not.toContain(tmpdir());
    }
  });

  it.each([
    ['empty', '', 'file_empty', 'The file is empty. Upload a Parquet file with at least one row.'],
    [
      'a PNG',
      '89504e470d0a1a0a0000000d',
      'file_unreadable',
      'The file was announced as parquet, but its first bytes are those of a PNG image. Upload the Parquet file itself.',
    ],
    [
      'text',
      '612c620a312c320a',
      'file_unreadable',
      'The file was announced as parquet, but its first bytes are not those of a Parquet file. Upload the Parquet file itself.',
    ],
  ])('what cannot be read is refused when it is %s', async (_, hex, code, message) => {
    expect(await refuse(Buffer.from(hex, 'hex'))).toMatchObject({ code, message });
  });

  it('what cannot be read is refused when it has no rows', async () => {
    const bytes = await readFile(await parquet('rowless.parquet', 'SELECT 1 AS a LIMIT 0'));

    expect(await refuse(bytes)).toMatchObject({
      code: 'file_empty',
      message: 'The Parquet file holds no rows. Upload one with at least one row.',
    });
  });

  it('what cannot be read leaves nothing in the temporary directory', async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('tabular-'));

    await refuse(Buffer.from('PAR1 nothing more'));

    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('tabular-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('the columns of a file that is not read yet', () => {
  const range =
    (bytes: Buffer, log: number[] = []) =>
    async (from: number, to: number) => {
      log.push(to - from + 1);
      return bytes.subarray(from, to + 1);
    };

  it('the columns of a file that is not read yet come from the last bytes of a Parquet file', async () => {
    const bytes = await readFile(
      await parquet(
        'wide.parquet',
        `SELECT 'q' AS question, {'a': 1} AS "Nested x", uuid() FROM range(50000)`,
      ),
    );
    const reads: number[] = [];

    const columns = await readColumns('parquet', bytes.length, range(bytes, reads));

    expect(columns).toEqual(['question', 'Nested x', 'uuid()']);
    expect(bytes.length).toBeGreaterThan(500_000);
    expect(reads.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(64 * 1024 + 512);
  });

  it('the columns of a file that is not read yet come from the first 64 KiB of a text file', async () => {
    const bytes = Buffer.from(`prompt,completion\n${'a,b\n'.repeat(50_000)}`);
    const reads: number[] = [];

    expect(await readColumns('csv', bytes.length, range(bytes, reads))).toEqual(['prompt', 'completion']);
    expect(reads).toEqual([64 * 1024]);
  });

  it('the columns of a file that is not read yet are refused with a footer too large to be one', async () => {
    const bytes = Buffer.alloc(1024);
    bytes.write('PAR1', 0);
    bytes.writeUInt32LE(500 * 1024 * 1024, 1016);
    bytes.write('PAR1', 1020);
    let read = 0;

    await expect(
      readColumns('parquet', 600 * 1024 * 1024, async (from, to) => {
        read += to - from + 1;
        const part = Buffer.alloc(to - from + 1);
        if (from === 0) bytes.copy(part, 0, 0);
        else bytes.copy(part, Math.max(0, part.length - 1024));
        return part;
      }),
    ).rejects.toMatchObject({
      code: 'file_unreadable',
      message:
        'The file is not a readable Parquet file: its footer is larger than 32 MiB. It may have been cut off or damaged; upload it again.',
    });
    expect(read).toBeLessThan(1024 * 1024);
  });

  it('fail as the store failed, when it did', async () => {
    const outage = new Error('the store does not answer');

    await expect(readColumns('parquet', 1000, () => Promise.reject(outage))).rejects.toBe(outage);
  });
});
