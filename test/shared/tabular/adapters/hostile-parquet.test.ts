import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { describeError } from '#shared/platform/runtime/logger.ts';
import { asParquetError, DuckdbError, withDuckdb } from '#shared/tabular/adapters/duckdb.ts';
import { readParquetFooter } from '#shared/tabular/adapters/parquet-footer.ts';
import { requireNaturalPages } from '#shared/tabular/adapters/parquet-pages.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';
import { readParquetMetadata } from '#shared/tabular/decide/parquet-metadata.ts';
import { ingest, query, stream } from './harness.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hostile-parquet-'));
});
afterAll(() => rm(directory, { recursive: true }));

async function parquet(sql: string): Promise<Buffer> {
  const path = join(directory, 'file.parquet');
  await query(`COPY (${sql}) TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
  return readFile(path);
}

/** A file whose footer is these bytes. */
function withFooter(footer: Buffer): Buffer {
  const end = Buffer.alloc(8);
  end.writeUInt32LE(footer.length);
  end.write('PAR1', 4);
  return Buffer.concat([Buffer.from('PAR1'), footer, end]);
}

const columnsOf = (file: Buffer): Promise<string[]> =>
  readColumns('parquet', file.length, async (from, to) => file.subarray(from, to + 1));

/** A field of a structure of Thrift's compact protocol: its number, its type and its value. */
type Field = readonly [id: number, type: number, value: readonly number[]];
const [I32, I64, TEXT, LIST, STRUCT] = [5, 6, 8, 9, 12] as const;

/** Changes numbers and fields while they are written, to their encoded values. */
const written = { number: (encoded: bigint) => encoded, field: (id: number) => id };
const varint = (value: number | bigint): number[] =>
  value < 128 ? [Number(value)] : [Number(BigInt(value) % 128n) + 128, ...varint(BigInt(value) / 128n)];
const whole = (value: number): number[] => varint(written.number(BigInt(value) * 2n));
const int = (id: number, value: number): Field => [id, I32, whole(value)];
const long = (id: number, value: number): Field => [id, I64, whole(value)];
const text = (id: number, value: string): Field => [
  id,
  TEXT,
  [...varint(value.length), ...Buffer.from(value)],
];
const list = (id: number, type: number, items: readonly (readonly number[])[]): Field => [
  ...([id, LIST] as const),
  [0xf0 + type, ...varint(items.length), ...items.flat()],
];
/** A field that does not follow the one before it has its number in full. */
function struct(...fields: readonly Field[]): number[] {
  let before = 0;
  const bytes = fields.flatMap(([id, type, value]) => {
    const number = written.field(id);
    const step = number - before;
    before = number;
    return step > 0 && step < 16
      ? [(step << 4) + type, ...value]
      : [type, ...varint(number < 0 ? -2 * number - 1 : 2 * number), ...value];
  });
  return [...bytes, 0];
}

const packed = new Map<Buffer, Buffer>();

/** A page of a column of whole numbers, compressed with gzip; of the kind 0, with values, or another. */
const pageOf = (values: number, content: Buffer, ...further: readonly Field[]): Buffer =>
  pageOfKind(0, values, content, ...further);

function pageOfKind(kind: number, values: number, content: Buffer, ...further: readonly Field[]): Buffer {
  const body = packed.get(content) ?? gzipSync(content);
  packed.set(content, body);
  const data = struct(int(1, values), int(2, 0), int(3, 3), int(4, 3));
  const header = struct(
    int(1, kind),
    int(2, content.length),
    int(3, body.length),
    [5, STRUCT, data],
    ...further,
  );
  return Buffer.concat([Buffer.from(header), body]);
}

/** A file whose row groups, of a row each, all have these pages. */
function withPages(pages: readonly Buffer[], groups = 1): Buffer {
  const bytes = pages.reduce((sum, { length }) => sum + length, 0);
  const column = struct(
    int(1, 1),
    list(2, I32, [[0]]),
    list(3, TEXT, [[1, 97]]),
    int(4, 2),
    long(5, 1),
    long(6, 4),
    long(7, 4),
    long(9, 4),
  );
  const group = struct(
    list(1, STRUCT, [struct(long(2, 4), [3, STRUCT, column])]),
    long(2, bytes),
    long(3, 1),
  );
  const schema = [struct(text(4, 'root'), int(5, 1)), struct(int(1, 1), int(3, 0), text(4, 'a'))];
  const groupsOf = Array.from({ length: groups }, () => group);
  const footer = Buffer.from(
    struct(int(1, 1), list(2, STRUCT, schema), long(3, groups), list(4, STRUCT, groupsOf)),
  );
  const file = withFooter(footer);
  return Buffer.concat([file.subarray(0, 4), ...pages, file.subarray(4)]);
}

/** Processor time in milliseconds. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work().catch(() => {});
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

describe('a footer', () => {
  const NESTED = Buffer.concat([Buffer.alloc(400_000, 0x1c), Buffer.alloc(10)]);

  test.each([
    ['of endless numbers', Buffer.alloc(400_000, 0xff)],
    ['whose list is longer than the file', Buffer.from([0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ['nested without end', NESTED],
    ['of lists in lists', Buffer.concat([Buffer.from([0x79]), Buffer.alloc(400_000, 0x19)])],
    ['of nothing', Buffer.alloc(0)],
    ['that is no struct at all', Buffer.from('not thrift, but text of some length')],
    ['of children that are not there', Buffer.from([0x29, 0x1c, 0x48, 0x01, 0x61, 0x15, 0x04, 0x00, 0x00])],
  ])('%s is refused at once', async (_, footer) => {
    const file = withFooter(footer);

    expect(await took(() => columnsOf(file))).toBeLessThan(1000);
    await expect(columnsOf(file)).rejects.toMatchObject({ code: 'file_unreadable' });
    await expect(ingest('parquet', stream(file))).rejects.toMatchObject({ code: 'file_unreadable' });
  });

  test('a footer with more columns than a file can have is refused as that', () => {
    // A schema is field 2, a list of structures; 0xa1 0x8d 0x06 is its length, 100,001.
    const header = Buffer.from([0x29, 0xfc, 0xa1, 0x8d, 0x06]);

    expect(() => readParquetMetadata(Buffer.concat([header, Buffer.alloc(100_002)]))).toThrow(
      'more than 100000 elements',
    );
  });

  test('a footer without the sum of its rows has those of its row groups', async () => {
    const file = await parquet('SELECT i FROM range(5) r(i)');
    const footer = file.subarray(-8 - file.readUInt32LE(file.length - 8), -8);
    // Field 3, the sum of the rows, is 5: 0x16 0x0a.
    const at = footer.indexOf(Buffer.from([0x16, 0x0a]));
    const without = Buffer.from(footer);
    without[at + 1] = 0;

    expect(readParquetMetadata(footer)).toEqual({ columns: ['i'], rowCount: 5, longDecimals: [] });
    expect(readParquetMetadata(without)).toEqual({ columns: ['i'], rowCount: 5, longDecimals: [] });
    const { manifest } = await ingest(
      'parquet',
      stream(Buffer.concat([file.subarray(0, -8 - footer.length), without, file.subarray(-8)])),
    );
    expect(manifest.row_count).toBe(5);
  });
});

test.each([
  ['long', `SELECT repeat('x', 1000) AS t FROM range(200_000)`],
  ['short', 'SELECT 1 AS t FROM range(20_000_000)'],
])('a small file of many rows is refused where they are %s', async (_, sql) => {
  const file = await parquet(sql);

  expect(file.length).toBeLessThan(200_000);
  await expect(ingest('parquet', stream(file))).rejects.toMatchObject({
    code: 'file_unreadable',
    message: expect.stringContaining('take far more room than the file'),
  });
});

test('a small file of many rows is read where they come to little', async () => {
  const { manifest } = await ingest(
    'parquet',
    stream(await parquet(`SELECT 'same' AS t FROM range(100_000)`)),
  );

  expect(manifest.row_count).toBe(100_000);
});

describe('pages', () => {
  const SEVEN_BYTES = Buffer.from([7, 0, 0, 0]);
  const SEVEN = pageOf(1, SEVEN_BYTES);
  const ZEROS = Buffer.alloc(16 * 1024 * 1024);
  const EMPTY = pageOf(0, ZEROS);
  // Field 9 is no field of a header: a map of one number to another. Field 2, the size, is none either where it has 64 bits.
  const STRANGE = pageOf(0, ZEROS, [9, 11, [1, 0x55, 2, 2]], long(2, 0));
  const times = (page: Buffer): Buffer[] => Array.from({ length: 20 }, () => page);
  test.each([
    ['without values, behind the sizes that the footer states', withPages([...times(EMPTY), SEVEN])],
    ['with fields in their headers that are none', withPages([...times(STRANGE), SEVEN])],
  ])(
    'pages that decompress to far more than the rows of their file may be are refused before one is: %s',
    async (_, file) => {
      const asked = vi.spyOn(DuckDBConnection.prototype, 'runAndReadAll');
      onTestFinished(() => asked.mockRestore());

      await expect(ingest('parquet', stream(file))).rejects.toMatchObject({
        code: 'file_unreadable',
        message: expect.stringContaining('take far more room than the file'),
      });

      expect(asked).not.toHaveBeenCalled();
    },
  );

  test('pages without values are read over where they are few', async () => {
    const { bodies } = await ingest('parquet', stream(withPages([pageOf(0, Buffer.alloc(9)), SEVEN])));

    expect(bodies.map(String)).toEqual(['{"a":7}\n']);
  });

  test.each([
    ['which row groups name again', withPages([pageOf(0, Buffer.alloc(9)), SEVEN], 20)],
    // DuckDB goes on behind the header of one, with the page that it holds.
    ['of a kind that readers skip in two ways', withPages([pageOfKind(1, 0, EMPTY), SEVEN])],
    ['that are cut off', withPages([EMPTY.subarray(0, 20)])],
  ])('a file is refused for pages %s', async (_, file) => {
    expect(await isRefusedForPages(file)).toBe(true);
  });

  test('what DuckDB reads of a file is counted or refused, whatever number or field is changed to one that readers cut to its width', async () => {
    const unchanged = { ...written };
    onTestFinished(() => void Object.assign(written, unchanged));
    let changes = 0;
    const tryAll = async <V>(kind: keyof typeof written, change: (value: V) => V): Promise<void> => {
      for (let at = 0, seen = 1; at < seen; at += 1) {
        seen = 0;
        const changed = (value: V): V => (seen++ === at ? change(value) : value);
        Object.assign(written, unchanged, { [kind]: changed });
        const file = withPages([...times(pageOf(0, ZEROS)), pageOf(1, SEVEN_BYTES)]);
        changes += 1;
        if (await isRefusedForPages(file)) continue;
        await expect(readByDuckdb(file), `${change} of the ${kind} ${at} of ${seen}`).rejects.toThrow();
      }
    };

    for (const more of [1n, 2n ** 32n, 2n ** 33n, 2n ** 64n, 2n ** 65n]) {
      await tryAll('number', (encoded: bigint) => encoded + more);
    }
    for (const more of [2 ** 16, -(2 ** 16)]) await tryAll('field', (id: number) => id + more);
    expect(changes).toBeGreaterThan(200);
  });
});

/** Whether it is refused for its footer or its pages before DuckDB reads any. */
async function isRefusedForPages(file: Buffer): Promise<boolean> {
  const path = join(directory, 'pages.parquet');
  await writeFile(path, file);
  try {
    const { bytes } = await readParquetFooter(file.length, async (from, to) => file.subarray(from, to + 1));
    requireNaturalPages(path, file.length, bytes);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'file_unreadable' });
    return true;
  }
}

async function readByDuckdb(file: Buffer): Promise<unknown> {
  const path = join(directory, 'pages.parquet');
  await writeFile(path, file);
  return query(`SELECT a FROM read_parquet('${path}')`);
}

test.each([
  ['text', `repeat('x', 10_000)`],
  ['bytes that are text', `encode(repeat('x', 10_000))`],
  ['bytes', `'\\x00\\x01'::BLOB || encode(repeat('x', 10_000))`],
])(
  'a value that a small file repeats is asked for no more often than rows may have it: %s',
  async (_, sql) => {
    const file = await parquet(`SELECT ${sql} AS t FROM range(50_000)`);
    const rows = countRowsRead(50_000);

    await expect(ingest('parquet', stream(file))).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('take far more room than the file'),
    });

    // 32 MiB of rows are free; the heads of 1,000 values are looked at, and values come in vectors of 2,048.
    expect(rows.ofValues()).toBeLessThan((32 * 1024 * 1024) / 10_000 + 1000 + 2 * 2048);
  },
);

/** Counts the rows whose values queries ask DuckDB for, of a file of so many: a query that is no stream asks for all, or its limit. */
function countRowsRead(ofFile: number): { ofValues: () => number } {
  const { stream: begin } = DuckDBConnection.prototype;
  const queries = vi.spyOn(DuckDBConnection.prototype, 'runAndReadAll');
  let streamed = 0;
  vi.spyOn(DuckDBConnection.prototype, 'stream').mockImplementation(async function (
    this: DuckDBConnection,
    sql,
  ) {
    const result = await begin.call(this, sql);
    const fetchChunk = result.fetchChunk.bind(result);
    result.fetchChunk = async () => {
      const chunk = await fetchChunk();
      if (!String(sql).includes('octet_length')) streamed += chunk?.rowCount ?? 0;
      return chunk;
    };
    return result;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const asked = (sql: string): number =>
    sql.startsWith('DESCRIBE') ? 0 : Number(/ LIMIT (\d+)$/.exec(sql)?.[1] ?? ofFile);
  return {
    ofValues: () => queries.mock.calls.reduce((rows, [sql]) => rows + asked(String(sql)), streamed),
  };
}

test.each([
  ['whether bytes are text', 'TRY(decode('],
  ['its rows', 'SELECT decode('],
])(
  'a file is refused once DuckDB has had all the time of a file of its size, and is at %s',
  async (_, sql) => {
    const file = await parquet(`SELECT encode(repeat('x', 400) || range) AS t FROM range(60_000)`);
    passTimeDuring(sql);

    await expect(ingest('parquet', stream(file))).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('takes far longer than its size explains'),
    });
  },
);

/** Lets minutes pass again and again while DuckDB is at a query with this text, and no time during others. */
function passTimeDuring(text: string): void {
  const { stream: begin, runAndReadAll: run } = DuckDBConnection.prototype;
  let isAtIt = false;
  const pass = (): void => {
    if (!isAtIt) return;
    vi.advanceTimersByTime(600_000);
    setTimeout(pass, 1);
  };
  const start = (sql: unknown): void => {
    isAtIt = String(sql).includes(text);
    setTimeout(pass, 1);
  };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.spyOn(DuckDBConnection.prototype, 'stream').mockImplementation(function (this: DuckDBConnection, sql) {
    start(sql);
    return begin.call(this, sql);
  });
  vi.spyOn(DuckDBConnection.prototype, 'runAndReadAll').mockImplementation(async function (
    this: DuckDBConnection,
    sql,
  ) {
    start(sql);
    return run.call(this, sql).finally(() => {
      isAtIt = false;
    });
  });
  onTestFinished(() => {
    isAtIt = false;
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

describe('what DuckDB does not read', () => {
  const fixture = (name: string): string =>
    fileURLToPath(new URL(`../../../fixtures/parquet/${name}.parquet`, import.meta.url));
  const rowsOf = async (name: string): Promise<unknown[]> => {
    const { bodies } = await ingest('parquet', fixture(name));
    return bodies[0]?.toString('utf8').trimEnd().split('\n') ?? [];
  };

  test.each(['lz4-hadoop-frames', 'lz4-blocks'])('what DuckDB does not read is read: %s', async (name) => {
    expect(await rowsOf(name)).toEqual([
      '{"number":7,"text":"wool","real":0.5}',
      `{"number":7,"text":"${'linen '.repeat(40)}","real":1.25}`,
      '{"number":-1,"text":null,"real":42.0}',
      '{"number":null,"text":"wool","real":7.7}',
    ]);
  });

  test('what DuckDB does not read is read as DuckDB writes values: integers whose bytes are split', async () => {
    const { manifest } = await ingest('parquet', fixture('split-integers'));

    expect(manifest.columns.map(({ type }) => type)).toEqual([
      'INTEGER',
      'BIGINT',
      'DECIMAL(9,2)',
      'TIMESTAMP',
      'TIMESTAMP WITH TIME ZONE',
      'DATE',
      'VARCHAR',
      'DOUBLE',
      'FLOAT',
      'BOOLEAN',
      'VARCHAR[]',
    ]);
    expect(await rowsOf('split-integers')).toEqual([
      '{"n":1,"big":1,"d":1.50,"at":"1970-01-01 00:00:00","utc":"1970-01-01 00:00:00+00","day":"1970-01-01","text":"a","real":1.0,"single":1.0,"flag":true,"list":["a"]}',
      '{"n":-2,"big":9007199254740993,"d":-2.25,"at":"2020-01-01 01:02:03.123456","utc":"2020-01-01 01:02:03.123+00","day":"2020-02-29","text":"é\\"","real":0.1,"single":0.1,"flag":false,"list":[]}',
      '{"n":null,"big":-5,"d":null,"at":null,"utc":null,"day":null,"text":null,"real":null,"single":null,"flag":null,"list":null}',
      '{"n":2147483647,"big":null,"d":0.01,"at":"1969-12-31 23:59:59.999999","utc":"1969-12-31 23:59:59.999999+00","day":"1969-12-31","text":"","real":1e+20,"single":-0.0,"flag":true,"list":["b",null]}',
    ]);
  });

  test('what DuckDB does not read and nothing else does is called an encoding that cannot be read', async () => {
    const file = await readFile(fixture('lz4-hadoop-frames'));
    // The first page is no LZ4 any more.
    const broken = Buffer.from(file).fill(0xff, 40, 54);

    await expect(ingest('parquet', stream(broken))).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('uses an encoding or a compression that cannot be read'),
    });
  });
});

test('an error of DuckDB reaches nobody with the cells that it repeats', async () => {
  const caught: unknown = await withDuckdb(directory, [], async (connection) =>
    connection.run(`SELECT CAST('secret cell' AS INTEGER)`),
  ).catch((error: unknown) => error);

  expect(caught).toBeInstanceOf(DuckdbError);
  for (const error of [
    caught,
    asParquetError(caught),
    asParquetError(new Error(`Conversion Error: 'secret cell'`)),
  ]) {
    expect(JSON.stringify(describeError(error))).not.toContain('secret');
  }
});
