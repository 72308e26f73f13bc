/**
 * Ends a text at the first of some strings, while it comes in pieces: what could be the beginning of such a
 * string is held back until the next piece decides.
 */
export class StopText {
  readonly #stops: readonly string[];
  #held = '';
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** Whether one of the strings has come. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Takes the next piece and returns what can be shown by now. */
  push(piece: string): string {
    if (this.#stopped) return '';
    const text = this.#held + piece;
    const end = Math.min(...this.#stops.map((stop) => indexOrEnd(text, stop)));
    if (end < text.length) {
      this.#stopped = true;
      this.#held = '';
      return text.slice(0, end);
    }
    const keep = Math.max(0, ...this.#stops.map((stop) => overlap(text, stop)));
    this.#held = text.slice(text.length - keep);
    return text.slice(0, text.length - keep);
  }

  /** What was held back, once nothing more comes. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

function indexOrEnd(text: string, stop: string): number {
  const index = text.indexOf(stop);
  return index === -1 ? text.length : index;
}

/** How many characters at the end of the text are the beginning of the string. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
