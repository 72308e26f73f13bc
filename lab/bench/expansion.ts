import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import { typescriptLoader } from '#local/paths.ts';
import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { type AssembleGrowthPorts, assembleGrowth } from '#shared/growth/assemble-growth.ts';
import type { ExpandRunRequest } from '#shared/growth/decide/expand-request.ts';
import { type MakeRowsPorts, makeRows } from '#shared/growth/make-rows.ts';
import { type TakeSourcePorts, takeSource } from '#shared/growth/take-source.ts';
import { systemClock } from '#shared/models/adapters/system-clock.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { withTemporaryFolder } from '#shared/platform/adapters/temporary-folder.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { NO_BUDGET } from '#shared/runs/decide/budget.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { GrowPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { CHUNK_ROWS_MAX } from '#shared/tabular/decide/limits.ts';
import type { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import type { BenchResult } from './result.ts';

/** Memory of the functions: `memoryMb` of `make-rows`. */
const MEMORY_MB = 1024;
const TEAM = { team_id: 'bench', organization_id: 'bench', user_id: randomUUID() };

const SENTENCES: Readonly<Record<string, string>> = {
  Spanish: 'Este es el texto completo en español, escrito con mucho cuidado para los lectores',
  French: 'Voici le texte complet en français, écrit avec beaucoup de soin pour les lecteurs',
  German: 'Das ist der vollständige Text auf Deutsch, mit viel Sorgfalt für die Leser geschrieben',
  Italian: 'Questo è il testo completo in italiano, scritto con molta cura per i lettori',
  Portuguese: 'Este é o texto completo em português, escrito com muito cuidado para os leitores',
};
const CODES = ['es', 'fr', 'de', 'it', 'pt'];

/** Responds at once, in the requested language. */
const translator: ModelClient = {
  modelId: 'bench',
  generate: async ({ messages }) => {
    const shown = messages.at(-1)?.content ?? '';
    const language = / into (\w+)\.$/.exec(shown)?.[1] ?? '';
    const row = /row (\d+)/.exec(shown)?.[0] ?? '';
    return {
      text: `${SENTENCES[language]} ${row}.`,
      finishReason: 'stop',
      usage: { input_tokens: 400, output_tokens: 30 },
    };
  },
};

const refuse = (): never => {
  throw new Error('The benchmark serves no such request of objects.');
};

/** Requests that no function of an expansion makes. */
const needless: Omit<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'> = {
  head: refuse,
  readAtMost: refuse,
  readRange: refuse,
  stream: refuse,
  writeFile: refuse,
  beginParts: refuse,
  writePart: refuse,
  finishParts: refuse,
  abandonParts: refuse,
  copy: refuse,
  remove: refuse,
  listSizes: refuse,
  presignPut: refuse,
  presignGet: refuse,
};

/** Objects as files, so that memory is that of the functions; `readBytes` counts the bytes read since it was set. */
function objectsIn(directory: string) {
  const pathOf = (key: string): string => join(directory, key);
  const counters = { readBytes: 0 };
  const objects: ObjectStore = {
    ...needless,
    read: async (key) => {
      const body = await readFile(pathOf(key)).catch(() => null);
      counters.readBytes += body?.length ?? 0;
      return body;
    },
    write: async (key, body) => {
      await mkdir(dirname(pathOf(key)), { recursive: true });
      await writeFile(pathOf(key), body);
    },
    writeNew: async (key, body, contentType) => {
      await objects.write(key, body, contentType);
      return true;
    },
    async *list(prefix) {
      for (const name of await readdir(pathOf(prefix)).catch(() => [])) yield `${prefix}${name}`;
    },
  };
  return { objects, counters };
}

const PROCESS = fileURLToPath(new URL('expansion-process.ts', import.meta.url));
/**
 * Nine tenths of the memory, the most that a heap can take beside the code and the stacks. Without a limit, V8 lets garbage
 * lie in a heap of up to 4 GB, and the figure is that of the machine's memory.
 */
const HEAP_MB = Math.floor(0.9 * MEMORY_MB);

interface Expansion {
  /** The most memory of each function's work, in MiB. */
  readonly peaks: readonly number[];
  readonly madeRows: number;
  readonly batchRowsMax: number;
  readonly chunkBytesMax: number;
}

/**
 * Most memory of an expansion of 100,000 rows into five languages, over all its functions: one after the other, as in a
 * process that Lambda uses again, with the heap that a function of their memory has.
 */
