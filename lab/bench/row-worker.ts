import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { adaptRow, rowsToAdapt } from '#shared/adaptation/adapt-row.ts';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import { specificationOf } from '#shared/adaptation/decide/resolve-specification.ts';
import type { RowProgram } from '#shared/adaptation/decide/row-program.ts';
import { openChunkReuse } from '#shared/adaptation/record-calls.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { createArbiter } from '#shared/judging/decide/arbiter.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { connectOpenAi } from '#shared/models/adapters/openai-compatible.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import { runSample } from '#shared/runs/run-worker.ts';

/** About 230 characters of prompt, as in the comparison with other tools. */
export function rowLine(n: number): string {
  return JSON.stringify({
    prompt: `How often should I water plant number ${n}? It stands on a balcony that faces south, in a clay pot without a saucer, and its leaves have been turning yellow for two weeks although it gets water whenever I happen to think of it, which is not often.`,
    // Carelessly written, so that the worker asks the model; it takes what `instant-model.ts` answers.
    completion: 'just water it sometimes, dont drown it',
    id: n,
  });
}

/** Arguments are those of `instant-model.ts`. */
export async function startInstantModel(...args: readonly (string | number)[]) {
  const script = join(dirname(fileURLToPath(import.meta.url)), 'instant-model.ts');
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), script, ...args.map(String)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    async answeredBySecond(): Promise<number[]> {
      return (await (await fetch(new URL('/answered', url))).json()) as number[];
    },
    async stop() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}

export interface Target {
  readonly url: string;
  readonly directory: string;
  readonly concurrency: number;
}

const BATCH = { run_id: 'run', dataset_id: 'dataset', team_id: 'team', selected: null };
const NO_RUNS = { find: async () => null };

const MAPPING = { prompt: 'prompt', completion: 'completion' };

/** Only prompt and completion: one call a row. */
export const SPECIFICATION = specificationOf(
  { recipe_specification: { recipes: { prompt_rephrase: false } } },
  MAPPING,
  { columns: null, image_column_formats: null, language_expansion: null },
  'adapt',
);

/**
 * Runs rows through the real chunk workers, with the planner's number of workers and calls for the concurrency; returns
 * the changed rows.
 */
export async function runWorkers(
  lines: readonly string[],
  { url, directory, concurrency, rowsPerChunk }: Target & { readonly rowsPerChunk: number },
): Promise<number> {
  const endpoint = connectOpenAi({ baseUrl: url, connectionsMax: concurrency, timeoutSeconds: 60 });
  const client = endpoint.model('instant');
  const detectLanguage = await loadLanguageDetector();
  const store = createDiskObjects(await mkdtemp(join(directory, 'worker-')));
  const adapting = createRowProgram({
    specification: SPECIFICATION,
    rewriteModel: client,
    answerModel: client,
    arbiter: createArbiter({ judge: null, calibration: null, detectLanguage }),
    detectLanguage,
    contextTokensMax: 8192,
    readImageFile: async () => null,
    fetchImage: async () => null,
  });
  const { workers, callsPerWorker } = workforceOf(concurrency);
  const ports = {
    objects: store,
    callsPerWorker,
    outageSecondsMax: 60,
    clock: systemClock,
    random: Math.random,
  };
  let next = 0;
  let changed = 0;
  const program: RowProgram = {
    ...adapting,
    // Counted here, since reading the results back is no work of a worker.
    async run(...row) {
      const verdict = await adapting.run(...row);
      if (verdict.outcome === 'changed') changed += 1;
      return verdict;
    },
  };
  async function work(): Promise<void> {
    for (;;) {
      const chunk = next;
      next += 1;
      const first = chunk * rowsPerChunk;
      if (first >= lines.length) return;
      const own = lines.slice(first, first + rowsPerChunk);
      const batch = {
        ...BATCH,
        n: chunk,
        chunk_key: '',
        first_line: 0,
        first_row: first,
        row_count: own.length,
      };
      const body = Buffer.from(own.join('\n'));
      const request = { specification: SPECIFICATION };
      const invocation = { deadlineMs: systemClock.now() + 900_000, attempt: 'bench' };
      const end = await runSample(ports, batch, invocation, async () => {
        const reuse = await openChunkReuse({ objects: store, runs: NO_RUNS }, batch, body, request);
        return {
          ...rowsToAdapt(own, reuse, (line, row, asking) =>
            adaptRow({ program, reuse }, row, readCells(line, program.columns), asking),
          ),
          resultKey: `results/${chunk}.jsonl`,
          checkpointPrefix: `checkpoints/${chunk}/`,
        };
      });
      if (end.status !== 'finished') throw new Error(`A chunk ended as ${JSON.stringify(end)}.`);
    }
  }
  await Promise.all(Array.from({ length: workers }, work));
  await endpoint.close();
  return changed;
}

function createDiskObjects(
  directory: string,
): Pick<ObjectStore, 'list' | 'listSizes' | 'read' | 'write' | 'writeNew'> {
  const made = new Set<string>();
  const write = async (key: string, body: Buffer | string): Promise<void> => {
    const path = join(directory, key);
    if (!made.has(dirname(path))) {
      await mkdir(dirname(path), { recursive: true });
      made.add(dirname(path));
    }
    await writeFile(path, body);
  };
  return {
    async *list(prefix) {
      const names = await readdir(join(directory, prefix)).catch(() => [] as string[]);
      yield* names.sort().map((name) => `${prefix}${basename(name)}`);
    },
    // Each run of the bench works in a directory of its own, where no calls are recorded.
    async *listSizes() {},
    read: (key) => readFile(join(directory, key)).catch(() => null),
    write,
    writeNew: async (key, body) => {
      await write(key, body);
      return true;
    },
  };
}

/** The speed of a pass over `rows` rows. */
export async function rowsPerSecond(rows: number, pass: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await pass();
  return Math.round((rows / (performance.now() - startedAt)) * 1000);
}
