import { readdirSync, readFileSync } from 'node:fs';
import { endedRun } from '#shared/domain/ledger/ending.ts';
import { ModelError, type ModelFailureKind } from '#shared/domain/model/port.ts';
import { RunPipeline, type RunRecord } from '#shared/domain/runs/record.ts';
import { newLimit } from '#shared/operations/judging.ts';
import { measureExport } from '#shared/runtime/measure-export.ts';
import { measureLedger } from '#shared/runtime/measure-ledger.ts';
import { measureEmbeddings, measureModel } from '#shared/runtime/measure-models.ts';
import { measureWorker } from '#shared/runtime/measure-worker.ts';
import { writeMetrics } from '#shared/runtime/metrics.ts';
import { MODEL_ROLES } from '#shared/schema/model-role.ts';
import { handler as sweep } from '../../functions/consumers/sweep-runs.ts';
import { context } from './call.ts';
import { createMemoryStore } from './memory-store.ts';
import { makeCaller, makeDataset, makeRun } from './records.ts';
import { endingOf, launchOf } from './store-contract.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { collectMetrics, type WrittenMetric } from './written-metrics.ts';

/** Workers whose calls to models are measured where they are bound. */
const measuredWorkers = (): string[] => {
  const folder = new URL('../../shared/runtime/deps/', import.meta.url);
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  return sources.flatMap((text) =>
    [...text.matchAll(/measureWorker\(\s*'([\w-]+)'/g)].map(([, name = '']) => name),
  );
};

const FORMATS = ['csv', 'json', 'jsonl', 'parquet'];
const KINDS: readonly ModelFailureKind[] = ['throttled', 'unavailable', 'timeout', 'garbage'];

const failing = () => Promise.reject(new Error('failed'));

/** A ledger that takes every launch, whatever dataset it is of. */
async function endRuns(): Promise<void> {
  const runs = new Map<string, RunRecord>();
  const ledger = measureLedger({
    ...createMemoryStore().ledger,
    launch: async ({ run }) => {
      runs.set(run.run_id, run);
      return { replayed: null };
    },
    end: async (ending) => endedRun(runs.get(ending.run_id) as RunRecord, ending),
  });
  const dataset = makeDataset(makeCaller());
  for (const pipeline of RunPipeline.options) {
    const begin = async (): Promise<RunRecord> => {
      const run = makeRun(dataset, { pipeline });
      await ledger.launch(launchOf(run));
      return run;
    };
    await ledger.end(endingOf(await begin()));
    for (const code of ['file_unreadable', 'run_interrupted']) {
      const errorData = { code, message: 'It failed.', level: 'error' } as const;
      await ledger.end(endingOf(await begin(), { status: 'failed', billedCredits: 0, errorData }));
    }
  }
}

async function callModels(): Promise<void> {
  for (const role of MODEL_ROLES) {
    const answers = ['answer', ...KINDS] as const;
    for (const answer of answers) {
      const generate = async () => {
        if (answer !== 'answer') throw new ModelError(answer, 'It failed.');
        return { text: 'x', finishReason: 'stop' as const, usage: { input_tokens: 5, output_tokens: 2 } };
      };
      const embed = async () => {
        await generate();
        return [];
      };
      const request = { messages: [], maxOutputTokens: 1, temperature: 0 };
      const called =
        role === 'embed'
          ? measureEmbeddings({ modelId: 'm', embed }).embed(['x'])
          : measureModel({ modelId: 'm', generate }, role).generate(request);
      await called.catch(() => {});
    }
  }
}

async function work(): Promise<void> {
  for (const worker of measuredWorkers()) {
    await measureWorker(worker, async ({ rowDone, circuitOpened }) => {
      rowDone();
      const limit = newLimit(createVirtualClock(), () => 0.5, 1, circuitOpened);
      for (let cut = 0; cut < 5; cut += 1) {
        limit.release(await limit.acquire(), { kind: 'failed', retryAfterSeconds: 0 });
      }
    });
  }
  for (const format of FORMATS) {
    await measureExport(format, async () => {});
    await measureExport(format, failing).catch(() => {});
  }
}

/** Makes every part of the service that measures something do so, and answers all that it wrote. */
export async function emitMetrics(): Promise<WrittenMetric[]> {
  const written = collectMetrics();
  await endRuns();
  await callModels();
  await work();
  writeMetrics();
  await sweep.with({
    sweepRuns: async () => ({ examined: 3, settled: 1, failures: [], next: null }),
    sweepMeters: async () => ({ lost: 0, returned: 0, failures: [] }),
    inspectRuns: async () => ({ active: 2, stuck: ['a'], holdsWithoutRun: [] }),
  })({}, context());
  return written();
}
