import { vi } from 'vitest';
import { type AdaptBatchPorts, adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import {
  type AdvanceBatchJobsPorts,
  advanceBatchJobs,
  type NextStep,
} from '#shared/adaptation/advance-batch-jobs.ts';
import { collectCalls } from '#shared/adaptation/collect-calls.ts';
import type { AdaptRequest, RunQuote } from '#shared/adaptation/schema/adaptation.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { connectBedrockBatches } from '#shared/models/adapters/bedrock-batches.ts';
import { connectOpenAiBatches } from '#shared/models/adapters/openai-batches.ts';
import type { BatchProvider } from '#shared/models/decide/batch-provider.ts';
import { CallDeferred } from '#shared/models/decide/call-memo.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { GenerateRequest, Generation, ModelClient } from '#shared/models/decide/port.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import { type BatchPlan, BatchWork, type RunContext } from '#shared/runs/schema/run-context.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { assembleRun, endAdaptation, launchAdaptation, planAdaptation } from '#test/helpers/operations.ts';
import { linesOf, readPlan } from './active-run.ts';
import { adaptingPorts } from './adapting-ports.ts';
import { createFastClock } from './fast-clock.ts';
import { NOW } from './records.ts';
import { type BatchScript, startScriptedBatches } from './scripted-batches.ts';
import { BEDROCK_BATCHES, leadToBedrock, startScriptedBedrockBatches } from './scripted-bedrock-batches.ts';
import { createVirtualClock, type VirtualClock } from './virtual-clock.ts';
import type { World } from './world.ts';

/** An installation whose provider has a batch interface. */
export const BATCH_SETTINGS = {
  MODEL_PROVIDER: 'openai',
  MODEL_ID_REWRITE: 'a-model',
  MODEL_ID_ANSWER: 'a-model',
  MODEL_ID_JUDGE: '',
  MODEL_ID_EMBED: '',
  MODEL_CONCURRENCY: '8',
  MODEL_BATCH_JOBS: 'true',
};

/** Providers with a batch interface. */
export const BATCH_PROVIDERS = ['openai', 'bedrock'] as const;
export type BatchProviderName = (typeof BATCH_PROVIDERS)[number];

/** A stand-in for the batch interface of a provider. Statuses are in the provider's words. */
export interface ScriptedProvider {
  readonly provider: BatchProvider;
  setScript(script: BatchScript): void;
  release(): void;
  batches(): readonly {
    readonly name: string;
    readonly status: string;
    readonly calls: number;
    readonly answered: number;
  }[];
  /** What the provider keeps of jobs. */
  files(): readonly string[];
  close(): Promise<void>;
}

export interface Batching {
  /** The stand-in for the provider's batch interface, and the model behind its single calls. */
  readonly stand: Omit<ScriptedProvider, 'provider' | 'close'>;
  readonly provider: BatchProvider;
  readonly clock: VirtualClock;
  /** Single calls that were made. */
  readonly single: GenerateRequest[];
  /** What the provider did not do. */
  readonly troubles: string[];
  launch(dataset: DatasetRecord, request?: Partial<AdaptRequest>): Promise<Launched>;
  /** One step of the jobs. */
  advance(
    launched: Launched,
    collected: number,
    overrides?: Partial<AdvanceBatchJobsPorts>,
  ): Promise<NextStep>;
  collect(launched: Launched): Promise<void>;
  /**
   * All steps of the jobs, as the state machine takes them; `onStep` is called after each.
   * @param collected the pass whose calls were collected
   */
  process(
    launched: Launched,
    onStep?: (step: NextStep) => void | Promise<void>,
    overrides?: Partial<AdvanceBatchJobsPorts>,
    collected?: number,
  ): Promise<NextStep[]>;
  /** Works on the rows, and ends the run. */
  finish(launched: Launched): Promise<Ended>;
  close(): Promise<void>;
}

export interface Launched {
  readonly quote: RunQuote;
  readonly context: RunContext;
  readonly batches: readonly BatchPlan[];
}

export interface Ended {
  readonly run: RunRecord;
  readonly report: StoredReport;
  readonly results: readonly RunResult[];
}

const textOf = (messages: readonly { readonly content: string }[]): string =>
  messages.map(({ content }) => content).join('\n');

/** An answer that follows from the request: better than the row's own, with tokens by its length. */
export function betterAnswer(messages: readonly { readonly content: string }[]): Generation {
  const text = textOf(messages);
  const row = /(?:question|answer) (\d+)/.exec(text)?.[1];
  return {
    text: /rewrite requests/.test(text)
      ? `How do I answer question ${row} in the shortest time?`
      : `Give answer ${row} as soon as you know it: this is a much better and complete text about number ${row}.`,
    finishReason: 'stop',
    usage: { input_tokens: Math.ceil(text.length / 4), output_tokens: 25 },
  };
}

const toCompletion = ({ text, usage }: Generation) => ({
  choices: [{ message: { content: text }, finish_reason: 'stop' }],
  usage: { prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens },
});

/** How a model answers a request, and why it refuses one; null if it does not. */
interface Scripted {
  readonly answer: typeof betterAnswer;
  readonly refuse: (body: object) => { readonly error: { readonly message: string } } | null;
}

/** A stand-in for OpenAI's Batch API. */
async function startOpenAi({ objects }: World, { answer, refuse }: Scripted): Promise<ScriptedProvider> {
  const stand = await startScriptedBatches((body) => {
    const { messages } = body as { messages: { content: string }[] };
    const refusal = refuse(body as object);
    if (refusal !== null) return { status: 400, body: refusal };
    return { status: 200, body: toCompletion(answer(messages)) };
  });
  const provider = connectOpenAiBatches({
    baseUrl: stand.url,
    connectionsMax: 1,
    timeoutSeconds: 60,
    objects,
  });
  return { ...stand, provider };
}

/** A stand-in for the batch inference of Amazon Bedrock, which the environment leads to until it is closed. */
async function startBedrock(
  { objects }: World,
  { answer, refuse }: Scripted,
  callsMin: number | undefined,
): Promise<ScriptedProvider> {
  const stand = await startScriptedBedrockBatches(
    objects,
    (body) => {
      const refusal = refuse(body);
      if (refusal !== null) return { code: 400, message: refusal.error.message };
      const { text, usage } = answer([
        ...(body.system ?? []).map((part) => ({ content: part.text })),
        ...body.messages.map(({ content }) => ({ content: content.map((part) => part.text).join('') })),
      ]);
      return {
        output: {
          output: { message: { role: 'assistant', content: [{ text }] } },
          stopReason: 'end_turn',
          usage: { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
        },
      };
    },
    callsMin,
  );
  leadToBedrock(stand.url);
  const provider = connectBedrockBatches({ ...BEDROCK_BATCHES, timeoutSeconds: 60, objects });
  return {
    ...stand,
    provider: {
      ...provider,
      limits: { ...provider.limits, ...(callsMin === undefined ? {} : { callsMin }) },
    },
    files: () => objects.keys().filter((key) => key.endsWith('.out')),
    async close() {
      vi.unstubAllEnvs();
      await stand.close();
    },
  };
}

/**
 * Runs of a world whose model calls go to a stand-in for a provider's batch interface.
 * @param callsMin the fewest calls of a job, in place of the provider's limit
 */
export async function startBatching(
  world: World,
  owner: Caller,
  answer: typeof betterAnswer = betterAnswer,
  refuse: Scripted['refuse'] = () => null,
  { name = 'openai', callsMin }: { readonly name?: BatchProviderName; readonly callsMin?: number } = {},
): Promise<Batching> {
  const stand =
    name === 'openai'
      ? await startOpenAi(world, { answer, refuse })
      : await startBedrock(world, { answer, refuse }, callsMin);
  const single: GenerateRequest[] = [];
  const troubles: string[] = [];
  const clock = createVirtualClock(NOW);
  // Workers wait for what takes real time, such as the loading of a module.
  const workerClock: Clock = { now: clock.now, sleep: createFastClock(10).sleep };
  const model: ModelClient = {
    modelId: 'a-model',
    async generate(request) {
      single.push(request);
      return answer(request.messages);
    },
  };
  const deferring: ModelClient = { modelId: 'a-model', generate: () => Promise.reject(new CallDeferred()) };
  const { provider } = stand;
  const use = world.installed(BATCH_SETTINGS);
  const portsOf = (client: ModelClient): AdaptBatchPorts => ({
    ...adaptingPorts(world, client, workerClock),
    callsPerWorker: 8,
  });
  let attempts = 0;
  const invocation = () => {
    attempts += 1;
    return { deadlineMs: clock.now() + 900_000, attempt: `attempt-${attempts}` };
  };
  const workOf = ({ context }: Launched): BatchWork[] =>
    linesOf(world.objects.text(objectKeys.work(context.run_id))).map((line) =>
      BatchWork.parse(JSON.parse(line)),
    );

  const batching: Batching = {
    stand,
    provider,
    clock,
    single,
    troubles,
    async launch(dataset, request = {}) {
      const quote = await use(launchAdaptation)({
        caller: owner,
        datasetId: dataset.dataset_id,
        route: 'adapt',
        request: {
          column_mapping: { prompt: 'question', completion: 'answer' },
          job_specification: { processing: 'batch' },
          ...request,
        },
        now: clock.now(),
      });
      const context = { run_id: quote.run_id ?? '', dataset_id: dataset.dataset_id, team_id: owner.team_id };
      await use(planAdaptation)(context);
      return { quote, context, batches: readPlan(world, context.run_id) };
    },
    advance: ({ context }, collected, overrides = {}) =>
      advanceBatchJobs(
        {
          objects: world.objects,
          runs: world.store.runs,
          provider,
          clock,
          onTrouble: (job, { kind }) => troubles.push(`${job.replace(context.run_id, 'run')}: ${kind}`),
          onRecorded: () => {},
          ...overrides,
        },
        context,
        collected,
        clock.now() + 900_000,
      ),
    async collect(launched) {
      for (const work of workOf(launched)) await collectCalls(portsOf(deferring), work, invocation());
    },
    async process(launched, onStep = () => {}, overrides = {}, from = 0) {
      const steps: NextStep[] = [];
      let collected = from;
      for (;;) {
        const step = await batching.advance(launched, collected, overrides);
        steps.push(step);
        await onStep(step);
        if (step.status === 'done') return steps;
        if (step.status === 'wait') await clock.advance(step.wait_seconds * 1000);
        else {
          await batching.collect(launched);
          collected = step.pass;
        }
      }
    },
    async finish({ context, batches }) {
      for (const batch of batches) await adaptBatch(portsOf(model), batch, invocation());
      await use(assembleRun)(context, clock.now());
      const run = await use(endAdaptation)(context, null, clock.now());
      return {
        run,
        report: JSON.parse(world.objects.text(objectKeys.report(context.run_id))),
        results: batches.flatMap(({ n }) =>
          linesOf(world.objects.text(objectKeys.result(context.run_id, n))).map((line) => JSON.parse(line)),
        ),
      };
    },
    close: stand.close,
  };
  return batching;
}
