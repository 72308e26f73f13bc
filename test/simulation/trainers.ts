import { gzipSync } from 'node:zlib';
import { followTrainingJob, lendCredentials } from '#shared/training/background.ts';
import type { AttemptId } from '#shared/training/decide/repository.ts';
import { answerOf } from '#shared/training/decide/request-of.ts';
import { tarEntry } from '#shared/training/decide/tar-entry.ts';
import type { LaunchReply } from '#shared/training/decide/training-jobs.ts';
import {
  type HeldOutAnswer,
  LendCredentialsReply,
  type TrainerMessage,
  TrainingExample,
  type TrainingJob,
} from '#shared/training/schema/training-job.ts';
import { ADAPTER_FILES } from '#test/helpers/base-models.ts';
import { reportOf } from '#test/helpers/trainer-report.ts';
import type { Training, TrainingEnd } from '#trainer/embedded/attempt.ts';
import { createAttemptStore } from '#trainer/embedded/aws-ports.ts';
import { AttemptOverError } from '#trainer/embedded/errors.ts';
import { type LentPorts, type QueuePorts, takeMessages } from '#trainer/embedded/take-messages.ts';
import { type Cloud, type FunctionProcess, request, serverError } from './cloud.ts';
import type { Functions } from './functions.ts';
import type { Machines } from './machines.ts';
import type { SimulatedQueue } from './queue.ts';
import type { SeededRandom } from './random.ts';
import type { SimulatedObjects } from './simulated-objects.ts';
import type { SimulatedTable } from './simulated-table.ts';

const MINUTE = 60_000;
const TRAINING_MILLISECONDS = 6 * MINUTE;
const FAILING_MILLISECONDS = MINUTE;
const STALL_MILLISECONDS = 10 * MINUTE;
/** A trainer's machine is replaced after that long at the latest. */
const LIFE_MILLISECONDS = 180 * MINUTE;
const RESTART_MILLISECONDS = MINUTE;

/** What trainers are made of. */
export interface Workshop {
  readonly cloud: Cloud;
  readonly functions: Functions;
  readonly machines: Machines;
  readonly objects: SimulatedObjects;
  readonly table: SimulatedTable;
  readonly random: SeededRandom;
}

/** A process that is not a function, and may be taken away at any request, and after a while in any case. */
function machineOf({ clock }: Cloud, name: string, onGone: () => void): FunctionProcess {
  let isGone = false;
  const process: FunctionProcess = {
    name,
    isAlive: true,
    waits: 0,
    isDone: false,
    crash: () => {
      if (isGone) return;
      isGone = true;
      clock.kill(process);
      onGone();
    },
  };
  clock.after(LIFE_MILLISECONDS, () => process.crash());
  return process;
}

/**
 * What credentials of an attempt open, renewed as trainers do: without them, nothing.
 * @throws {AttemptOverError} where none are lent any more
 */
function borrower({ functions, cloud, objects, table }: Workshop, message: TrainerMessage) {
  let expiresMs = 0;
  const lent = async (): Promise<void> => {
    if (cloud.clock.now() < expiresMs) return;
    const { job_key, secret } = message;
    const outcome = await cloud.clock.awaiting(functions.invoke(lendCredentials.id, { job_key, secret }));
    if (!outcome.ok) throw new Error(outcome.message);
    const { credentials } = LendCredentialsReply.parse(outcome.value);
    if (credentials === null) throw new AttemptOverError('No credentials are lent for this attempt.');
    expiresMs = Date.parse(credentials.expires_at);
  };
  return {
    attempts: createAttemptStore({
      send: async (command: object) => {
        await lent();
        return (table.table.client as { send(given: object): Promise<unknown> }).send(command);
      },
    } as Parameters<typeof createAttemptStore>[0]),
    read: async (key: string): Promise<string> => {
      await lent();
      const body = await objects.objects.read(key);
      if (body === null) throw new Error(`There is no object ${key}.`);
      return body.toString('utf8');
    },
    write: async (key: string, body: string | Buffer): Promise<void> => {
      await lent();
      await objects.objects.write(key, body, 'application/octet-stream');
    },
  };
}

type Borrowed = ReturnType<typeof borrower>;

