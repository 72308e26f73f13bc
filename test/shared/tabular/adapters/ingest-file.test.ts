import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import type { IngestOptions } from '#shared/tabular/adapters/ingest-text.ts';
import { DOCUMENT_COLUMNS } from '#shared/tabular/decide/documents/document-row.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { exportFile, ingest, stream } from './harness.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'ingest-test-'));
});
afterAll(() => rm(directory, { recursive: true }));

const csv = Buffer.from('id,text\n007,"a, ""b""\nc"\n1.0,\n');

function options(changes: Partial<IngestOptions>): IngestOptions {
  return {
    format: 'csv',
    name: 'rows.csv',
    source: stream(csv),
    maxBytes: 1024 ** 3,
    chunkKey: (n) => `rows/${n}.jsonl`,
    writeChunk: async () => {},
    ...changes,
  };
}

const NO_CHAT = {
  is_empty: false,
  not_chat: { row: 0, problem: 'is not a JSON array of turns' },
  image_format: null,
};

it('ingest returns the manifest of the chunks that it wrote', async () => {
  const { manifest, bodies } = await ingest('csv', stream(csv));

  expect(bodies.map(String)).toEqual(['{"id":"007","text":"a, \\"b\\"\\nc"}\n{"id":"1.0","text":""}\n']);
  expect(RowsManifest.parse(manifest)).toEqual({
    version: 1,
    row_count: 2,
    columns: [
      { name: 'id', type: 'VARCHAR', profile: { ...NO_CHAT, cells: 2 } },
      { name: 'text', type: 'VARCHAR', profile: { ...NO_CHAT, cells: 1 } },
    ],
    source_format: 'csv',
    chunks: [{ key: 'rows/0.jsonl', first_row: 0, row_count: 2, bytes: bodies[0]?.length }],
    warnings: [],
  });
});

it('ingest reads a local file as it reads a stream', async () => {
  const path = join(directory, 'rows.csv');
  await writeFile(path, csv);

  expect(await ingest('csv', path)).toEqual(await ingest('csv', stream(csv)));
});

it.each(['csv', 'parquet'] as const)(
  'ingest refuses a %s file above the limit before reading all of it',
  async (format) => {
    let pulled = 0;
    const endless = async function* () {
      for (; pulled < 2000; pulled += 1) yield Buffer.from('a,b\n'.repeat(1000));
    };
    const path = join(directory, 'large');
    await writeFile(path, Buffer.alloc(100_001));

    for (const source of [endless(), path]) {
      await expect(ingestFile(options({ format, source, maxBytes: 100_000 }))).rejects.toMatchObject({
        code: 'file_too_large',
        message: 'The file is larger than 97.7 KiB, the limit for a file. Split it and upload the parts.',
      });
    }
    expect(pulled).toBeLessThan(100);
  },
);

it('ingest waits for a slow store: at most four chunks are being written, whatever the input', async () => {
  let writing = 0;
  let most = 0;
  let pulled = 0;
  const pieces = async function* () {
    yield Buffer.from('a\n');
    for (; pulled < 200; pulled += 1) yield Buffer.from(`${'x'.repeat(99)}\n`.repeat(1000));
  };
  const pulledAtFirstWrite: number[] = [];

  const manifest = await ingestFile(
    options({
      source: pieces(),
      writeChunk: async () => {
        writing += 1;
        most = Math.max(most, writing);
        await new Promise((resolve) => setTimeout(resolve, 2));
        pulledAtFirstWrite.push(pulled);
        writing -= 1;
      },
    }),
  );

  expect(manifest.chunks).toHaveLength(200);
  expect(most).toBe(4);
  expect(pulledAtFirstWrite[0]).toBeLessThan(10);
});

it('ingest cuts large pieces of input, so that the chunks of one do not pile up', async () => {
  const rows = `${'x'.repeat(1020)}\n`.repeat(40_000);
  let written = 0;

  const failing = ingestFile(
    options({
      source: stream(Buffer.from(`a\n${rows}too,wide\n`)),
      writeChunk: async () => {
        written += 1;
      },
    }),
  );

  await expect(failing).rejects.toMatchObject({ code: 'file_unreadable' });
  expect(written).toBeGreaterThanOrEqual(38);
});

it('ingest fails with what the last write threw', async () => {
  const outage = new Error('the store is gone');

  await expect(ingestFile(options({ writeChunk: () => Promise.reject(outage) }))).rejects.toBe(outage);
});

it('ingest fails with what a write threw, after every write has ended', async () => {
  const outage = new Error('the store is gone');
  let ended = 0;

  const failing = ingestFile(
    options({
      source: stream(Buffer.from(`a\n${'x\n'.repeat(20_000)}`)),
      writeChunk: async (n) => {
        await new Promise((resolve) => setTimeout(resolve, n === 1 ? 1 : 20));
        ended += 1;
        if (n === 1) throw outage;
      },
    }),
  );

  await expect(failing).rejects.toBe(outage);
  const endedAtFailure = ended;
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect(ended).toBe(endedAtFailure);
});

