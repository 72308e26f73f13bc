import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';

/** Milliseconds since the epoch at which every simulation begins. */
export const START_MS = Date.parse('2026-03-01T00:00:00.000Z');

/**
 * A process of the simulated service: an invocation of a function, an execution of a state machine, a caller. One that is
 * killed never goes on: what it waits for does not return, as in a real process that is gone.
 */
export interface SimulatedProcess {
  readonly name: string;
  isAlive: boolean;
  /** Simulated operations that it waits for. */
  waits: number;
  isDone: boolean;
  /** Milliseconds by which the clock of its host is ahead. */
  readonly skewMs?: number;
}

interface Scheduled {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  isCancelled: boolean;
}

const realSetImmediate = setImmediate;
const realSetTimeout = setTimeout;
const realNow = performance.now.bind(performance);

/** Milliseconds that real work, such as loading a module, may take between two steps. */
const REAL_WORK_MILLISECONDS_MAX = 20_000;

/**
 * The one clock and scheduler of a simulation. Nothing happens but what it runs, one step after the other in the order of
 * their times, and only when all that the step before has set off has come to rest. So a simulation is what its seed is.
 */
export class WorldClock {
  #nowMs = START_MS;
  #order = 0;
  #steps = 0;
  readonly #heap: Scheduled[] = [];
  readonly #context = new AsyncLocalStorage<SimulatedProcess>();
  readonly #processes = new Set<SimulatedProcess>();

  /** Milliseconds since the epoch. */
  now = (): number => this.#nowMs;

  get steps(): number {
    return this.#steps;
  }

  /** The same by the clock of the host of the running process. */
  hostNow = (): number => this.#nowMs + (this.current()?.skewMs ?? 0);

  /** The process that is running; undefined in a step of the scheduler itself. */
  current(): SimulatedProcess | undefined {
    return this.#context.getStore();
  }

  /** Runs `run` after so many milliseconds; the returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void {
    const entry: Scheduled = {
      atMs: this.#nowMs + Math.max(0, milliseconds),
      order: this.#order++,
      run,
      isCancelled: false,
    };
    this.#push(entry);
    return () => {
      entry.isCancelled = true;
    };
  }

  /** A timer of the running process: it does not ring when the process is gone. */
  timer(milliseconds: number, ring: () => void): () => void {
    const owner = this.current();
    const bound = AsyncResource.bind(ring);
    return this.after(milliseconds, () => {
      if (owner?.isAlive !== false) bound();
    });
  }

  /** Waits in virtual time. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const done = this.#waiting();
      const onAbort = (): void => {
        cancel();
        done();
        reject(signal?.reason);
      };
      const cancel = this.timer(milliseconds, () => {
        signal?.removeEventListener('abort', onAbort);
        done();
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }

  /**
   * An operation outside of the process, such as a write to the table: it takes effect after `there` milliseconds, also if the
   * process is gone by then, and returns after `back` milliseconds more, if the process is still there.
   */
  operation<T>(there: number, back: number, effect: () => Promise<T> | T): Promise<T> {
    const owner = this.current();
    return new Promise((resolve, reject) => {
      const done = this.#waiting();
      const settle = (give: () => void): void => {
        this.after(back, () => {
          if (owner?.isAlive === false) return;
          done();
          give();
        });
      };
      this.after(there, () => {
        Promise.resolve()
          .then(effect)
          .then(
            (value) => settle(() => resolve(value)),
            (error: unknown) => settle(() => reject(error)),
          );
      });
    });
  }

  /** Runs `work` as a process of its own. Its promise never settles if the process is killed. */
  spawn<T>(process: SimulatedProcess, work: () => Promise<T>): Promise<T> {
    this.#processes.add(process);
    return new Promise((resolve, reject) => {
      const over = (): void => {
        process.isDone = true;
        this.#processes.delete(process);
      };
      this.#context.run(process, work).then(
        (value) => {
          over();
          if (process.isAlive) resolve(value);
        },
        (error: unknown) => {
          over();
          if (process.isAlive) reject(error);
        },
      );
    });
  }

  kill(process: SimulatedProcess): void {
    process.isAlive = false;
    process.isDone = true;
    this.#processes.delete(process);
  }

  /** Marks that the running process waits for something that the simulation will do; the returned function ends it. */
  #waiting(): () => void {
    const owner = this.current();
    if (owner === undefined) return () => {};
    owner.waits += 1;
    let isOver = false;
    return () => {
      if (!isOver) owner.waits -= 1;
      isOver = true;
    };
  }

  /** Waits for something of the simulation, other than an operation: the end of another process. */
  async awaiting<T>(promise: Promise<T>): Promise<T> {
    const done = this.#waiting();
    try {
      return await promise;
    } finally {
      done();
    }
  }

  /**
   * Runs step after step until `isOver` says so or nothing is left.
   * @param onStep called when a step has come to rest; what it throws ends the simulation
   */
  async run(isOver: () => boolean, onStep: () => void): Promise<void> {
    await this.#rest();
    while (!isOver()) {
      const next = this.#pop();
      if (next === undefined) return;
      if (next.isCancelled) continue;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#steps += 1;
      next.run();
      await this.#rest();
      onStep();
    }
  }

  /**
   * Waits until everything that runs waits for the simulation. A process that waits for nothing of it does real work, such as
   * loading a module: it is waited for, however long that takes, so that the order of steps does not depend on it.
   */
  async #rest(): Promise<void> {
    await new Promise((resolve) => realSetImmediate(resolve));
    let since: number | null = null;
    for (;;) {
      const busy = this.#busy();
      if (busy === undefined) return;
      since ??= realNow();
      if (realNow() - since > REAL_WORK_MILLISECONDS_MAX) {
        throw new Error(`${busy.name} waits for nothing of the simulation.`);
      }
      await new Promise((resolve) => realSetTimeout(resolve, 0));
    }
  }

  /** A process that waits for nothing of the simulation. */
  #busy(): SimulatedProcess | undefined {
    for (const process of this.#processes) if (process.waits === 0 && !process.isDone) return process;
    return undefined;
  }

  #push(entry: Scheduled): void {
    const heap = this.#heap;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(entry, heap[above] as Scheduled)) break;
      heap[at] = heap[above] as Scheduled;
      at = above;
    }
    heap[at] = entry;
  }

  #pop(): Scheduled | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Scheduled, heap[below] as Scheduled))
        below += 1;
      if (!isBefore(heap[below] as Scheduled, last)) break;
      heap[at] = heap[below] as Scheduled;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Scheduled, b: Scheduled): boolean =>
  a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
