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
  /** Unique; under it the job is found again at the provider. One that is submitted again has another name. */
  name: z.string(),
  model_id: z.string(),
  calls: z.int().min(1),
  parts: z.array(JobPart),
  /** The most tokens that its calls can use. */
  tokens_max: z.int().min(0).default(0),
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
  /** Since when the provider's queue, or the rest of the run's tokens, has no room for the job; null if it was never refused. */
  held_since: Milliseconds.nullable().default(null),
  is_recorded: z.boolean(),
});
export type BatchJob = z.infer<typeof BatchJob>;

/** What is known of the batch jobs of a run, also of one that an earlier version of the service has begun. A pass collects the calls that rows wait for and has jobs make them. */
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
  /** Models whose queue at the provider is full: nothing is submitted for them while a job of theirs is under way. */
  full_queues: z.array(z.string()).default([]),
  /** Since when the provider refuses jobs while none of the run is under way; null once one was answered. */
  no_room_since: Milliseconds.nullable().default(null),
  /** The run has to end: no further job is made, and what its jobs have answered is still delivered. */
  is_ending: z.boolean().default(false),
});
export type BatchState = z.infer<typeof BatchState>;

export const newBatchState = (now: number): BatchState => ({
  pass: 1,
  stage: 'collect',
  started_at: now,
  jobs: [],
  refused: {},
  tokens: 0,
  full_queues: [],
  no_room_since: null,
  is_ending: false,
});

/** Passes of a run: calls that rows want after them are made singly. A row makes a few calls one after the other. */
export const BATCH_PASSES_MAX = 6;
const HOUR = 3_600_000;
/** Time for all passes together. */
export const BATCH_HOURS_MAX = 48;
/** A provider ends a job after 24 hours; one that still runs later is cancelled. */
export const BATCH_JOB_HOURS_MAX = 25;
/** A cancelled job keeps what it has answered, and usually ends within ten minutes; after this it is not waited for. */
const CANCELLATION_MILLISECONDS = HOUR;
/** A job for which the provider does not answer so long is given up. */
const UNREACHABLE_MILLISECONDS = HOUR;

export const mustBeCancelled = (state: BatchState, job: BatchJob, now: number): boolean =>
  state.is_ending || now - (job.submitted_at ?? now) > BATCH_JOB_HOURS_MAX * HOUR || isOverdue(state, now);

export const isOverdue = ({ started_at }: Pick<BatchState, 'started_at'>, now: number): boolean =>
  now - started_at > BATCH_HOURS_MAX * HOUR;

export const isAbandoned = ({ cancelled_at }: BatchJob, now: number): boolean =>
  cancelled_at !== null && now - cancelled_at > CANCELLATION_MILLISECONDS;

/** A provider that has had no room for any job of the run for so long is not asked further: its quota may be none. */
const NO_ROOM_MILLISECONDS = 6 * HOUR;

export const isWithoutRoom = ({ no_room_since: since }: BatchState, now: number): boolean =>
  since !== null && now - since > NO_ROOM_MILLISECONDS;

export const isGivenUp = ({ unreachable_since: since }: BatchJob, now: number): boolean =>
  since !== null && now - since > UNREACHABLE_MILLISECONDS;

/** Whether a job is at the provider, or may be. */
export const isUnderWay = ({ is_recorded: isRecorded, is_tried: isTried }: BatchJob): boolean =>
  isTried && !isRecorded;

/**
 * What to do with a job that is not at the provider:
 * `submit` it; `hold` it until a job that is under way has ended; `split` it, as it does not fit even alone; or `leave` its
 * calls to single calls, whose tokens workers count one by one.
 * @param state the state without the job
 * @param room `budget`: tokens of the run, null without a limit; `callsMin`: calls that a job of the provider has at least
 */
export function nextForJob(
  { jobs, tokens, full_queues: fullQueues, is_ending: isEnding }: BatchState,
  job: BatchJob,
  { budget, callsMin }: { readonly budget: number | null; readonly callsMin: number },
): 'submit' | 'hold' | 'split' | 'leave' {
  if (isEnding) return 'leave';
  const underWay = jobs.filter(isUnderWay);
  if (fullQueues.includes(job.model_id) && underWay.some(({ model_id: id }) => id === job.model_id)) {
    return 'hold';
  }
  if (budget === null) return 'submit';
  const used = underWay.reduce((sum, each) => sum + each.tokens_max, tokens);
  if (used + job.tokens_max <= budget) return 'submit';
  if (underWay.length > 0) return 'hold';
  return job.calls >= splitCallsMin(callsMin) ? 'split' : 'leave';
}

/** A job of fewer calls is not split: its halves would be too small for the provider, or too many. */
const splitCallsMin = (callsMin: number): number => Math.max(100, 2 * callsMin);

