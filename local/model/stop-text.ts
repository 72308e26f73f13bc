/** Ends a streamed text at the first stop string: a possible start of one is held back until the next piece. */
export class StopText {
  readonly #stops: readonly string[];
  #held = '';
  #stopped = false;

  constructor(stops: readonly string[]) {
    this.#stops = stops;
  }

  /** Whether a stop string has occurred. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Takes the next piece and returns the text that can be emitted. */
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

  /** The held-back text, at the end of the stream. */
  flush(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** Start of the stop string that completes first, so that the result does not depend on the pieces. */
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

/** Length of the text's suffix that is a prefix of the stop string. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(text.length, stop.length - 1); length > 0; length -= 1) {
    if (text.endsWith(stop.slice(0, length))) return length;
  }
  return 0;
}
