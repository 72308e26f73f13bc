import type { Context } from 'aws-lambda';
import { taskPath } from '#shared/platform/pipelines/pipeline.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import type { TaskHandler } from '#shared/platform/runtime/task.ts';
import { allBackgroundFunctions } from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { loadTask } from '#test/helpers/handlers.ts';
import type { Cloud, FunctionProcess } from './cloud.ts';

/** How an invocation ended, as its caller hears of it. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string; readonly message: string };

interface Limits {
  readonly timeoutSeconds: number;
  /** How often Lambda repeats an asynchronous invocation that failed. */
  readonly retries: number;
}

/** Clocks of hosts differ by so much at most. */
export const SKEW_MILLISECONDS = 400;
const MISTAKES = ['RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'ZodError'];
/** For which no function starts when all are deployed anew. */
const DEPLOYING_MILLISECONDS = 8000;
const CLOSED: Outcome = { ok: false, error: 'Lambda.ServiceException', message: 'It is being deployed.' };
const START_MILLISECONDS = 15;
const COLD_START_MILLISECONDS = 300;
/** Lambda's pauses before it repeats an asynchronous invocation. */
const RETRY_MILLISECONDS = [60_000, 120_000] as const;
const LATE_MILLISECONDS = 240_000;

/** The limits of every function that is no endpoint, by its id (`tasks/adapt/plan-run`). */
const limitsOf = new Map<string, Limits>([
  ...pipelines.flatMap(({ id, tasks }) =>
    Object.entries(tasks).map(
      ([name, { timeoutSeconds }]) =>
        [taskPath(id, name).replace(/^functions\/(.*)\.ts$/, '$1'), { timeoutSeconds, retries: 2 }] as const,
    ),
  ),
  ...allBackgroundFunctions.map(
    ({ id, timeoutSeconds, trigger }) =>
      [id, { timeoutSeconds, retries: trigger.kind === 'invoke' ? (trigger.retries ?? 2) : 2 }] as const,
  ),
]);

export const isFunctionId = (id: string): boolean => limitsOf.has(id);

/** AWS Lambda: invocations are processes of their own, which crash, hang, run out of time, and keep what they have loaded. */
export class Functions {
  #count = 0;
  readonly #warm = new Map<string, Use[]>();
  readonly #handlers = new Map<string, Promise<TaskHandler>>();
  /** Invocations that are running. */
  readonly running = new Set<FunctionProcess>();
  /** Until when no function starts, since all are being deployed anew. */
  #closedUntilMs = 0;

  private readonly cloud: Cloud;
  /** The resources of a new process. */
  private readonly createUse: () => Use;

  constructor(cloud: Cloud, createUse: () => Use) {
    this.cloud = cloud;
    this.createUse = createUse;
  }

  /**
   * Deploys all functions anew: every process is gone at once, with its timers and what it had in memory, and none starts for some
   * seconds. Executions, queues and schedules, which are no processes of the service, go on.
   */
  redeploy(): void {
    const { clock, random, tell } = this.cloud;
    tell(`all functions are deployed anew, ${this.running.size} are running`);
    this.#warm.clear();
    this.#closedUntilMs = clock.now() + random.wait(DEPLOYING_MILLISECONDS);
    for (const process of [...this.running]) process.crash();
  }

  /** Invokes a function and waits, as a state machine does. */
  invoke(id: string, payload: unknown): Promise<Outcome> {
    const limits = limitsOf.get(id);
    if (limits === undefined) throw new Error(`There is no function ${id}.`);
    const { faults, clock } = this.cloud;
    if (this.#isClosed()) return Promise.resolve(CLOSED);
    if (faults.strikes('no place', () => id)) {
      return Promise.resolve({
        ok: false,
        error: 'Lambda.TooManyRequestsException',
        message: 'Rate Exceeded.',
      });
    }
    const forgets = faults.strikes('invocation forgotten', () => id);
    const ended = this.run(id, limits.timeoutSeconds, async (use, context) => {
      this.#handlers.set(id, this.#handlers.get(id) ?? loadTask(`functions/${id}.ts`));
      const handler = (await this.#handlers.get(id)) as TaskHandler;
      return handler.with({}, use)(structuredClone(payload), context);
    });
    if (!forgets) return ended;
    return new Promise((resolve) => {
      clock.after(this.cloud.random.wait(4000), () =>
        resolve({ ok: false, error: 'Lambda.ServiceException', message: 'The connection is gone.' }),
      );
    });
  }

  /** Invokes a function without waiting for it, and repeats it as Lambda does. */
  start(id: string, payload: unknown): void {
    const { clock, faults, random } = this.cloud;
    const { retries } = limitsOf.get(id) ?? { retries: 2 };
    const attempt = (left: number, wait: number): void => {
      clock.after(wait, () => {
        void this.invoke(id, payload).then((outcome) => {
          if (outcome.ok || left === 0) return;
          const pause = RETRY_MILLISECONDS[retries - left] ?? RETRY_MILLISECONDS[1];
          attempt(left - 1, pause);
        });
      });
    };
    const late = faults.strikes('invoked late', () => id) ? random.wait(LATE_MILLISECONDS) : 0;
    attempt(retries, random.wait(30) + late);
    if (faults.strikes('invoked twice', () => id)) attempt(retries, random.wait(20_000));
  }

  #isClosed(): boolean {
    return this.cloud.clock.now() < this.#closedUntilMs;
  }

  /** Runs code in a process with the limits of a function. */
  run(
    name: string,
    timeoutSeconds: number,
    work: (use: Use, context: Context) => Promise<unknown>,
  ): Promise<Outcome> {
    const { clock, random } = this.cloud;
    if (this.#isClosed()) return Promise.resolve(CLOSED);
    const warm = this.#warm.get(name) ?? [];
    this.#warm.set(name, warm);
    const isWarm = warm.length > 0 && !random.chance(0.05);
    const use = (isWarm ? warm.pop() : undefined) ?? this.createUse();
    const skewMs = (random.next() - 0.5) * 2 * SKEW_MILLISECONDS;
    const request = `${name}#${this.#count++}`;
    return new Promise((resolve) => {
      let isOver = false;
      const end = (outcome: Outcome): void => {
        if (isOver) return;
        isOver = true;
        cancelLimit();
        this.running.delete(process);
        clock.after(random.wait(5), () => resolve(outcome));
      };
      const process: FunctionProcess = {
        name: request,
        isAlive: true,
        waits: 0,
        isDone: false,
        skewMs,
        crash: () => {
          clock.kill(process);
          end({ ok: false, error: 'Runtime.ExitError', message: 'RequestId: the process exited.' });
        },
      };
      const startMs = random.wait(isWarm ? START_MILLISECONDS : COLD_START_MILLISECONDS);
      const deadlineMs = clock.now() + startMs + timeoutSeconds * 1000;
      const cancelLimit = clock.after(startMs + timeoutSeconds * 1000, () => {
        clock.kill(process);
        end({
          ok: false,
          error: 'Sandbox.Timedout',
          message: `Task timed out after ${timeoutSeconds} seconds`,
        });
      });
      this.running.add(process);
      clock.after(startMs, () => {
        const context = {
          awsRequestId: request,
          functionName: name,
          getRemainingTimeInMillis: () => Math.max(0, deadlineMs - clock.now()),
        } as Context;
        clock
          .spawn(process, () => work(use, context))
          .then(
            (value) => {
              warm.push(use);
              end({ ok: true, value });
            },
            (error: unknown) => {
              warm.push(use);
              const { name: code = 'Error', message = '' } = error instanceof Error ? error : {};
              this.cloud.tell(`${request} fails: ${code}: ${message.slice(0, 200)}`);
              // What is no failure of anything that the function has asked.
              if (MISTAKES.includes(code) || message.startsWith('The environment variable'))
                this.cloud.breaks('a function fails for a reason', `${request}: ${code}: ${message}`);
              end({ ok: false, error: code, message });
            },
          );
      });
    });
  }
}
