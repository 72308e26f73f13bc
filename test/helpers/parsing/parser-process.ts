import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Readable } from './parse-bytes.ts';

/** What became of an input. */
export interface Answer {
  /** `read`, `refused`, or what was thrown instead. */
  readonly outcome: string;
  readonly milliseconds: number;
  readonly mebibytes: number;
}

const CHILD = fileURLToPath(new URL('./parser-child.ts', import.meta.url));

/** Reads files in a process of its own, which is ended where it does not answer, so that no input hangs the tests. */
export class ParserProcess {
  readonly #millisecondsMax: number;
  #child: Promise<ChildProcess> | undefined;

  constructor(millisecondsMax: number) {
    this.#millisecondsMax = millisecondsMax;
  }

  async parse(kind: Readable, bytes: Buffer): Promise<Answer> {
    this.#child ??= start();
    const child = await this.#child;
    return new Promise((resolve) => {
      const end = (answer: Answer): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      const giveUp = (outcome: string): void => {
        this.#child = undefined;
        child.kill('SIGKILL');
        end({ outcome, milliseconds: this.#millisecondsMax, mebibytes: 0 });
      };
      const timer = setTimeout(() => giveUp('no answer'), this.#millisecondsMax);
      child.once('message', (answer: Answer) => end(answer));
      child.once('exit', (code, signal) => giveUp(`the process ended: ${signal ?? code}`));
      child.send({ kind, bytes });
    });
  }

  async stop(): Promise<void> {
    (await this.#child)?.kill('SIGKILL');
  }
}

async function start(): Promise<ChildProcess> {
  const child = fork(CHILD, { execArgv: ['--import', 'tsx'], serialization: 'advanced', stdio: 'ignore' });
  await once(child, 'message');
  return child;
}
