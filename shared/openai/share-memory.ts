import { ANSWER_CHARACTERS_MAX } from '#shared/responses/decide/draft.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';

/** Characters of an answer that are read beside others; of a longer one the rest is read while no other long one is held. */
const SHARE_CHARACTERS = ANSWER_CHARACTERS_MAX / 8;

/** Reads an answer, whose memory is its caller's until `work` ends. */
export type Hold = (events: AsyncIterable<ResponseEvent>) => AsyncGenerator<ResponseEvent, void>;

/**
 * Bounds what answers that are read at once take of a worker's memory: each its share, and one of them as much as an answer may have
 * (`ANSWER_CHARACTERS_MAX`). The others that are longer wait, and their models with them.
 */
export class SharedMemory {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  async hold<Result>(work: (hold: Hold) => Promise<Result>): Promise<Result> {
    let [characters, isLong] = [0, false];
    const hold: Hold = async function* (this: SharedMemory, events: AsyncIterable<ResponseEvent>) {
      for await (const event of events) {
        characters += charactersOf(event);
        if (!isLong && characters > SHARE_CHARACTERS) {
          await this.#take();
          isLong = true;
        }
        yield event;
      }
    }.bind(this);
    try {
      return await work(hold);
    } finally {
      if (isLong) this.#release();
    }
  }

  async #take(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
