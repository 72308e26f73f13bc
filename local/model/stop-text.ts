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
    const start = startOfFirst(text, this.#stops);
    if (start !== undefined) {
      this.#stopped = true;
      this.#held = '';
      return text.slice(0, start);
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

/** Where the string begins that is complete first, so that it does not matter in which pieces a text comes. */
function startOfFirst(text: string, stops: readonly string[]): number | undefined {
  let first: { start: number; end: number } | undefined;
  for (const stop of stops) {
    const start = text.indexOf(stop);
    const end = start + stop.length;
    if (
      start < 0 ||
      (first !== undefined && (end > first.end || (end === first.end && start > first.start)))
    ) {
      continue;
    }
    first = { start, end };
  }
  return first?.start;
}

/** How many characters at the end of the text are the beginning of the string. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
