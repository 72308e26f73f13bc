import { handler as forwardTelemetry } from '#functions/consumers/forward-telemetry.ts';
import { handler as probe } from '#functions/consumers/probe.ts';
import { handler as sweep } from '#functions/consumers/sweep-runs.ts';
import { handler as watchTrainers } from '#functions/consumers/watch-trainers.ts';
import type { UsageRecord } from '#shared/access/decide/meter.ts';
import { reportOverdue } from '#shared/deployments/wire.ts';
import { measureExport } from '#shared/exports/measure-export.ts';
import { newLimit } from '#shared/models/asking.ts';
import { ModelError, type ModelFailureKind } from '#shared/models/decide/port.ts';
import { createLeftOutParts, measureEmbeddings, measureModel } from '#shared/models/measure-models.ts';
import { CallerGone } from '#shared/platform/errors/caller-gone.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { writeMetrics } from '#shared/platform/runtime/metrics.ts';
import { MODEL_ROLES } from '#shared/platform/schema/model-role.ts';
import { OPTIONAL_PARTS } from '#shared/platform/schema/optional-part.ts';
import type { ProbeClient } from '#shared/probe/run-probe.ts';
import { measureAnswer, reportUnbilled, reportUnsettled } from '#shared/responses/measure-answers.ts';
import type { ModelResponse, ResponseEvent } from '#shared/responses/schema/response.ts';
import { endedRun } from '#shared/runs/decide/ledger/ending.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import { measureLedger } from '#shared/runs/measure-ledger.ts';
import { measureWorker } from '#shared/runs/measure-worker.ts';
import { wiringFiles } from '#test/helpers/source/layer-files.ts';
import { context } from './call.ts';
import { IMPORTING, makeDeployment } from './deploying.ts';
import { createMemoryStore } from './memory-store.ts';
import { makeCaller, makeDataset, makeRun } from './records.ts';
import { createResponding } from './responding.ts';
import { createScriptedAnswerer } from './scripted-answerer.ts';
import { endingOf, launchOf } from './store-contract.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { createWorld } from './world.ts';
import { collectMetrics, type WrittenMetric } from './written-metrics.ts';

/** Workers whose calls to models are measured where they are bound. */
const measuredWorkers = (): string[] =>
  [...wiringFiles().values()].flatMap((text) =>
    [...text.matchAll(/measureWorker\(\s*'([\w-]+)'/g)].map(([, name = '']) => name),
  );

const FORMATS = ['csv', 'json', 'jsonl', 'parquet'];
const KINDS: readonly ModelFailureKind[] = ['throttled', 'exhausted', 'unavailable', 'timeout', 'garbage'];

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

function leaveOut(): void {
  const { tell } = createLeftOutParts();
  for (const part of OPTIONAL_PARTS) tell('m', part);
}

async function work(): Promise<void> {
  for (const worker of measuredWorkers()) {
    await measureWorker(worker, { deadline: 0, requestId: 'a' }, async ({ watch }) => {
      watch.rowDone();
      const limit = newLimit(createVirtualClock(), () => 0.5, 1, watch.circuitOpened);
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

async function answerCallers(): Promise<void> {
  const { ask } = createResponding({ model: createScriptedAnswerer([]) });
  const response = await ask({ input: 'Hi' }, { isCommitted: () => true });
  async function* ending(end: Partial<ModelResponse> | Error): AsyncGenerator<ResponseEvent, void> {
    yield { type: 'response.created', response: { ...response, status: 'in_progress' }, sequence_number: 0 };
    if (end instanceof Error) throw end;
    const type = `response.${end.status}` as 'response.failed';
    yield { type, response: { ...response, error: null, ...end }, sequence_number: 1 };
  }
  const gone = AbortSignal.abort(new CallerGone());
  const here = new AbortController().signal;
  const failed = (code: string) => ({ status: 'failed', error: { code, message: 'It failed.' } }) as const;
  for (const [end, signal] of [
    [{ status: 'completed' }, here],
    [{ status: 'incomplete' }, here],
    [failed('server_error'), here],
    [new Error('Nobody expected this.'), here],
    [failed('rate_limit_exceeded'), here],
    [new ServiceError('model_not_found', 'There is none.'), here],
    [new ServiceError('index_not_ready', 'It is being built.'), here],
    [failed('server_error'), gone],
    [new CallerGone(), gone],
  ] as const) {
    const read = async () => {
      for await (const _ of measureAnswer(ending(end), signal));
    };
    await read().catch(() => {});
  }
  const left = measureAnswer(ending({ status: 'completed' }), here);
  await left.next();
  await left.return();
  reportUnbilled({ team_id: 't', response_id: 'r', model: 'm' } as UsageRecord);
  reportUnsettled(new Error('The table is throttled.'));
}

/** A probe of a service that answers as one that is well, and one that has no key. */
async function probeService(): Promise<void> {
  const answers: Readonly<Record<string, unknown>> = {
    '/datasets': { datasets: [], dataset_id: 'd', upload_instructions: { url: '' } },
    '/datasets/d/status': { status: 'succeeded' },
    '/datasets/d/report': { rows: { failed: 0 } },
  };
  const client: ProbeClient = {
    json: async <T>(method: string, path: string, body?: unknown) => {
      if (path === '/datasets/d' && method === 'GET') throw new Error('GET /datasets/d: 404 ');
      return (answers[path] ?? body ?? {}) as T;
    },
    text: async () => '1\n2\n3\n4\n',
    put: async () => {},
  };
  await probe.with({ probeClient: async () => client })({}, context());
  await probe.with({ probeClient: failing })({}, context());
}

/** Makes every part of the service that measures something do so, and answers all that it wrote. */
export async function emitMetrics(): Promise<WrittenMetric[]> {
  const written = collectMetrics();
  await endRuns();
  await callModels();
  leaveOut();
  await work();
  await answerCallers();
  writeMetrics();
  await sweep.with({
    sweepErasures: async () => 0,
    sweepRuns: async () => ({ examined: 3, handed_over: 1, failures: [], next: null }),
    sweepMeters: async () => ({ lost: 1, returned: 0, failures: [] }),
    sweepQueuedRuns: async () => [],
    sweepRemovedEvals: async () => [],
    teamsBehind: async () => ['t'],
    dueWebhooks: async () => [],
    inspectRuns: async () => ({
      active: 2,
      stuck: ['a'],
      holdsWithoutRun: [{ team_id: 't', run_id: 'r' }],
    }),
  })({}, context());
  await sweep
    .with({ sweepRuns: failing })({}, context())
    .catch(() => {});
  const refused = async () => ({ spans: 0, points: 0, lost: 2 });
  await forwardTelemetry.with({ forwardLogs: refused })({ awslogs: { data: '' } }, context());
  await probeService();
  const swept = { deploymentSettings: IMPORTING, tokens: {} } as never;
  reportOverdue(makeDeployment());
  await watchTrainers.with(swept, createWorld().installed({}))({}, context());
  return written();
}
