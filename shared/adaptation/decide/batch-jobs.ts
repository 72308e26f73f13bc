import * as z from 'zod';
import type { BatchProvider } from '#shared/models/decide/batch-provider.ts';
import { BatchedAnswer } from '#shared/models/decide/call-memo.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import { own } from '#shared/platform/own.ts';

/** A line of answers: the id of a call and its answer; null if the batch job has none, and the call is made singly. */
export const BatchedCall = z.tuple([z.string(), BatchedAnswer.nullable()]);
export type BatchedCall = z.infer<typeof BatchedCall>;

/** A call that a row waits for, as workers leave it. */
export const WantedLine = z.object({
  id: z.string(),
  model_id: z.string(),
  request: z.custom<GenerateRequest>((value) => typeof value === 'object' && value !== null),
});
export type WantedLine = z.infer<typeof WantedLine>;

/** The calls of a batch of rows that a job makes: those of its model from `from` up to but not `to`. */
const JobPart = z.object({ n: z.int().min(0), from: z.int().min(0), to: z.int().min(0) });
type JobPart = z.infer<typeof JobPart>;

const Milliseconds = z.number().min(0);

/** One batch job of a provider. */
export const BatchJob = z.object({
  /** Unique; under it the job is found again at the provider. */
  name: z.string(),
  model_id: z.string(),
  calls: z.int().min(1),
  parts: z.array(JobPart),
  /** Fields that the model does not take, as known when the lines were written. */
  refused: z.array(z.string()),
  /** Whether a submission was begun, so that the job may be there without its id being known. */
  is_tried: z.boolean(),
  job_id: z.string().nullable(),
  submitted_at: Milliseconds.nullable(),
  /** When the service asked the provider to end the job. */
  cancelled_at: Milliseconds.nullable(),
  /** Since when the provider does not answer for the job; null if it does. */
  unreachable_since: Milliseconds.nullable(),
  is_recorded: z.boolean(),
});
export type BatchJob = z.infer<typeof BatchJob>;

/** What is known of the batch jobs of a run. A pass collects the calls that rows wait for and has jobs make them. */
export const BatchState = z.object({
  pass: z.int().min(1),
  /** `collect`: workers have to collect the calls of the pass. `jobs`: its jobs are under way. */
  stage: z.enum(['collect', 'jobs', 'done']),
  started_at: Milliseconds,
  jobs: z.array(BatchJob),
  /** Fields that a model does not take, by its id. */
  refused: z.record(z.string(), z.array(z.string())),
  /** Tokens of the answers so far. */
  tokens: z.int().min(0),
});
export type BatchState = z.infer<typeof BatchState>;

export const newBatchState = (now: number): BatchState => ({
  pass: 1,
  stage: 'collect',
  started_at: now,
  jobs: [],
  refused: {},
  tokens: 0,
});

/** Passes of a run: calls that rows want after them are made singly. A row makes a few calls one after the other. */
export const BATCH_PASSES_MAX = 6;
const HOUR = 3_600_000;
/** Time for all passes together. */
export const BATCH_HOURS_MAX = 48;
/** A provider ends a job after 24 hours; one that still runs later is cancelled. */
export const BATCH_JOB_HOURS_MAX = 25;
/** A cancelled job keeps what it has answered, and says so within ten minutes; after this it is not waited for. */
const CANCELLATION_MILLISECONDS = HOUR / 4;
/** A job for which the provider does not answer so long is given up. */
const UNREACHABLE_MILLISECONDS = HOUR;

export const mustBeCancelled = (state: BatchState, job: BatchJob, now: number): boolean =>
  now - (job.submitted_at ?? now) > BATCH_JOB_HOURS_MAX * HOUR || isOverdue(state, now);

export const isOverdue = ({ started_at }: Pick<BatchState, 'started_at'>, now: number): boolean =>
  now - started_at > BATCH_HOURS_MAX * HOUR;

export const isAbandoned = ({ cancelled_at }: BatchJob, now: number): boolean =>
  cancelled_at !== null && now - cancelled_at > CANCELLATION_MILLISECONDS;

export const isGivenUp = ({ unreachable_since: since }: BatchJob, now: number): boolean =>
  since !== null && now - since > UNREACHABLE_MILLISECONDS;

const WAIT_SECONDS_MIN = 5;
const WAIT_SECONDS_MAX = 3600;

/**
 * Seconds until the next look: a third of the time that the oldest job has taken. So short jobs are seen soon, and looks at
 * long ones do not fill the history of the execution.
 */
export function secondsToWait(
  jobs: readonly Pick<BatchJob, 'submitted_at' | 'is_recorded'>[],
  now: number,
): number {
  const since = jobs.flatMap(({ submitted_at: at, is_recorded: isRecorded }) =>
    at === null || isRecorded ? [] : [at],
  );
  const elapsed = since.length === 0 ? 0 : (now - Math.min(...since)) / 1000;
  return Math.min(WAIT_SECONDS_MAX, Math.max(WAIT_SECONDS_MIN, Math.round(elapsed / 3)));
}

/** Groups values by a key of each. */
export function groupBy<K, T>(values: Iterable<T>, keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** A job that is being put together, and its lines. */
export interface DraftJob {
  readonly modelId: string;
  readonly lines: readonly string[];
  readonly parts: readonly JobPart[];
}

/**
 * Puts the calls of a pass together to jobs within the provider's limits: of one model each, equal calls once.
 * @param refused fields that models do not take, by model
 */
export function createJobPlanner(
  { limits, toLine }: Pick<BatchProvider, 'limits' | 'toLine'>,
  refused: Readonly<Record<string, readonly string[]>>,
) {
  interface Open {
    lines: string[];
    bytes: number;
    ids: Set<string>;
    parts: JobPart[];
  }
  const open = new Map<string, Open>();
  const close = (modelId: string): DraftJob[] => {
    const job = open.get(modelId);
    open.delete(modelId);
    return job === undefined || job.lines.length === 0
      ? []
      : [{ modelId, lines: job.lines, parts: job.parts }];
  };
  return {
    /** Adds the calls of batch `n` of one model; returns the jobs that are full. */
    add(n: number, modelId: string, calls: readonly WantedLine[]): DraftJob[] {
      const full: DraftJob[] = [];
      for (const [place, { id, request }] of calls.entries()) {
        const line = toLine(id, modelId, request, own(refused, modelId) ?? []);
        const bytes = Buffer.byteLength(line) + 1;
        // It fits no job, and is made singly.
        if (bytes > limits.bytesMax) continue;
        const known = open.get(modelId);
        if (known !== undefined && !known.ids.has(id)) {
          const isFull = known.lines.length === limits.callsMax || known.bytes + bytes > limits.bytesMax;
          if (isFull) full.push(...close(modelId));
        }
        const job = open.get(modelId) ?? { lines: [], bytes: 0, ids: new Set<string>(), parts: [] };
        open.set(modelId, job);
        if (!job.ids.has(id)) {
          job.ids.add(id);
          job.lines.push(line);
          job.bytes += bytes;
        }
        const last = job.parts.at(-1);
        if (last?.n === n && last.to === place) last.to = place + 1;
        else job.parts.push({ n, from: place, to: place + 1 });
      }
      return full;
    },
    /** The jobs that are not full. */
    end: (): DraftJob[] => [...open.keys()].flatMap(close),
  };
}
