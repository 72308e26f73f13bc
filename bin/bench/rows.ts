import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { connectOpenAi } from '#shared/adapters/model/openai-compatible.ts';
import { systemClock } from '#shared/adapters/model/system-clock.ts';
import { adaptRows } from '#shared/domain/adaptation/adapt-rows.ts';
import { createArbiter } from '#shared/domain/adaptation/arbiter.ts';
import type { AdaptationSpecification } from '#shared/domain/adaptation/specification.ts';
import { loadLanguageDetector } from '#shared/domain/evaluation/detect-language.ts';
import { createAdaptiveLimit } from '#shared/domain/model/adaptive-limit.ts';
import type { ObjectStore } from '#shared/domain/storage/object-store.ts';
import { runChunk } from '#shared/operations/run-chunk.ts';
import type { BenchResult } from './result.ts';

export interface RowsBenchOptions {
  readonly rows?: number;
  readonly rowsPerChunk?: number;
  readonly concurrency?: number;
  readonly repetitions?: number;
  readonly latencyMilliseconds?: number;
}

/**
 * Rows a second of the real chunk worker: one call a row over loopback HTTP to a model in another process,
 * reference-free accept-or-keep, checkpoints and results written to a local disk.
 */
export async function benchRows(options: RowsBenchOptions = {}): Promise<BenchResult> {
  const { rows = 20_000, rowsPerChunk = 1000, concurrency = 128, repetitions = 5 } = options;
  const { latencyMilliseconds = 0 } = options;
  const lines = Array.from({ length: rows }, (_, n) => rowLine(n));
  const model = await startInstantModel(latencyMilliseconds);
  const directory = await mkdtemp(join(tmpdir(), 'tunesmith-bench-'));
  try {
    await runWorker(lines.slice(0, 2000), { url: model.url, directory, rowsPerChunk, concurrency });
    await runBarePool(lines.slice(0, 2000), { url: model.url, directory, concurrency });
    const worker: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < repetitions; n += 1) {
      bare.push(
        await rowsPerSecond(rows, () => runBarePool(lines, { url: model.url, directory, concurrency })),
      );
      worker.push(
        await rowsPerSecond(rows, () =>
          runWorker(lines, { url: model.url, directory, rowsPerChunk, concurrency }),
        ),
      );
    }
    const value = median(worker);
    const bound = median(bare);
    return {
      name:
        latencyMilliseconds === 0
          ? `row worker, a model that answers at once, ${concurrency} calls at once`
          : `row worker, a model of ${latencyMilliseconds} ms, ${concurrency} calls at once`,
      value,
      unit: 'rows/s',
      bound: { name: 'bare Node pool: parse, call, write', value: bound },
      ratio: value / bound,
      runs: worker,
      peers: [],
    };
  } finally {
    await model.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** About 230 characters of prompt, as in the comparison with other tools. */
function rowLine(n: number): string {
  return JSON.stringify({
    prompt: `How often should I water plant number ${n}? It stands on a balcony that faces south, in a clay pot without a saucer, and its leaves have been turning yellow for two weeks although it gets water whenever I happen to think of it, which is not often.`,
    completion: 'Water it sometimes.',
    id: n,
  });
}

async function startInstantModel(latencyMilliseconds: number) {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'instant-model.ts');
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), script, '--latency', String(latencyMilliseconds)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

interface Target {
  readonly url: string;
  readonly directory: string;
  readonly concurrency: number;
}

/** Prompt and completion, and nothing beside: one call a row. */
const SPECIFICATION: AdaptationSpecification = {
  mode: 'prompt_and_completion',
  mapping: { prompt: 'prompt', completion: 'completion', context: [] },
  image_format: null,
  training_type: 'instruction_dataset',
  prompt_rephrase: false,
  deduplication: false,
  reasoning_traces: false,
  prompt_metadata_injection: false,
  length: null,
  blueprint: null,
  safety: null,
  grounding: false,
  max_rows: null,
};

async function runWorker(
  lines: readonly string[],
  { url, directory, concurrency, rowsPerChunk }: Target & { readonly rowsPerChunk: number },
): Promise<void> {
  const endpoint = connectOpenAi({ baseUrl: url, connectionsMax: concurrency, timeoutSeconds: 60 });
  const client = endpoint.model('instant');
  const detectLanguage = await loadLanguageDetector();
  const store = createDiskObjects(await mkdtemp(join(directory, 'worker-')));
  const program = adaptRows({
    specification: SPECIFICATION,
    rewriteModel: client,
    answerModel: client,
    arbiter: createArbiter({ judge: null, embedder: null, detectLanguage }),
    detectLanguage,
    contextTokensMax: 8192,
  });
  for (let first = 0; first < lines.length; first += rowsPerChunk) {
    const chunk = first / rowsPerChunk;
    const end = await runChunk({
      lines: lines.slice(first, first + rowsPerChunk),
      firstRow: first,
      program,
      decided: () => null,
      objects: store,
      resultKey: `results/${chunk}.jsonl`,
      checkpointPrefix: `checkpoints/${chunk}/`,
      attempt: 'bench',
      limit: createAdaptiveLimit({ concurrencyMax: concurrency, clock: systemClock, random: Math.random }),
      asking: { random: Math.random, attemptsMax: 3, serverErrorsMax: 8, outageSecondsMax: 60 },
      clock: systemClock,
      deadlineMs: systemClock.now() + 900_000,
    });
    if (end.status !== 'finished' || end.counts.changed !== Math.min(rowsPerChunk, lines.length - first)) {
      throw new Error(`The bench expects every row to be changed, and got ${JSON.stringify(end)}.`);
    }
  }
  await endpoint.close();
}

function createDiskObjects(directory: string): Pick<ObjectStore, 'list' | 'read' | 'write'> {
  const made = new Set<string>();
  return {
    async *list(prefix) {
      const names = await readdir(join(directory, prefix)).catch(() => [] as string[]);
      yield* names.sort().map((name) => `${prefix}${basename(name)}`);
    },
    read: (key) => readFile(join(directory, key)).catch(() => null),
    async write(key, body) {
      const path = join(directory, key);
      if (!made.has(dirname(path))) {
        await mkdir(dirname(path), { recursive: true });
        made.add(dirname(path));
      }
      await writeFile(path, body);
    },
  };
}

/** What no worker can do without: parse the row, call, take the text, write a line. */
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

async function rowsPerSecond(rows: number, run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return Math.round((rows / (performance.now() - startedAt)) * 1000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
