import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Pool } from 'undici';
import { BUNDLING } from '#bin/build.ts';
import { localDirectory } from '#local/paths.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import { median } from './median.ts';
import { profileParts, scaleParts } from './parts.ts';
import { type BenchResult, resultOf } from './result.ts';
import { rowLine, rowsPerSecond, runWorkers, startInstantModel, type Target } from './row-worker.ts';

export interface RowsBenchOptions {
  readonly rows?: number;
  readonly rowsPerChunk?: number;
  readonly concurrency?: number;
  readonly repetitions?: number;
  readonly latencyMilliseconds?: number;
}

/**
 * Rows a second of the real chunk workers in one process, bundled as they are deployed: one call a row over loopback HTTP
 * to a model in another process, reference-free accept-or-keep, checkpoints and results written to a local disk. Its parts
 * are those of one more run, not bundled, under a profiler.
 */
export async function benchRows(options: RowsBenchOptions = {}): Promise<BenchResult> {
  const { rows = 20_000, concurrency = 128, repetitions = 5 } = options;
  const { rowsPerChunk = evenChunkRows(rows, concurrency) } = options;
  const { latencyMilliseconds = 0 } = options;
  const lines = Array.from({ length: rows }, (_, n) => rowLine(n));
  const model = await startInstantModel('--latency', latencyMilliseconds);
  const directory = await mkdtemp(join(tmpdir(), 'tunesmith-bench-'));
  try {
    const bundled = await bundleWorkers();
    const work = async (some: readonly string[], run = bundled): Promise<void> => {
      const changed = await run(some, { url: model.url, directory, rowsPerChunk, concurrency });
      if (changed !== some.length) throw new Error(`Of ${some.length} rows, ${changed} were changed.`);
    };
    await work(lines.slice(0, 2000));
    await runBarePool(lines.slice(0, 2000), { url: model.url, directory, concurrency });
    const worker: number[] = [];
    const bare: number[] = [];
    const processor: number[] = [];
    for (let n = 0; n < repetitions; n += 1) {
      bare.push(
        await rowsPerSecond(rows, () => runBarePool(lines, { url: model.url, directory, concurrency })),
      );
      const before = process.cpuUsage();
      worker.push(await rowsPerSecond(rows, () => work(lines)));
      const { user, system } = process.cpuUsage(before);
      processor.push((user + system) / rows);
    }
    const processorMicroseconds = median(processor);
    const parts = scaleParts(await profileParts(() => work(lines, runWorkers)), processorMicroseconds);
    const result = resultOf({
      name:
        latencyMilliseconds === 0
          ? `row worker, a model that answers at once, ${concurrency} calls at once`
          : `row worker, a model of ${latencyMilliseconds} ms, ${concurrency} calls at once`,
      unit: 'rows/s',
      bound: { name: 'bare Node pool: parse, call, write', value: median(bare) },
      runs: worker,
    });
    return { ...result, processorMicroseconds, parts };
  } finally {
    await model.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** `runWorkers` as it is deployed: in one file, and as the build makes it. */
async function bundleWorkers(): Promise<typeof runWorkers> {
  const outfile = join(localDirectory, 'bench', 'row-worker.mjs');
  const entry = fileURLToPath(new URL('row-worker.ts', import.meta.url));
  await build({ ...BUNDLING, entryPoints: [entry], outfile });
  return ((await import(pathToFileURL(outfile).href)) as { runWorkers: typeof runWorkers }).runWorkers;
}

const CHUNK_ROWS_MAX = 1000;

/** Rows of a chunk so that each worker gets as many chunks, as the planner gives each worker as many rows. */
function evenChunkRows(rows: number, concurrency: number): number {
  const { workers } = workforceOf(concurrency);
  return Math.ceil(rows / (workers * Math.ceil(rows / (workers * CHUNK_ROWS_MAX))));
}

/** The minimum work of any worker: parse the row, call, read the text, write a line. */
async function runBarePool(lines: readonly string[], { url, directory, concurrency }: Target): Promise<void> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  const output = createWriteStream(join(directory, 'bare.jsonl'));
  let next = 0;
  const workOff = async (): Promise<void> => {
    for (;;) {
      const row = next;
      next += 1;
      const line = lines[row];
      if (line === undefined) {
        return;
      }
      const { prompt, completion } = JSON.parse(line) as { prompt: string; completion: string };
      const response = await pool.request({
        method: 'POST',
        path: `${pathname}/chat/completions`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'instant',
          messages: [{ role: 'user', content: `${prompt}\n\n${completion}` }],
          max_tokens: 400,
        }),
      });
      const answer = (await response.body.json()) as { choices: { message: { content: string } }[] };
      output.write(`${JSON.stringify({ row, text: answer.choices[0]?.message.content })}\n`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workOff));
  await new Promise<void>((resolve) => output.end(resolve));
  await pool.close();
}