/** Reads the rows, takes a while, and leaves what a trainer leaves; no model is trained. */
async function perform(
  { cloud: { clock, faults }, random }: Workshop,
  job: TrainingJob,
  { read, write }: Borrowed,
): Promise<TrainingEnd> {
  for (const key of job.data.train_keys) await read(key);
  const held = (await read(job.data.held_out_key)).split('\n').filter((line) => line !== '');
  const where = (): string => `${job.experiment_id} ${job.iteration} ${job.attempt}`;
  const fails = faults.strikes('trainer fails', where);
  // What runs out of memory mostly does so with the first of its rows.
  await clock.sleep(random.wait(fails ? FAILING_MILLISECONDS : TRAINING_MILLISECONDS));
  if (fails) return { outcome: 'failed', cause: 'It ran out of memory.' };
  const reported: TrainingEnd = { outcome: 'reported', reportKey: `${job.output_prefix}report.json` };
  if (random.chance(0.1)) {
    await write(`${job.output_prefix}report.json`, JSON.stringify(reportOf(job, 'diverged', 0)));
    return reported;
  }
  const wins = random.below(held.length + 1);
  const answers = held.map((line, index): HeldOutAnswer => {
    const { row, messages, completion, chosen } = TrainingExample.parse(JSON.parse(line));
    const reference = answerOf(completion ?? chosen ?? '');
    return {
      row,
      messages,
      reference,
      base: { answer: 'no', reference_logprob: -2 },
      tuned: { answer: reference, reference_logprob: index < wins ? -1 : -3 },
    };
  });
  const artifact = gzipSync(
    Buffer.concat([
      ...Object.entries(ADAPTER_FILES).map(([name, body]) => tarEntry(name, Buffer.from(body))),
      Buffer.alloc(1024),
    ]),
  );
  await write(
    `${job.output_prefix}answers.jsonl`,
    answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''),
  );
  await write(`${job.output_prefix}artifact.tar.gz`, artifact);
  await write(`${job.output_prefix}report.json`, JSON.stringify(reportOf(job, 'completed', artifact.length)));
  return reported;
}

/** What takes the messages of a trainer: the code of the embedded trainer, on simulated services. */
function portsOf(
  workshop: Workshop,
  process: FunctionProcess,
  queue: Pick<QueuePorts, 'receive' | 'remove'>,
  owner: string | null,
): QueuePorts {
  const { cloud, machines, random } = workshop;
  const { clock, faults } = cloud;
  const borrow = (message: TrainerMessage): LentPorts => {
    const borrowed = borrower(workshop, message);
    const { attempts } = borrowed;
    return {
      readObject: async (_bucket, key) => borrowed.read(key),
      attempts: {
        ...attempts,
        claim: async (item, me, at) =>
          // A job that was interrupted goes on with what it has claimed.
          (await attempts.claim(item, me, at)) ||
          (owner !== null && attempts.beat(item, me, at, { phase: 'starting' })),
        beat: async (item, me, at, progress) => {
          if (faults.strikes('trainer dies', () => process.name)) {
            process.crash();
            return new Promise(() => {});
          }
          if (faults.strikes('trainer stalls', () => process.name)) await clock.sleep(STALL_MILLISECONDS);
          return attempts.beat(item, me, at, progress);
        },
      },
      startTraining: (job): Training => ({
        progress: () => ({ phase: 'training' }),
        ended: perform(workshop, job, borrowed).catch((error: unknown): TrainingEnd => {
          const cause = error instanceof Error ? error.message : String(error);
          return { outcome: 'failed', cause };
        }),
        // What it is writing at that moment arrives.
        stop: async () => {},
      }),
    };
  };
  return {
    ...queue,
    borrow,
    tasks: {
      ...machines.tokens,
      succeed: async (token, output) => {
        const isTwice = faults.strikes('trainer reports twice', () => token);
        const isAwaited = await machines.tokens.succeed(token, output);
        if (isTwice) await machines.tokens.succeed(token, output);
        return isAwaited;
      },
    },
    newOwner: () => owner ?? `trainer-${random.below(1e9)}`,
    now: () => new Date(),
    pause: (seconds, signal) =>
      clock.sleep(seconds * 1000, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      }),
    log: () => {},
  };
}

/** A machine that takes jobs from a queue, and is replaced by another one when it is gone. */
export function startTrainer(workshop: Workshop, name: string, queue: SimulatedQueue): void {
  const { clock, random } = workshop.cloud;
  const process = machineOf(workshop.cloud, name, () =>
    clock.after(random.wait(RESTART_MILLISECONDS), () => startTrainer(workshop, name, queue)),
  );
  const ports = portsOf(
    workshop,
    process,
    { receive: () => queue.receive(), remove: (receipt) => queue.remove(receipt) },
    null,
  );
  void clock.spawn(process, () => takeMessages(ports, new AbortController().signal));
}

interface SageMakerJob {
  readonly name: string;
  readonly id: AttemptId;
  readonly message: TrainerMessage;
  status: 'InProgress' | 'Stopping' | 'Completed' | 'Failed' | 'Stopped';
  process: FunctionProcess | null;
}

const STARTING_MILLISECONDS = 4 * MINUTE;
const STOPPING_MILLISECONDS = 30_000;
const EVENT_MILLISECONDS = 2000;
const JOBS_MAX = 2;

/**
 * Training jobs of SageMaker: a name is used once, the account has room for two jobs, a job takes minutes to start and to stop, may
 * find no instance, may be interrupted and started again, and its states are reported late, in any order, or not at all.
 */
