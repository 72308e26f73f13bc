import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import { quoteText, withDuckdb } from '#shared/tabular/adapters/duckdb.ts';
import { ingestFile } from '#shared/tabular/adapters/ingest-file.ts';
import { type BenchResult, resultOf } from './result.ts';

const ROW_BYTES = 760;
const MEBIBYTE = 1024 * 1024;

/** Minimum throughput of CSV ingest. */
const INGEST_MEGABYTES_PER_SECOND_MIN = 60;
/** Maximum memory of a process that ingests a file of 1 GB. */
const MEMORY_MEBIBYTES_MAX = 1024;

/**
 * CSV to canonical chunks in MB/s (10^6 bytes) on a generated file with quoted line breaks in 1 of 17 rows; chunks are
 * discarded. Compared, on the same file, with DuckDB's CSV to Parquet and papaparse's parser.
 */
export async function benchIngest({
  fileBytes = 150_000_000,
  runs = 5,
}: {
  readonly fileBytes?: number;
  readonly runs?: number;
} = {}): Promise<BenchResult> {
  return withTemporaryFolder(async (directory) => {
    const path = join(directory, 'bench.csv');
    await generateCsv(path, fileBytes);
    const { size } = await stat(path);
    const contestants = {
      ingest: () => ingestCsv(path),
      duckdb: () => convertWithDuckdb(directory, path),
      papaparse: () => parseWithPapaparse(path),
    };
    const speeds = { ingest: [] as number[], duckdb: [] as number[], papaparse: [] as number[] };
    // In turns, so that a busy machine slows all of them equally.
    for (let run = 0; run < runs; run += 1) {
      for (const name of ['ingest', 'duckdb', 'papaparse'] as const) {
        const started = performance.now();
        await contestants[name]();
        speeds[name].push(size / 1000 / (performance.now() - started));
      }
    }
    return resultOf({
      name: 'CSV to canonical chunks',
      unit: 'MB/s',
      bound: { name: 'required', value: INGEST_MEGABYTES_PER_SECOND_MIN },
      runs: speeds.ingest,
      peers: [
        { name: '@duckdb/node-api, CSV to Parquet', runs: speeds.duckdb },
        { name: 'papaparse, parse only', runs: speeds.papaparse },
      ],
    });
  });
}

/** Peak resident memory in MiB of a process that ingests a generated CSV (1 GB by default) and discards the chunks. */
export async function benchIngestMemory({
  fileBytes = 1_000_000_000,
}: {
  readonly fileBytes?: number;
} = {}): Promise<BenchResult> {
  return withTemporaryFolder(async (directory) => {
    const path = join(directory, 'bench.csv');
    await generateCsv(path, fileBytes);
    return resultOf({
      name: `Peak memory of ingesting ${Math.round(fileBytes / 1_000_000)} MB of CSV`,
      unit: 'MiB',
      bound: { name: 'allowed', value: MEMORY_MEBIBYTES_MAX },
      runs: [await peakMemoryMebibytes(path)],
    });
  });
}

/** Ingests a CSV file and discards its chunks; returns the row count. */
async function ingestCsv(path: string): Promise<number> {
  const manifest = await ingestFile({
    format: 'csv',
    name: 'rows.csv',
    source: path,
    maxBytes: Number.POSITIVE_INFINITY,
    chunkKey: String,
    writeChunk: async () => {},
  });
  return manifest.row_count;
}

/** `parallel = false`, because DuckDB needs it to parse quoted line breaks correctly. */
async function convertWithDuckdb(directory: string, path: string): Promise<void> {
  await withDuckdb(directory, [], async (connection) => {
    await connection.run(
      `COPY (FROM read_csv(${quoteText(path)}, header = true, all_varchar = true, parallel = false, quote = '"', escape = '"'))
       TO ${quoteText(join(directory, 'bench.parquet'))} (FORMAT parquet, COMPRESSION zstd)`,
    );
  });
}

async function parseWithPapaparse(path: string): Promise<number> {
  const { data } = Papa.parse<string[]>(await readFile(path, 'utf8'), { delimiter: ',', newline: '\n' });
  return data.length;
}

async function generateCsv(path: string, bytes: number): Promise<void> {
  await pipeline(Readable.from(csvRows(Math.ceil(bytes / ROW_BYTES))), createWriteStream(path));
}

/**
 * An id, a prompt, a completion and a score, with commas, wide characters, a quoted word in 1 of 9 rows and a line
 * break in 1 of 17; cells are quoted if necessary. Deterministic.
 */
function* csvRows(rows: number): Generator<string> {
  const words = 'the model answers each question, with naïve précis 数据 while rows keep growing'.split(' ');
  let state = 1;
  const draw = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const sentence = (length: number) => {
    let text = '';
    while (text.length < length) text += `${words[draw(words.length)]} `;
    return text;
  };
  const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  let block = 'id,prompt,completion,score\n';
  for (let row = 0; row < rows; row += 1) {
    const prompt = row % 9 === 0 ? `${sentence(230)}"quoted"` : sentence(240);
    const completion = sentence(430);
    const broken = row % 17 === 0 ? `${completion.slice(0, 200)}\n${completion.slice(200)}` : completion;
    block += `${row},${quote(prompt)},${quote(broken)},0.${draw(1000)}\n`;
    if (block.length > MEBIBYTE) {
      yield block;
      block = '';
    }
  }
  yield block;
}

async function peakMemoryMebibytes(path: string): Promise<number> {
  const child: ChildProcess = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(import.meta.url), path],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the ingest process ended with ${code}`);
  return Number(output);
}

// As a program: ingests the file and prints its peak memory, in MiB.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const path = process.argv[2];
  if (path === undefined) throw new Error('say which file to ingest');
  await ingestCsv(path);
  process.stdout.write(String(process.resourceUsage().maxRSS / 1024));
}
