import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { combineRows } from '#shared/growth/combine-rows.ts';
import { combinedDataset } from '#shared/growth/decide/combine/combined-dataset.ts';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { quoteText, withDuckdb } from '#shared/tabular/adapters/duckdb.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { CHUNK_ROWS_MAX } from '#shared/tabular/decide/limits.ts';
import type { RowsColumn, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { type BenchResult, resultOf } from './result.ts';

const SECONDS_MAX = 30;
const TEAM = { team_id: 'bench', organization_id: 'bench', user_id: randomUUID() };
const WORDS = 'the model answers each question with care while rows keep growing and nobody waits'.split(' ');

/** A row of about 330 bytes; every second dataset has its ids as text. */
function rowLine(row: number, isText: boolean): string {
  const words = Array.from({ length: 40 }, (_, n) => WORDS[(row * 7 + n * 3) % WORDS.length]).join(' ');
  const id = isText ? String(row) : row;
  return JSON.stringify({ id, question: `how do i do thing ${row}?`, answer: words, note: `“${row}”` });
}

interface Source {
  readonly dataset: DatasetRecord;
  readonly manifest: RowsManifest;
  readonly body: Buffer;
}

/** A dataset of identical chunks, so that memory holds only one. */
function makeSource(rows: number, isText: boolean): Source {
  const datasetId = randomUUID();
  const lines = Array.from({ length: CHUNK_ROWS_MAX }, (_, row) => `${rowLine(row, isText)}\n`);
  const body = Buffer.from(lines.join(''));
  const columns: RowsColumn[] = [
    { name: 'id', type: isText ? 'VARCHAR' : 'BIGINT' },
    ...['question', 'answer', 'note'].map((name) => ({ name, type: 'VARCHAR' })),
  ];
  const manifest: RowsManifest = {
    version: 1,
    row_count: rows,
    columns,
    source_format: 'jsonl',
    chunks: Array.from({ length: rows / CHUNK_ROWS_MAX }, (_, n) => ({
      key: objectKeys.rows(datasetId, n),
      first_row: n * CHUNK_ROWS_MAX,
      row_count: CHUNK_ROWS_MAX,
      bytes: body.length,
    })),
    warnings: [],
  };
  const dataset: DatasetRecord = {
    ...combinedDataset(TEAM, { name: 'source' }, [], datasetId, 0),
    configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
  };
  return { dataset, manifest, body };
}

/** Merges the sources with the service's code and discards the chunks; returns the seconds. */
async function combineOnce(sources: readonly Source[]): Promise<number> {
  const context = { run_id: randomUUID(), dataset_id: randomUUID(), team_id: TEAM.team_id };
  const request = {
    sources: sources.map(({ dataset }) => ({ dataset_id: dataset.dataset_id, run_id: null })),
  };
  const stored = new Map<string, Buffer>([
    [objectKeys.runRequest(context.run_id), Buffer.from(JSON.stringify(request))],
  ]);
  for (const { dataset, manifest, body } of sources) {
    stored.set(objectKeys.manifest(dataset.dataset_id), Buffer.from(JSON.stringify(manifest)));
    for (const { key } of manifest.chunks) stored.set(key, body);
  }
  let rows = 0;
  const began = performance.now();
  await combineRows(
    {
      datasets: {
        find: async (id) => sources.find(({ dataset }) => dataset.dataset_id === id)?.dataset ?? null,
        recordFindings: async (_dataset, _run, changes) => {
          rows = changes.row_count ?? 0;
          return true;
        },
      },
      runs: { find: async () => null },
      objects: {
        read: async (key) => stored.get(key) ?? null,
        write: async () => {},
        copy: async () => {},
        async *list() {},
      },
      writeRows,
      clock: Date.now,
    },
    context,
    { deadlineMs: Date.now() + 900_000, now: Date.now() },
  );
  const seconds = (performance.now() - began) / 1000;
  const expected = sources.reduce((sum, { manifest }) => sum + manifest.row_count, 0);
  if (rows !== expected) throw new Error(`Of ${expected} rows, ${rows} were merged.`);
  return seconds;
}

/** The same work in DuckDB: JSON lines of several files, united by name, to JSON lines. */
async function combineWithDuckdb(directory: string, sources: readonly Source[]): Promise<number> {
  const folder = join(directory, 'sources');
  await mkdir(folder, { recursive: true });
  for (const [n, { manifest, body }] of sources.entries()) {
    const text = Buffer.concat(manifest.chunks.map(() => body));
    await writeFile(join(folder, `${n}.jsonl`), text);
  }
  const began = performance.now();
  await withDuckdb(directory, [], async (connection) => {
    await connection.run(
      `COPY (FROM read_json(${quoteText(join(folder, '*.jsonl'))}, format = 'newline_delimited', union_by_name = true,
         columns = {id: 'VARCHAR', question: 'VARCHAR', answer: 'VARCHAR', note: 'VARCHAR'}))
       TO ${quoteText(join(directory, 'combined.jsonl'))} (FORMAT json)`,
    );
  });
  return (performance.now() - began) / 1000;
}

/** Seconds to merge ten datasets of 100,000 rows; half of them have a column of another type. */
export async function benchCombine({ datasets = 10, rows = 100_000, runs = 3 } = {}): Promise<BenchResult> {
  const sources = Array.from({ length: datasets }, (_, n) => makeSource(rows, n % 2 === 1));
  return withTemporaryFolder(async (directory) => {
    const own: number[] = [];
    const duckdb: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      own.push(await combineOnce(sources));
      duckdb.push(await combineWithDuckdb(directory, sources));
    }
    return resultOf({
      name: `${datasets} datasets of ${rows} rows combined`,
      unit: 's',
      bound: { name: 'allowed', value: SECONDS_MAX },
      runs: own,
      peers: [{ name: '@duckdb/node-api, JSON lines by name', runs: duckdb }],
    });
  });
}