export class TrainingJobs {
  readonly #jobs = new Map<string, SageMakerJob>();
  private readonly workshop: Workshop;

  constructor(workshop: Workshop) {
    this.workshop = workshop;
  }

  /** Names of jobs that have not ended. */
  running(): string[] {
    return [...this.#jobs.values()]
      .filter(({ status }) => status === 'InProgress' || status === 'Stopping')
      .map(({ name }) => name);
  }

  readonly launcher = {
    launch: async (id: AttemptId, message: TrainerMessage): Promise<LaunchReply> => {
      const { cloud } = this.workshop;
      const name = nameOf(id);
      const where = `CreateTrainingJob ${name}`;
      const isRefused = cloud.faults.strikes('start refused', () => where);
      const isUnheard = cloud.faults.strikes('start unheard', () => where);
      const isFull = cloud.faults.strikes('no room', () => where);
      return request(cloud, { where, isWrite: true, mean: 100 }, (): LaunchReply => {
        if (isRefused) throw serverError('InternalFailure');
        if (this.#jobs.has(name)) return { outcome: 'launched' };
        if (isFull || this.running().length >= JOBS_MAX) return { outcome: 'no_room' };
        const job: SageMakerJob = { name, id, message, status: 'InProgress', process: null };
        this.#jobs.set(name, job);
        cloud.clock.after(0, () => this.#start(job, 'Starting'));
        if (isUnheard) throw serverError('InternalFailure');
        return { outcome: 'launched' };
      });
    },
  };

  readonly stopper = {
    stop: async (id: AttemptId): Promise<void> => {
      const { cloud } = this.workshop;
      const name = nameOf(id);
      const where = `StopTrainingJob ${name}`;
      const isRefused = cloud.faults.strikes('start refused', () => where);
      await request(cloud, { where, isWrite: true, mean: 100 }, () => {
        if (isRefused) throw serverError('InternalFailure');
        const job = this.#jobs.get(name);
        if (job?.status !== 'InProgress') return;
        job.status = 'Stopping';
        cloud.clock.after(cloud.random.wait(STOPPING_MILLISECONDS), () => this.#end(job, 'Stopped'));
      });
    },
  };

  #start(job: SageMakerJob, state: string): void {
    const { cloud } = this.workshop;
    this.#report(job, state);
    cloud.clock.after(cloud.random.wait(STARTING_MILLISECONDS), () => {
      if (job.status !== 'InProgress') return;
      if (cloud.faults.strikes('no instance', () => job.name)) {
        this.#end(job, 'Failed', 'CapacityError: Unable to provision requested ML compute capacity.');
        return;
      }
      this.#report(job, 'Training');
      this.#run(job);
    });
  }

  #run(job: SageMakerJob): void {
    const { cloud } = this.workshop;
    const { clock, faults } = cloud;
    const process = machineOf(cloud, job.name, () => {
      if (job.process !== process || job.status !== 'InProgress') return;
      job.process = null;
      if (faults.strikes('job interrupted', () => job.name)) this.#start(job, 'Interrupted');
      else this.#end(job, 'Failed');
    });
    job.process = process;
    const over = new AbortController();
    let isGiven = false;
    const queue = {
      receive: async () => {
        if (isGiven) over.abort();
        isGiven = true;
        return over.signal.aborted ? undefined : { body: JSON.stringify(job.message), receipt: '' };
      },
      remove: async () => {},
    };
    const ports = portsOf(this.workshop, process, queue, job.name);
    void clock.spawn(process, () => takeMessages(ports, over.signal)).then(() => this.#end(job, 'Completed'));
  }

  #end(
    job: SageMakerJob,
    status: 'Completed' | 'Failed' | 'Stopped',
    reason = 'AlgorithmError: it has ended',
  ): void {
    if (job.status !== 'InProgress' && job.status !== 'Stopping') return;
    job.status = status;
    const { process } = job;
    job.process = null;
    if (process !== null) this.workshop.cloud.clock.kill(process);
    this.workshop.cloud.tell(`the training job ${job.name} ends: ${status}`);
    this.#report(job, status, reason);
  }

  #report(job: SageMakerJob, state: string, reason?: string): void {
    const { cloud, functions } = this.workshop;
    if (cloud.faults.strikes('job unreported', () => `${job.name} ${state}`)) return;
    const detail = {
      TrainingJobName: job.name,
      TrainingJobStatus: job.status,
      SecondaryStatus: state,
      ...(state === 'Failed' ? { FailureReason: reason } : {}),
      HyperParameters: { job_key: JSON.stringify(job.message.job_key) },
    };
    cloud.clock.after(cloud.random.wait(EVENT_MILLISECONDS), () =>
      functions.start(followTrainingJob.id, { detail }),
    );
  }
}

const nameOf = ({ experiment_id, iteration, attempt }: AttemptId): string =>
  `job-${experiment_id}-${iteration}-${attempt}`;
