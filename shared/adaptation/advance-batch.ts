import type { BatchProvider, BatchResult, SubmittedBatch } from '#shared/models/decide/batch-provider.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { own } from '#shared/platform/own.ts';
import { findJson, readJson, readJsonLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { lateness } from '#shared/runs/decide/stop-reasons.ts';
import { BatchPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import {
  BATCH_PASSES_MAX,
  type BatchedCall,
  type BatchJob,
  BatchState,
  createJobPlanner,
  type DraftJob,
  groupBy,
  isAbandoned,
  isGivenUp,
  isOverdue,
  mustBeCancelled,
  secondsToWait,
  WantedLine,
} from './decide/batch-jobs.ts';
import { RunRequestObject } from './decide/run-request.ts';

export interface BatchJobPorts {
  readonly objects: Pick<ObjectStore, 'read'>;
  /** Null if the installation makes no batch jobs (any more). */
  readonly provider: BatchProvider | null;
  /** Called with what a provider does not do, and is not needed for the run to go on. */
  readonly onTrouble: (job: string, error: ModelError) => void;
}

export interface AdvanceBatchPorts extends BatchJobPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly runs: Pick<RunRepository, 'find' | 'requestStop'>;
  readonly clock: Clock;
  /** Called with what became of a recorded job. */
  readonly onRecorded: (job: RecordedJob) => void;
}

export interface RecordedJob {
  readonly name: string;
  /** Calls that were answered, and those that are left to single calls. */
  readonly answered: number;
  readonly left: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** What the state machine does next: has workers collect calls, waits, or has the rows worked on. */
export interface NextStep {
  readonly status: 'collect' | 'wait' | 'done';
  readonly pass: number;
  readonly wait_seconds: number;
}

/** An invocation that has less time left goes on in the next one. */
const TIME_LEFT_MILLISECONDS_MIN = 120_000;

/**
 * Takes the batch jobs of a run one step further: plans the jobs of a pass, submits them, records what they answered, and
 * begins the next pass. Every step is written before the next one, so a killed invocation is repeated without submitting a
 * job twice. A run that has ended has its jobs cancelled.
 * @param collected the pass whose calls were collected; 0 before the first
 */
export async function advanceBatch(
  ports: AdvanceBatchPorts,
  context: RunContext,
  collected: number,
  deadlineMs: number,
): Promise<NextStep> {
  const { clock, provider } = ports;
  const { run_id: runId } = context;
  let state = await readJson(ports.objects, objectKeys.batchState(runId), BatchState);
  const save = async (next: BatchState): Promise<void> => {
    state = next;
    await ports.objects.write(objectKeys.batchState(runId), JSON.stringify(next), 'application/json');
  };
  const saveJob = (index: number, changes: Partial<BatchJob>): Promise<void> =>
    save({
      ...state,
      jobs: state.jobs.map((job, n) => (n === index ? { ...job, ...changes } : job)),
    });
  const done = async (): Promise<NextStep> => {
    await save({ ...state, stage: 'done' });
    return { status: 'done', pass: state.pass, wait_seconds: 0 };
  };
  /** The state is written at each look: whoever looks for runs that stand still sees by it that this one waits. */
  const wait = async (seconds: number): Promise<NextStep> => {
    await save(state);
    return { status: 'wait', pass: state.pass, wait_seconds: seconds };
  };

  if (state.stage === 'done' || provider === null) return done();
  if (!(await isActive(ports, context, state))) {
    await cancelJobs(ports, runId, state);
    return done();
  }
  if (state.stage === 'collect') {
    if (state.pass > collected) return { status: 'collect', pass: state.pass, wait_seconds: 0 };
    const jobs = await planJobs(ports, provider, runId, state);
    if (jobs.length === 0) return done();
    await save({ ...state, stage: 'jobs', jobs });
  }

  for (const index of state.jobs.keys()) {
    if (clock.now() > deadlineMs - TIME_LEFT_MILLISECONDS_MIN) return wait(1);
    // A run that was cancelled meanwhile submits nothing more.
    if (state.jobs[index]?.job_id === null && !(await isActive(ports, context, state))) {
      await cancelJobs(ports, runId, state);
      return done();
    }
    await reachJob(index, provider);
  }
  const now = clock.now();
  if (!state.jobs.every(({ is_recorded: isRecorded }) => isRecorded)) {
    return wait(secondsToWait(state.jobs, now));
  }
  if (state.pass === BATCH_PASSES_MAX || isOverdue(state, now)) return done();
  await save({ ...state, pass: state.pass + 1, stage: 'collect', jobs: [] });
  return { status: 'collect', pass: state.pass, wait_seconds: 0 };

  /** Advances a job. A provider that does not answer is asked again later, for an hour. */
  async function reachJob(index: number, to: BatchProvider): Promise<void> {
    const { name, unreachable_since: since } = state.jobs[index] as BatchJob;
    try {
      await advanceJob(index, to);
      if (since !== null) await saveJob(index, { unreachable_since: null });
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      ports.onTrouble(name, error);
      const job = state.jobs[index] as BatchJob;
      if (!isGivenUp(job, clock.now()) && mayPass(error, job)) {
        if (since === null) await saveJob(index, { unreachable_since: clock.now() });
        return;
      }
      if (job.job_id !== null) {
        const submitted = submittedOf(runId, state.pass, index, job, job.job_id);
        await to.cancel(submitted).catch(troubleOf(ports, name));
      }
      await record(index, none(), to);
    }
  }

  async function record(
    index: number,
    results: AsyncIterable<BatchResult>,
    to: BatchProvider,
  ): Promise<void> {
    const recorded = await recordJob(ports, runId, state, index, results, to);
    await save({
      ...state,
      tokens: state.tokens + recorded.inputTokens + recorded.outputTokens,
      refused: recorded.refused,
      jobs: state.jobs.map((each, n) => (n === index ? { ...each, is_recorded: true } : each)),
    });
    ports.onRecorded({ name: state.jobs[index]?.name ?? '', ...recorded });
  }

  /** Submits a job, or looks at it and records what it has answered. */
  async function advanceJob(index: number, to: BatchProvider): Promise<void> {
    const job = state.jobs[index] as BatchJob;
    if (job.is_recorded) return;
    if (job.job_id === null) {
      await submit(index, job, to);
      return;
    }
    const submitted = submittedOf(runId, state.pass, index, job, job.job_id);
    const { state: standing } = await to.look(submitted);
    if (standing === 'running' && !isAbandoned(job, clock.now())) {
      if (job.cancelled_at === null && mustBeCancelled(state, job, clock.now())) {
        await to.cancel(submitted);
        await saveJob(index, { cancelled_at: clock.now() });
      }
      return;
    }
    await record(index, to.results(submitted), to);
    await to.forget(submitted).catch(troubleOf(ports, job.name));
  }

  async function submit(index: number, job: BatchJob, to: BatchProvider): Promise<void> {
    const submission = submissionOf(runId, state.pass, index, job);
    // One that was begun may be there: an invocation that is killed does not learn the id.
    const earlier = job.is_tried ? await to.find(job.name) : null;
    if (!job.is_tried) await saveJob(index, { is_tried: true });
    const jobId = earlier ?? (await to.submit(submission));
    await saveJob(index, { job_id: jobId, submitted_at: clock.now() });
    if (await isActive(ports, context, state)) return;
    // It was cancelled while it was submitted, and whoever cancelled it may not have seen the job.
    await to.cancel({ ...submission, jobId });
  }
}

async function* none(): AsyncGenerator<BatchResult, void> {}

/**
 * Whether a later attempt can succeed. A job that is submitted is under way, whatever the answer to a look; one that the
 * provider refuses has its calls made singly.
 */
const mayPass = ({ kind }: ModelError, { job_id: jobId }: BatchJob): boolean =>
  jobId !== null || kind === 'throttled' || kind === 'unavailable' || kind === 'timeout';

const troubleOf =
  ({ onTrouble }: Pick<BatchJobPorts, 'onTrouble'>, job: string) =>
  (error: unknown): void => {
    if (!(error instanceof ModelError)) throw error;
    onTrouble(job, error);
  };

/** Whether the run goes on. One that has used up the minutes of its plan is stopped. */
async function isActive(
  { objects, runs, clock }: Pick<AdvanceBatchPorts, 'objects' | 'runs' | 'clock'>,
  { dataset_id: datasetId, run_id: runId }: RunContext,
  { tokens }: BatchState,
): Promise<boolean> {
  const [run, { budget }] = await Promise.all([
    runs.find(datasetId, runId),
    readJson(objects, objectKeys.runRequest(runId), RunRequestObject),
  ]);
  if (run?.status !== 'running' || run.stop_reason !== undefined) return false;
  const late = lateness(run, budget, clock.now());
  if (late !== null) await runs.requestStop(datasetId, runId, late);
  // Without further batch jobs the workers deliver the rows that the tokens suffice for, and say that they are used up.
  return late === null && (budget.tokens === null || tokens < budget.tokens);
}

const submissionOf = (runId: string, pass: number, index: number, { name, model_id: modelId }: BatchJob) => ({
  name,
  modelId,
  inputKey: objectKeys.batchInput(runId, pass, index),
  outputPrefix: objectKeys.batchOutput(runId, pass, index),
});

const submittedOf = (
  runId: string,
  pass: number,
  index: number,
  job: BatchJob,
  jobId: string,
): SubmittedBatch => ({ ...submissionOf(runId, pass, index, job), jobId });

/** Reads the calls that the rows of a batch want, by model. */
async function readWanted(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  pass: number,
  n: number,
): Promise<Map<string, WantedLine[]>> {
  const lines = await readJsonLines(objects, objectKeys.wantedCalls(runId, pass, n), WantedLine);
  return groupBy(lines, ({ model_id: modelId }) => modelId);
}

/** Writes the input of a pass's jobs. Calls of a job that would be too small are left to single calls. */
async function planJobs(
  { objects }: Pick<AdvanceBatchPorts, 'objects'>,
  provider: BatchProvider,
  runId: string,
  { pass, refused }: BatchState,
): Promise<BatchJob[]> {
  const planner = createJobPlanner(provider, refused);
  const jobs: BatchJob[] = [];
  const keep = async ({ modelId, lines, parts }: DraftJob): Promise<void> => {
    if (lines.length < provider.limits.callsMin) return;
    const body = lines.map((line) => `${line}\n`).join('');
    await objects.write(objectKeys.batchInput(runId, pass, jobs.length), body, 'application/jsonl');
    jobs.push({
      name: `${runId}-${pass}-${jobs.length}`,
      model_id: modelId,
      calls: lines.length,
      parts: [...parts],
      refused: [...(own(refused, modelId) ?? [])],
      is_tried: false,
      job_id: null,
      submitted_at: null,
      cancelled_at: null,
      unreachable_since: null,
      is_recorded: false,
    });
  };
  for (const { n } of await readJsonLines(objects, objectKeys.plan(runId), BatchPlan)) {
    for (const [modelId, calls] of await readWanted(objects, runId, pass, n)) {
      for (const job of planner.add(n, modelId, calls)) await keep(job);
    }
  }
  for (const job of planner.end()) await keep(job);
  return jobs;
}

/**
 * Writes what a job has answered beside the batches of rows that want it. A call without an answer is left to a single call,
 * unless the model did not take a field of it: then the next pass asks without that field.
 */
async function recordJob(
  { objects }: Pick<AdvanceBatchPorts, 'objects'>,
  runId: string,
  state: BatchState,
  index: number,
  results: AsyncIterable<BatchResult>,
  provider: BatchProvider,
): Promise<Omit<RecordedJob, 'name'> & { refused: BatchState['refused'] }> {
  const { pass } = state;
  const { model_id: modelId, parts, refused: sentWithout } = state.jobs[index] as BatchJob;
  const outcomes = new Map<string, BatchResult['outcome']>();
  for await (const { id, outcome } of results) {
    const known = outcomes.get(id);
    if (known === undefined || (!('generation' in known) && 'generation' in outcome))
      outcomes.set(id, outcome);
  }
  const refused = new Set(own(state.refused, modelId));
  const counted = new Set<string>();
  const totals = { answered: 0, left: 0, inputTokens: 0, outputTokens: 0 };
  const toAnswer = ({ id, request }: WantedLine): BatchedCall | null => {
    const outcome = outcomes.get(id);
    const isCounted = counted.has(id);
    counted.add(id);
    if (outcome !== undefined && 'generation' in outcome) {
      const { text, finishReason, usage } = outcome.generation;
      if (!isCounted) {
        totals.answered += 1;
        totals.inputTokens += usage.input_tokens;
        totals.outputTokens += usage.output_tokens;
      }
      return [id, { text, finish: finishReason, usage }];
    }
    const field =
      outcome === undefined ? null : provider.refusedField(modelId, request, sentWithout, outcome);
    if (field !== null) {
      refused.add(field);
      return null;
    }
    if (!isCounted) totals.left += 1;
    return [id, null];
  };
  for (const [n, own] of groupBy(parts, (part) => part.n)) {
    const calls = (await readWanted(objects, runId, pass, n)).get(modelId) ?? [];
    const answers = own.flatMap(({ from, to }) =>
      calls.slice(from, to).flatMap((call) => {
        const answer = toAnswer(call);
        return answer === null ? [] : [answer];
      }),
    );
    await writeLines(objects, objectKeys.batchedAnswers(runId, n, pass, index), answers);
  }
  return {
    ...totals,
    refused: refused.size === 0 ? state.refused : { ...state.refused, [modelId]: [...refused] },
  };
}

/** Asks the provider to end the jobs of a pass, also one whose id was never learned. Jobs that have ended stay as they are. */
async function cancelJobs(
  { provider, onTrouble }: BatchJobPorts,
  runId: string,
  { pass, jobs }: BatchState,
): Promise<{ cancelled: number; failed: number }> {
  let cancelled = 0;
  let failed = 0;
  for (const [index, job] of jobs.entries()) {
    if (provider === null || job.is_recorded || !job.is_tried) continue;
    try {
      const jobId = job.job_id ?? (await provider.find(job.name));
      if (jobId === null) continue;
      await provider.cancel(submittedOf(runId, pass, index, job, jobId));
      cancelled += 1;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      onTrouble(job.name, error);
      failed += 1;
    }
  }
  return { cancelled, failed };
}

/**
 * Ends the batch jobs of a run that has ended, so that nobody pays for answers that nobody reads. Idempotent.
 * @throws if the provider did not take a cancellation, so that the invocation is repeated
 */
export async function cancelBatchJobs(
  ports: BatchJobPorts,
  runId: string,
): Promise<{ readonly cancelled: number }> {
  const state = await findJson(ports.objects, objectKeys.batchState(runId), BatchState);
  if (state === null) return { cancelled: 0 };
  const { cancelled, failed } = await cancelJobs(ports, runId, state);
  if (failed > 0) throw new Error(`${failed} batch jobs of the run ${runId} could not be cancelled.`);
  return { cancelled };
}