export async function benchExpansion({
  rows = 100_000,
} = {}): Promise<BenchResult & Omit<Expansion, 'peaks'>> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${HEAP_MB}`,
    '--import',
    typescriptLoader,
    PROCESS,
    String(rows),
  ]);
  const { peaks, ...made } = JSON.parse(stdout) as Expansion;
  const value = Math.max(...peaks);
  return {
    name: `${rows} rows expanded into ${CODES.length} languages: most memory of any function`,
    value,
    unit: 'MiB',
    bound: { name: 'allowed', value: MEMORY_MB },
    ratio: value / MEMORY_MB,
    runs: [peaks[0] ?? 0, Math.max(...peaks.slice(1, -1)), peaks.at(-1) ?? 0],
    peers: [],
    ...made,
  };
}

/**
 * Expands as many rows in this process, and measures it.
 * @throws {Error} if the heap may become larger than the memory of a function
 */
export async function measureExpansion(rows: number): Promise<Expansion> {
  const heapMb = Math.round(getHeapStatistics().heap_size_limit / 1_048_576);
  if (heapMb > MEMORY_MB)
    throw new Error(`The heap may take ${heapMb} MiB, and a function has ${MEMORY_MB}.`);
  return withTemporaryFolder(async (directory) => {
    const { objects, counters } = objectsIn(directory);
    const context = { run_id: randomUUID(), dataset_id: randomUUID(), team_id: TEAM.team_id };
    const source = await seed(objects, rows);
    const request: ExpandRunRequest = {
      kind: 'languages',
      source: { dataset_id: source.dataset_id, run_id: null },
      mapping: { prompt: 'question', completion: 'answer', context: [] },
      budget: NO_BUDGET,
      expansion: {
        type: 'translate',
        targets: CODES.map((language) => ({ language, country: null })),
        sample_rate: 1,
      },
      rows: rows * CODES.length,
      texts: ['question', 'answer'],
    };
    await objects.write(objectKeys.runRequest(context.run_id), JSON.stringify(request), 'application/json');
    const { stores, made } = storesOf(objects, source, context);
    const { peaks, measure } = createPeakMeter();

    const planned = await measure(() => takeSource({ ...stores, modelConcurrency: 32, models: {} }, context));
    let batchRowsMax = 0;
    let chunkBytesMax = 0;
    for (const line of ((await objects.read(planned.plan_key)) ?? '').toString().trim().split('\n')) {
      const chunk = GrowPlan.parse(JSON.parse(line));
      counters.readBytes = 0;
      await measure(() =>
        makeRows(
          {
            ...stores,
            models: { rewrite: translator, translate: null },
            callsPerWorker: 32,
            contextTokensMax: 4096,
            outageSecondsMax: 60,
            clock: systemClock,
            random: Math.random,
          },
          chunk,
          { deadlineMs: Date.now() + 900_000, attempt: 'bench' },
        ),
      );
      batchRowsMax = Math.max(batchRowsMax, chunk.row_count);
      chunkBytesMax = Math.max(chunkBytesMax, counters.readBytes);
    }
    await measure(() => assembleGrowth(stores, context, Date.now()));
    return { peaks, madeRows: made.rows, batchRowsMax, chunkBytesMax };
  });
}

/** What all functions of an expansion find, apart from their models. */
type Stores = Omit<TakeSourcePorts, 'modelConcurrency' | 'models'> &
  AssembleGrowthPorts &
  Pick<MakeRowsPorts, 'objects' | 'runs' | 'unbilled'>;

/** What the functions of a run of a dataset find beside its objects, and the rows that they say they made. */
function storesOf(
  objects: ObjectStore,
  source: DatasetRecord,
  { run_id, dataset_id }: RunContext,
): { readonly stores: Stores; readonly made: { readonly rows: number } } {
  const made = { rows: 0 };
  const run: RunRecord = {
    ...TEAM,
    run_id,
    dataset_id,
    pipeline: 'expand',
    status: 'running',
    reserved_credits: 0,
    settled_credits: null,
    request_key: null,
    total_rows: null,
    counts: null,
    models: {},
    prompt_versions: {},
    error_data: null,
    started_at: new Date().toISOString(),
    ended_at: null,
  };
  const stores: Stores = {
    objects,
    writeRows,
    unbilled: { add: async () => 0, used: async () => 0 },
    datasets: {
      find: async () => source,
      recordFindings: async (_dataset, _run, changes) => {
        made.rows = changes.row_count ?? 0;
        return true;
      },
    },
    runs: {
      find: async () => run,
      recordPlan: async () => true,
      recordBatchProgress: async () => {},
      readEffort: async () => ({ tokens: 0, failedRows: 0, startedAtMs: null, reportedAtMs: null }),
      requestStop: async () => true,
      recordLeftOut: async () => {},
    },
  };
  return { stores, made };
}

/** Notes the most memory of the process, in MiB, during each piece of work. */
function createPeakMeter() {
  const peaks: number[] = [];
  const measure = async <T>(work: () => Promise<T>): Promise<T> => {
    let peak = 0;
    const look = (): void => {
      const { heapUsed, external } = process.memoryUsage();
      peak = Math.max(peak, (heapUsed + external) / 1_048_576);
    };
    const timer = setInterval(look, 20);
    try {
      return await work();
    } finally {
      look();
      clearInterval(timer);
      peaks.push(peak);
    }
  };
  return { peaks, measure };
}

async function seed(objects: Pick<ObjectStore, 'write'>, rows: number): Promise<DatasetRecord> {
  const datasetId = randomUUID();
  const columns = ['question', 'answer'].map((name) => ({ name, type: 'VARCHAR' }));
  const chunks: RowsManifest['chunks'] = [];
  for (let first = 0; first < rows; first += CHUNK_ROWS_MAX) {
    const count = Math.min(CHUNK_ROWS_MAX, rows - first);
    const lines = Array.from({ length: count }, (_, n) =>
      JSON.stringify({
        question: `How do I do the thing of row ${first + n} in the best way there is?`,
        answer: `It is done like the thing of row ${first + n}: carefully, and step by step.`,
      }),
    );
    const body = `${lines.join('\n')}\n`;
    const key = objectKeys.rows(datasetId, chunks.length);
    await objects.write(key, body, 'application/jsonl');
    chunks.push({ key, first_row: first, row_count: count, bytes: Buffer.byteLength(body) });
  }
  const manifest: RowsManifest = {
    version: 1,
    row_count: rows,
    columns,
    source_format: 'jsonl',
    chunks,
    warnings: [],
  };
  await objects.write(objectKeys.manifest(datasetId), JSON.stringify(manifest), 'application/json');
  return {
    ...madeDataset(
      TEAM,
      {
        kind: 'uploaded',
        sourceDatasetId: null,
        sources: [],
        name: 'source',
        description: '',
        format: 'jsonl',
      },
      datasetId,
      0,
    ),
    configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
  };
}
