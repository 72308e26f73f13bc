import { ApiError } from './api-error.ts';

interface Waiting<Slot> {
  readonly prefer: (free: readonly Slot[]) => Slot | undefined;
  readonly resolve: (slot: Slot) => void;
}

/** Distributes a fixed number of slots, first come first served, with a maximum of waiting requests. */
export class SlotQueue<Slot> {
  readonly #free: Slot[];
  readonly #waiting: Waiting<Slot>[] = [];
  readonly #waitingMax: number;
  readonly #retryAfterSeconds: number;

  constructor(slots: readonly Slot[], limits: { waitingMax: number; retryAfterSeconds: number }) {
    this.#free = [...slots];
    this.#waitingMax = limits.waitingMax;
    this.#retryAfterSeconds = limits.retryAfterSeconds;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Runs the work with a slot, as soon as one is free. `prefer` selects among the free ones.
   * @throws {ApiError} 429 if too many requests wait; the signal's reason if it aborts while waiting.
   */
  async use<Result>(
    work: (slot: Slot) => Promise<Result>,
    signal: AbortSignal,
    prefer: (free: readonly Slot[]) => Slot | undefined = (free) => free[0],
  ): Promise<Result> {
    const slot = await this.#take(signal, prefer);
    try {
      return await work(slot);
    } finally {
      this.#giveBack(slot);
    }
  }

  #take(signal: AbortSignal, prefer: Waiting<Slot>['prefer']): Promise<Slot> {
    signal.throwIfAborted();
    const slot = prefer(this.#free);
    if (slot !== undefined) {
      this.#free.splice(this.#free.indexOf(slot), 1);
      return Promise.resolve(slot);
    }
    if (this.#waiting.length >= this.#waitingMax) {
      throw new ApiError(429, `${this.#waiting.length} requests wait already: send fewer at once.`, {
        code: 'rate_limit_exceeded',
        retryAfterSeconds: this.#retryAfterSeconds,
      });
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1);
        reject(signal.reason);
      };
      const entry: Waiting<Slot> = {
        prefer,
        resolve: (granted) => {
          signal.removeEventListener('abort', leave);
          resolve(granted);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
    });
  }

  #giveBack(slot: Slot): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(slot);
    else next.resolve(slot);
  }
}
