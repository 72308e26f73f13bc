import { createRequire } from 'node:module';
import type { SingleBar } from 'cli-progress';
import type { Io } from './io.ts';

// A CommonJS package whose named exports Node does not find.
const cliProgress = createRequire(import.meta.url)('cli-progress') as typeof import('cli-progress');

/** Says on standard error what a command is doing: as bars on a terminal, elsewhere as a line for each step. */
export class Progress {
  readonly #io: Io;
  #bar: SingleBar | null = null;
  #title: string | null = null;

  constructor(io: Io) {
    this.#io = io;
  }

  /** Begins a step, which ends the one before. */
  begin(title: string): void {
    this.end();
    this.#title = title;
    if (this.#io.terminal === null) {
      this.#io.writeError(`${title}\n`);
      return;
    }
    this.#bar = new cliProgress.SingleBar(
      { stream: this.#io.terminal, format: `${title} {bar} {percentage} %`, hideCursor: true },
      cliProgress.Presets.shades_classic,
    );
    this.#bar.start(1, 0);
  }

  /** Begins a step unless it is the present one. */
  turnTo(title: string): void {
    if (title !== this.#title) this.begin(title);
  }

  update(done: number, total: number | null): void {
    if (total === null || total === 0) return;
    this.#bar?.setTotal(total);
    this.#bar?.update(done);
  }

  end(): void {
    this.#bar?.stop();
    this.#bar = null;
  }
}
