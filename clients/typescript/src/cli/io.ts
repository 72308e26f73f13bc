import type { Checker } from './checker.ts';

/** What the command line touches of its process. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch;
  /** Is aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  /** Where unfinished uploads are remembered. */
  readonly stateFolder: string;
  /** Where bars are drawn; null where nobody watches. */
  readonly terminal: NodeJS.WritableStream | null;
  writeOut(text: string): void;
  writeError(text: string): void;
  readInput(): Promise<string>;
  /** Loads the checks of rows, which only one command needs. */
  loadChecker(): Promise<Checker>;
}

/** Exit codes, as `tunesmith --help` lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  keyRefused: 3,
  creditsInsufficient: 4,
  workFailed: 5,
  timedOut: 6,
  unreachable: 7,
  interrupted: 130,
} as const;

/** The command ends with this exit code and message. `code` is stable, as those of the service. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  readonly code: string;

  constructor(exitCode: number, code: string, message: string) {
    super(message);
    this.exitCode = exitCode;
    this.code = code;
  }
}