it('ingest fails with what the source threw', async () => {
  const outage = new Error('the connection was cut');
  const broken = async function* () {
    yield csv;
    throw outage;
  };

  for (const format of ['csv', 'parquet'] as const) {
    await expect(ingestFile(options({ format, source: broken() }))).rejects.toBe(outage);
  }
});

describe('a document', () => {
  const page = Buffer.from('<h1>Fog</h1><p>Ring the bell.</p><h1>Oil</h1><p>Colza.</p>');
  const rows = [
    '{"text":"Ring the bell.","heading":"Fog","page":null,"slide":null,"sheet":null,"source_file":"rows.html","format":"html"}\n',
    '{"text":"Colza.","heading":"Oil","page":null,"slide":null,"sheet":null,"source_file":"rows.html","format":"html"}\n',
  ];

  it('a document has the columns of every document, whatever it lacks', async () => {
    const { manifest, bodies } = await ingest('html', stream(page));

    expect(bodies.map(String)).toEqual([rows.join('')]);
    expect(RowsManifest.parse(manifest)).toMatchObject({
      row_count: 2,
      source_format: 'html',
      columns: DOCUMENT_COLUMNS.map((column) => ({ ...column, profile: expect.anything() })),
      chunks: [{ first_row: 0, row_count: 2 }],
    });
  });

  it('a document comes out in every format', async () => {
    const ingested = await ingest('html', stream(page));

    for (const format of ['json', 'jsonl', 'parquet'] as const) {
      const again = await ingest(format, stream(await exportFile(ingested, format)));
      expect([format, again.bodies.map(String).join('')]).toEqual([format, rows.join('')]);
    }
    expect((await exportFile(ingested, 'csv')).toString()).toBe(
      'text,heading,page,slide,sheet,source_file,format\n' +
        'Ring the bell.,Fog,,,,rows.html,html\nColza.,Oil,,,,rows.html,html\n',
    );
  });

  it('a document is refused above the limit, and leaves nothing behind', async () => {
    const own = await mkdtemp(join(directory, 'own-'));
    vi.stubEnv('TMPDIR', own);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });

    await expect(
      ingestFile(options({ format: 'html', source: stream(page), maxBytes: 10 })),
    ).rejects.toMatchObject({ code: 'file_too_large' });
    await expect(
      ingestFile(options({ format: 'pdf', source: stream(page), name: 'page.pdf' })),
    ).rejects.toMatchObject({ code: 'file_unreadable', message: expect.stringMatching(/^"page\.pdf": /) });
    // What runs the reader from its source keeps a folder of its own.
    expect((await readdir(own)).filter((name) => !name.startsWith('tsx-'))).toEqual([]);
  });
});

it('a file that goes in and comes out as csv has the same bytes, when it was written as this service writes', async () => {
  const ingested = await ingest('csv', stream(csv));

  expect((await exportFile(ingested, 'csv')).toString()).toBe('id,text\n007,"a, ""b""\nc"\n1.0,\n');
});

it('a file that goes in and comes out as jsonl has every cell as it stood', async () => {
  const lines = '{"n":null}\n{}\n{"n":12345678901234567890,"x":1.0,"e":1e5,"chat":[{"role":"user"}]}\n';

  expect((await exportFile(await ingest('jsonl', stream(Buffer.from(lines))), 'jsonl')).toString()).toBe(
    lines,
  );
});

it('a file that goes in and comes out goes through every format and back to the same cells', async () => {
  const start = await ingest('csv', stream(csv));
  let rows = start;
  for (const format of ['jsonl', 'parquet', 'json', 'csv'] as const) {
    rows = await ingest(format, stream(await exportFile(rows, format)));
    expect([format, rows.bodies.map(String)]).toEqual([format, start.bodies.map(String)]);
    expect(rows.manifest.columns).toEqual(start.manifest.columns);
  }
});

it('ingest warns of columns whose names differ in case alone, which Parquet downloads rename', async () => {
  const manifest = await ingestFile(
    options({ format: 'jsonl', source: stream(Buffer.from('{"prompt":"p","Prompt":"P","other":1}\n')) }),
  );

  expect(manifest.warnings).toEqual([
    { code: 'columns_alike', message: expect.stringMatching(/"prompt" and "Prompt"\. Parquet downloads/) },
  ]);
});

it('ingest counts the cells of all rows of Alpaca whose history cannot be read', async () => {
  const readable = [[], '', null, [['q0', 'a0']], ['q0', 'a0'], '[{"from": "human", "value": "q0"}]'];
  const cells = [
    ...Array.from({ length: 200 }, (_, n) => readable[n % readable.length]),
    'Of Rome.',
    ['q0'],
    7,
  ];
  const lines = cells.map((history) => JSON.stringify({ instruction: 'q', output: 'a', history }));

  const { manifest } = await ingest('jsonl', stream(Buffer.from(lines.join('\n'))));

  expect(manifest.warnings).toEqual([
    {
      code: 'history_unread',
      message: expect.stringMatching(/^3 cells of the column "history" hold no turns/),
    },
  ]);
});
