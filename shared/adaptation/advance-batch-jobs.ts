import type {
  BatchJobResult,
  BatchProvider,
  SubmittedBatchJob,
} from '#shared/models/decide/batch-provider.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import { findJson, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunBudget } from '#shared/runs/decide/budget.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { FAILED_SHARE_MAX, lateness, tooManyRowsFailed } from '#shared/runs/decide/stop-reasons.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import {
  BATCH_PASSES_MAX,
  type BatchJob,
  BatchState,
  isAbandoned,
  isGivenUp,
  isOverdue,
  isUnderWay,
  isWithoutRoom,
  mustBeCancelled,
  nextForJob,
  secondsToWait,
  tooLargeForQueue,
} from './decide/batch-jobs.ts';
import { RunRequestObject } from './decide/run-request.ts';
import { planJobs, splitJob } from './plan-jobs.ts';
import { type RecordedJob, recordJob } from './record-job.ts';

export interface BatchJobPorts {
  readonly objects: Pick<ObjectStore, 'read'>;
  /** Null if the installation makes no batch jobs (any more). */
  readonly provider: BatchProvider | null;
  /** Called with what a provider does not do, and is not needed for the run to go on. */
  readonly onTrouble: (job: string, error: ModelError) => void;
}

export interface AdvanceBatchJobsPorts extends BatchJobPorts {
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
  readonly runs: Pick<RunRepository, 'find' | 'readEffort' | 'requestStop'>;
  readonly clock: Clock;
  /** Called with what became of a recorded job. */
  readonly onRecorded: (job: RecordedJob) => void;
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
 * job twice. A run that must end has its jobs cancelled; what they have answered is recorded, and workers go over the rows
 * once more, so that the rows which are done by it are delivered.
 * @param collected the pass whose calls were collected; 0 before the first
 */
export async function advanceBatchJobs(
  ports: AdvanceBatchJobsPorts,
  context: RunContext,
  collected: number,
  deadlineMs: number,
): Promise<NextStep> {
  const { clock, provider } = ports;
  const { run_id: runId } = context;
  const batch = await openState(ports, runId);
  const next = (status: NextStep['status'], wait_seconds = 0): NextStep => ({
    status,
    pass: batch.state.pass,
    wait_seconds,
  });
  const done = async (): Promise<NextStep> => {
    await batch.save({ stage: 'done' });
    return next('done');
  };
  /** The state is written at each look: whoever looks for runs that stand still sees by it that this one waits. */
  const wait = async (seconds: number): Promise<NextStep> => {
    await batch.save({});
    return next('wait', seconds);
  };

  if (batch.state.stage === 'done' || provider === null) return done();
  await endIfDue(ports, context, batch);
  await emptyQueues(batch);
  if (batch.state.stage === 'collect') {
    const isBegun = batch.state.pass > 1;
    if (batch.state.pass > collected && (isBegun || !batch.state.is_ending)) return next('collect');
    if (batch.state.is_ending) return done();
    const jobs = await planJobs(ports, provider, runId, batch.state);
    if (jobs.length === 0) return done();
    await batch.save({ stage: 'jobs', jobs });
  }

  const step = { ...ports, provider, context, batch };
  // A job that is split adds jobs, whose turn is the next step.
  for (const index of batch.state.jobs.keys()) {
    if (clock.now() > deadlineMs - TIME_LEFT_MILLISECONDS_MIN) return wait(1);
    await reachJob(step, index);
  }
  const now = clock.now();
  const { state } = batch;
  if (!state.jobs.every(({ is_recorded: isRecorded }) => isRecorded)) {
    return wait(secondsToWait(state.jobs, now));
  }
  if (!state.is_ending && (state.pass === BATCH_PASSES_MAX || isOverdue(state, now))) return done();
  await batch.save({ pass: state.pass + 1, stage: 'collect', jobs: [], full_queues: [] });
  return next('collect');
}

/** The state of a run's batch jobs. One task at a time writes it. */
interface OpenState {
  readonly state: BatchState;
  readonly budget: RunBudget;
  save(changes: Partial<BatchState>): Promise<void>;
  saveJob(index: number, changes: Partial<BatchJob>): Promise<void>;
}

async function openState(
  { objects }: Pick<AdvanceBatchJobsPorts, 'objects'>,
  runId: string,
): Promise<OpenState> {
  const key = objectKeys.batchState(runId);
  let state = await readJson(objects, key, BatchState);
  const { budget } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  const save = async (changes: Partial<BatchState>): Promise<void> => {
    state = { ...state, ...changes };
    await objects.write(key, JSON.stringify(state), 'application/json');
  };
  return {
    get state() {
      return state;
    },
    budget,
    save,
    saveJob: (index, changes) =>
      save({ jobs: state.jobs.map((job, n) => (n === index ? { ...job, ...changes } : job)) }),
  };
}

interface Jobs extends AdvanceBatchJobsPorts {
  readonly provider: BatchProvider;
  readonly context: RunContext;
  readonly batch: OpenState;
}

const jobAt = ({ state }: OpenState, index: number): BatchJob => state.jobs[index] as BatchJob;

const submittedAt = ({ batch, context }: Jobs, index: number, jobId: string): SubmittedBatchJob => ({
  ...submissionOf(context.run_id, batch.state.pass, index, jobAt(batch, index)),
  jobId,
});

/** Advances a job. A provider that does not answer is asked again later, for an hour. */
async function reachJob(jobs: Jobs, index: number): Promise<void> {
  const { provider, clock, batch } = jobs;
  const { name, unreachable_since: since } = jobAt(batch, index);
  try {
    await advanceJob(jobs, index);
    if (since !== null) await batch.saveJob(index, { unreachable_since: null });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    jobs.onTrouble(name, error);
    const job = jobAt(batch, index);
    if (!isGivenUp(job, clock.now()) && mayPass(error, job)) {
      if (since === null) await batch.saveJob(index, { unreachable_since: clock.now() });
      return;
    }
    if (job.job_id !== null) {
      const submitted = submittedAt(jobs, index, job.job_id);
      await provider.cancel(submitted).catch(troubleOf(jobs, name));
    }
    await record(jobs, index, none());
  }
}

/** Submits a job if there is room for it, or looks at it and records what it has answered. */
async function advanceJob(jobs: Jobs, index: number): Promise<void> {
  const { provider, clock, batch } = jobs;
  const job = jobAt(batch, index);
  if (job.is_recorded) return;
  if (job.job_id === null) return startJob(jobs, index);
  const submitted = submittedAt(jobs, index, job.job_id);
  const { state: standing } = await provider.look(submitted);
  if (standing === 'running' && !isAbandoned(job, clock.now())) {
    if (job.cancelled_at === null && mustBeCancelled(batch.state, job, clock.now())) {
      await provider.cancel(submitted);
      await batch.saveJob(index, { cancelled_at: clock.now() });
    }
    return;
  }
  if (standing !== 'queue_full' || mustBeCancelled(batch.state, job, clock.now())) {
    await record(jobs, index, provider.results(submitted));
  } else {
    await holdJob(jobs, index, nextName(job.name));
    await splitLargeJobs(jobs, index);
  }
  await provider.forget(submitted).catch(troubleOf(jobs, job.name));
}

async function startJob(jobs: Jobs, index: number): Promise<void> {
  const { provider, clock, batch } = jobs;
  const job = jobAt(batch, index);
  // One whose submission was begun may be there: an invocation that is killed does not learn the id.
  const earlier = job.is_tried ? await provider.find(job.name) : null;
  if (earlier !== null) {
    return batch.saveJob(index, { job_id: earlier, submitted_at: clock.now() });
  }
  await endIfStopped(jobs, jobs.context, batch);
  const { callsMin } = provider.limits;
  const others = { ...batch.state, jobs: batch.state.jobs.filter((each) => each !== job) };
  const isLate = isOverdue(batch.state, clock.now()) || isWithoutRoom(batch.state, clock.now());
  const what = isLate ? 'leave' : nextForJob(others, job, { budget: batch.budget.tokens, callsMin });
  if (what === 'leave') return record(jobs, index, none());
  if (what === 'split') return split(jobs, job);
  if (what === 'hold') {
    if (job.held_since === null) await batch.saveJob(index, { held_since: clock.now() });
    return;
  }
  await submit(jobs, index);
}

async function submit(jobs: Jobs, index: number): Promise<void> {
  const { provider, clock, batch, context } = jobs;
  if (!jobAt(batch, index).is_tried) await batch.saveJob(index, { is_tried: true });
  const submission = submissionOf(context.run_id, batch.state.pass, index, jobAt(batch, index));
  const jobId = await provider.submit(submission).catch(async (error: unknown) => {
    if (!(error instanceof ModelError && error.kind === 'throttled')) throw error;
    jobs.onTrouble(submission.name, error);
    return null;
  });
  if (jobId === null) return holdJob(jobs, index, submission.name);
  await batch.saveJob(index, { job_id: jobId, submitted_at: clock.now() });
  await endIfStopped(jobs, context, batch);
  if (!batch.state.is_ending) return;
  // The run ended while the job was submitted, and whoever ended it may not have seen the job.
  await provider.cancel({ ...submission, jobId });
  await batch.saveJob(index, { cancelled_at: clock.now() });
}

/** Keeps a job that the provider had no room for, to be submitted again under a name. */
function holdJob({ batch, clock }: Jobs, index: number, name: string): Promise<void> {
  const { state } = batch;
  const isAlone = !state.jobs.some((job, n) => n !== index && isUnderWay(job));
  const held = { name, job_id: null, is_tried: false, submitted_at: null, unreachable_since: null };
  return batch.save({
    no_room_since: isAlone ? (state.no_room_since ?? clock.now()) : null,
    full_queues: [...new Set([...state.full_queues, jobAt(batch, index).model_id])],
    jobs: state.jobs.map((job, n) =>
      n === index ? { ...job, ...held, held_since: job.held_since ?? clock.now() } : job,
    ),
  });
}

/** A job that has failed keeps its name at the provider; its successor is `name.2`, then `name.3`. */
function nextName(name: string): string {
  const [, stem = name, attempt = '1'] = /^(.*?)(?:\.(\d+))?$/.exec(name) ?? [];
  return `${stem}.${Number(attempt) + 1}`;
}

/** Lets the jobs of a model be submitted again when none of them is under way. */
async function emptyQueues(batch: OpenState): Promise<void> {
  const { full_queues: queues, jobs } = batch.state;
  const full = queues.filter((modelId) => jobs.some((job) => job.model_id === modelId && isUnderWay(job)));
  if (full.length < queues.length) await batch.save({ full_queues: full });
}

/** Splits the jobs for which the queue has no room even if no other job of the run is in it. */
async function splitLargeJobs(jobs: Jobs, index: number): Promise<void> {
  const { batch, provider } = jobs;
  const refused = jobAt(batch, index);
  for (const job of tooLargeForQueue(batch.state, refused, provider.limits.callsMin)) await split(jobs, job);
}

async function split(jobs: Jobs, job: BatchJob): Promise<void> {
  const { batch, provider, context } = jobs;
  await batch.save({ jobs: await splitJob(jobs, provider, context.run_id, batch.state, job) });
}

async function record(jobs: Jobs, index: number, results: AsyncIterable<BatchJobResult>): Promise<void> {
  const { provider, batch, context } = jobs;
  const { state } = batch;
  const recorded = await recordJob(jobs, context.run_id, state, index, results, provider);
  await batch.save({
    tokens: state.tokens + recorded.inputTokens + recorded.outputTokens,
    no_room_since: recorded.answered > 0 ? null : state.no_room_since,
    refused: recorded.refused,
    jobs: state.jobs.map((each, n) => (n === index ? { ...each, is_recorded: true } : each)),
  });
  jobs.onRecorded(recorded);
}

async function* none(): AsyncGenerator<BatchJobResult, void> {}

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

type EndPorts = Pick<AdvanceBatchJobsPorts, 'runs' | 'clock'>;

/**
 * Notes that a run makes no further jobs: it has ended or must end, its minutes are used up, too many of its rows have
 * failed, or its tokens are used up. In the last case workers deliver the rows that the tokens suffice for, and say so.
 */
async function endIfDue(ports: EndPorts, context: RunContext, batch: OpenState): Promise<void> {
  const { runs, clock } = ports;
  const { dataset_id: datasetId, run_id: runId } = context;
  const run = await endIfStopped(ports, context, batch);
  if (run === null || batch.state.is_ending) return;
  const { failedRows } = await runs.readEffort(runId);
  const total = run.total_rows;
  const hasFailed = total !== null && failedRows > total * FAILED_SHARE_MAX;
  const excess =
    lateness(run, batch.budget, clock.now()) ?? (hasFailed ? tooManyRowsFailed(failedRows, total) : null);
  if (excess !== null) await runs.requestStop(datasetId, runId, excess);
  const isSpent = batch.budget.tokens !== null && batch.state.tokens >= batch.budget.tokens;
  if (excess !== null || isSpent) await batch.save({ is_ending: true });
}

async function endIfStopped(
  { runs }: Pick<EndPorts, 'runs'>,
  { dataset_id: datasetId, run_id: runId }: RunContext,
  batch: OpenState,
): Promise<RunRecord | null> {
  const run = await runs.find(datasetId, runId);
  const isStopped = run?.status !== 'running' || run.stop_reason !== undefined;
  if (isStopped && !batch.state.is_ending) await batch.save({ is_ending: true });
  return run;
}

const submissionOf = (runId: string, pass: number, index: number, { name, model_id: modelId }: BatchJob) => ({
  name,
  modelId,
  inputKey: objectKeys.batchInput(runId, pass, index),
  outputPrefix: objectKeys.batchOutput(runId, pass, index),
});

/**
 * Asks the provider to end the batch jobs of a run that ends, also one whose id was never learned. Jobs that have ended stay
 * as they are. Idempotent.
 * @throws if the provider did not take a cancellation, so that the invocation is repeated
 */
export async function cancelBatchJobs(
  { objects, provider, onTrouble }: BatchJobPorts,
  runId: string,
): Promise<{ readonly cancelled: number }> {
  const state = await findJson(objects, objectKeys.batchState(runId), BatchState);
  if (state === null || provider === null) return { cancelled: 0 };
  let cancelled = 0;
  let failed = 0;
  for (const [index, job] of state.jobs.entries()) {
    if (!isUnderWay(job)) continue;
    try {
      const jobId = job.job_id ?? (await provider.find(job.name));
      if (jobId === null) continue;
      await provider.cancel({ ...submissionOf(runId, state.pass, index, job), jobId });
      cancelled += 1;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      onTrouble(job.name, error);
      failed += 1;
    }
  }
  if (failed > 0) throw new Error(`${failed} batch jobs of the run ${runId} could not be cancelled.`);
  return { cancelled };
}