/**
 * The jobs that the provider's queue has no room for one at a time: those of the refused job's size and more, of its model.
 * While another job of the model is under way, that one has taken the room.
 */
export function tooLargeForQueue({ jobs }: BatchState, refused: BatchJob, callsMin: number): BatchJob[] {
  const waiting = jobs.filter((job) => job.model_id === refused.model_id && !job.is_recorded);
  if (waiting.some(isUnderWay)) return [];
  return waiting.filter(({ calls }) => calls >= splitCallsMin(callsMin) && calls > refused.calls / 2);
}

const WAIT_SECONDS_MIN = 5;
/** A cancellation is seen by then. */
const WAIT_SECONDS_MAX = 2400;

/**
 * Seconds until the next look: a third of the time since the oldest job was cancelled, first held, or submitted. So short jobs
 * are seen soon, and looks at long ones do not fill the history of the execution.
 */
export function secondsToWait(
  jobs: readonly Pick<
    BatchJob,
    'submitted_at' | 'cancelled_at' | 'held_since' | 'unreachable_since' | 'is_recorded'
  >[],
  now: number,
): number {
  const since = jobs.flatMap((job) => {
    const at = job.cancelled_at ?? job.held_since ?? job.submitted_at ?? job.unreachable_since;
    return at === null || job.is_recorded ? [] : [at];
  });
  const elapsed = since.length === 0 ? 0 : (now - Math.min(...since)) / 1000;
  return Math.min(WAIT_SECONDS_MAX, Math.max(WAIT_SECONDS_MIN, Math.round(elapsed / 3)));
}

/** A job that is being put together, and its lines. */
export interface DraftJob {
  readonly modelId: string;
  readonly lines: readonly string[];
  readonly parts: readonly JobPart[];
  readonly tokensMax: number;
}

/** ASCII characters of a request per token: fewer than usual, so that the tokens are rather too many. */
const CHARACTERS_PER_TOKEN = 3;
/** The most that OpenAI counts for an image: 8 tiles of gpt-4o-mini (https://platform.openai.com/docs/guides/images-vision). */
const IMAGE_TOKENS_MAX = 50_000;

/** The most tokens that a call can use. Byte-level tokenizers take up to a token for each byte of rare characters. */
function tokensMaxOf(line: string, bytes: number, { messages, maxOutputTokens }: GenerateRequest): number {
  const rareBytes = bytes - line.length;
  const images = messages.reduce((sum, { images = [] }) => sum + images.length, 0);
  const text = Math.ceil((line.length + 1) / CHARACTERS_PER_TOKEN) + (rareBytes > 1 ? 2 * rareBytes : 0);
  return text + images * IMAGE_TOKENS_MAX + maxOutputTokens;
}

/** Tokens that the calls of a job may write together: at 32 bytes each, their answers fit into what is read of a job. */
const OUTPUT_TOKENS_MAX = 8_000_000;

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
    tokensMax: number;
    outputTokens: number;
    ids: Set<string>;
    parts: JobPart[];
  }
  const open = new Map<string, Open>();
  const close = (modelId: string): DraftJob[] => {
    const job = open.get(modelId);
    open.delete(modelId);
    return job === undefined || job.lines.length === 0 ? [] : [{ modelId, ...job }];
  };
  return {
    /** Adds the calls of batch `n` of one model from the place `from` on; returns the jobs that are full. */
    add(n: number, modelId: string, calls: readonly WantedLine[], from = 0): DraftJob[] {
      const full: DraftJob[] = [];
      for (const [index, { id, request }] of calls.entries()) {
        const place = from + index;
        const line = toLine(id, modelId, request, own(refused, modelId) ?? []);
        const bytes = Buffer.byteLength(line) + 1;
        // It fits no job, and is made singly.
        if (bytes > limits.bytesMax) continue;
        const known = open.get(modelId);
        if (known !== undefined && !known.ids.has(id)) {
          const isFull =
            known.lines.length === limits.callsMax ||
            known.bytes + bytes > limits.bytesMax ||
            known.outputTokens + request.maxOutputTokens > OUTPUT_TOKENS_MAX;
          if (isFull) full.push(...close(modelId));
        }
        const job = open.get(modelId) ?? {
          lines: [],
          bytes: 0,
          tokensMax: 0,
          outputTokens: 0,
          ids: new Set<string>(),
          parts: [],
        };
        open.set(modelId, job);
        if (!job.ids.has(id)) {
          job.ids.add(id);
          job.lines.push(line);
          job.bytes += bytes;
          job.tokensMax += tokensMaxOf(line, bytes, request);
          job.outputTokens += request.maxOutputTokens;
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
