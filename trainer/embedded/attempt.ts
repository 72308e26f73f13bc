import type { TaskTokens } from '#shared/training/decide/trainer-queue.ts';
import type { TrainingJob } from '#shared/training/schema/training-job.ts';
import type { TrainingProgress } from './run-job.ts';

type AttemptItem = TrainingJob['attempt_item'];

/** The items of attempts. Every method returns whether this trainer may still write to the attempt. */
export interface AttemptStore {
  /** Claims a queued attempt. */
  claim(item: AttemptItem, owner: string, at: Date): Promise<boolean>;
  beat(item: AttemptItem, owner: string, at: Date, progress: TrainingProgress): Promise<boolean>;
  end(item: AttemptItem, owner: string): Promise<boolean>;
}

/** The tasks of state machines. Every method returns whether the task is still waiting. */
export interface Tasks extends TaskTokens {
  heartbeat(token: string): Promise<boolean>;
  succeed(token: string, output: unknown): Promise<boolean>;
}

/** How a training ended. */
export type TrainingEnd =
  | { readonly outcome: 'reported'; readonly reportKey: string }
  | { readonly outcome: 'refused'; readonly cause: string }
  | { readonly outcome: 'failed'; readonly cause: string };

/** A training in another process, so that this process can send heartbeats. */
export interface Training {
  readonly progress: () => TrainingProgress;
  readonly ended: Promise<TrainingEnd>;
  stop(): Promise<void>;
}

export type Log = (event: string, fields?: Readonly<Record<string, unknown>>) => void;

export interface AttemptPorts {
  readonly attempts: AttemptStore;
  readonly tasks: Tasks;
  readonly startTraining: (job: TrainingJob) => Training;
  readonly newOwner: () => string;
  readonly now: () => Date;
  /** Resolves after this many seconds, or when the signal aborts. */
  readonly pause: (seconds: number, signal: AbortSignal) => Promise<void>;
  readonly log: Log;
}

/**
 * Claims the attempt of a job and completes it. `onClaimed` is called as soon as the owner of the attempt is known.
 * When a heartbeat is rejected, the training stops at once and nothing is reported.
 */
export async function takeJob(
  job: TrainingJob,
  ports: AttemptPorts,
  onClaimed: () => Promise<void>,
): Promise<void> {
  const { attempts, tasks, now } = ports;
  const log: Log = (event, fields) =>
    ports.log(event, {
      experiment_id: job.experiment_id,
      iteration: job.iteration,
      attempt: job.attempt,
      ...fields,
    });
  const owner = ports.newOwner();
  const isMine = await attempts.claim(job.attempt_item, owner, now());
  await onClaimed();
  if (!isMine) {
    log('claim_refused');
    return;
  }
  log('claimed', { model: job.model.id, methods: job.stages.map(({ method }) => method) });
  const training = ports.startTraining(job);
  const end = await Promise.race([training.ended, keepAlive(job, owner, training, ports, log)]);
  if (end === 'lost') {
    await training.stop();
    log('attempt_lost');
    return;
  }
  // One more heartbeat, so that an attempt that was lost since the last one reports nothing.
  if (!(await attempts.beat(job.attempt_item, owner, now(), training.progress()))) {
    log('attempt_lost');
    return;
  }
  const isAwaited =
    end.outcome === 'reported'
      ? await tasks.succeed(job.task_token, { report_key: end.reportKey })
      : await tasks.fail(job.task_token, `trainer_${end.outcome}`, end.cause);
  log(end.outcome, end.outcome === 'reported' ? {} : { cause: end.cause });
  if (isAwaited) await attempts.end(job.attempt_item, owner);
}

/** Sends heartbeats until the training ends; resolves when one is rejected. */
async function keepAlive(
  job: TrainingJob,
  owner: string,
  training: Training,
  { attempts, tasks, now, pause }: AttemptPorts,
  log: Log,
): Promise<'lost'> {
  const ending = new AbortController();
  const over = training.ended.finally(() => ending.abort());
  for (;;) {
    await pause(job.heartbeat_seconds, ending.signal);
    if (ending.signal.aborted) {
      await over;
      return new Promise(() => {});
    }
    try {
      if (!(await attempts.beat(job.attempt_item, owner, now(), training.progress()))) return 'lost';
      if (!(await tasks.heartbeat(job.task_token))) return 'lost';
    } catch (error) {
      // A failed request is not a rejection: the next may succeed.
      log('heartbeat_failed', { error: error instanceof Error ? error.name : 'unknown' });
    }
  }
}
