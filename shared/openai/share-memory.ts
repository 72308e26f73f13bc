import type { AnswerTime } from '#shared/responses/ask-patiently.ts';
import { ANSWER_CHARACTERS_MAX } from '#shared/responses/decide/draft.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';

/** Characters of an answer that are read beside others; of a longer one the rest is read while no other long one is held. */
const SHARE_CHARACTERS = ANSWER_CHARACTERS_MAX / 8;

/** The memory that one answer takes: its caller's until `SharedMemory.hold` ends, or it lets go of it. */
export interface Held {
  /** Reads an answer; the time that it may take does not run while it waits for memory. @throws what `until` aborts with */
  read(
    events: AsyncIterable<ResponseEvent>,
    time: Pick<AnswerTime, 'outside'>,
  ): AsyncGenerator<ResponseEvent, void>;
  /** Waits until no other long answer is held: what stands before this one is long already. @throws what `until` aborts with */
  takeLong(time: Pick<AnswerTime, 'outside'>): Promise<void>;
  /** The answer is gone: another one will be asked for. */
  letGo(): void;
}

/**
 * Bounds what answers that are read at once take of a worker's memory: each its share, and one of them as much as an answer may have
 * (`ANSWER_CHARACTERS_MAX`), or has a long conversation before it. The others that are longer wait, and their models with them.
 */
export class SharedMemory {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  readonly #until: AbortSignal;

  /** @param until when nobody waits any longer */
  constructor(until: AbortSignal) {
    this.#until = until;
  }

  async hold<Result>(work: (held: Held) => Promise<Result>): Promise<Result> {
    let [isLong, isOver] = [false, false];
    let taking: Promise<void> | null = null;
    const letGo = (): void => {
      if (isLong) this.#release();
      isLong = false;
    };
    const take = async (): Promise<void> => {
      await this.#take();
      isLong = true;
      // Whoever waited for it has failed for another reason meanwhile.
      if (isOver) letGo();
    };
    const takeLong = async (time: Pick<AnswerTime, 'outside'>): Promise<void> => {
      if (isLong) return;
      taking ??= take().finally(() => {
        taking = null;
      });
      const taken = taking;
      await time.outside(() => taken);
    };
    const read = async function* (events: AsyncIterable<ResponseEvent>, time: Pick<AnswerTime, 'outside'>) {
      let characters = 0;
      for await (const event of events) {
        characters += charactersOf(event);
        if (characters > SHARE_CHARACTERS) await takeLong(time);
        yield event;
      }
    };
    try {
      return await work({ read, takeLong, letGo });
    } finally {
      isOver = true;
      letGo();
    }
  }

  async #take(): Promise<void> {
    this.#until.throwIfAborted();
    if (this.#isTaken) {
      await new Promise<void>((resolve, reject) => {
        const give = (): void => {
          this.#until.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(give), 1);
          reject(this.#until.reason);
        };
        this.#waiting.push(give);
        this.#until.addEventListener('abort', leave, { once: true });
      });
    }
    this.#isTaken = true;
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#isTaken = false;
    else next();
  }
}

/** Characters that an event adds to its answer. */
function charactersOf(event: ResponseEvent): number {
  // Of messages and reasoning, the events before have said them.
  const isWhole =
    event.type === 'response.output_item.done' && !['message', 'reasoning'].includes(event.item.type);
  return isWhole || event.type.endsWith('.delta') ? JSON.stringify(event).length : 0;
}
