import { resolveObjectURL } from 'node:buffer';
import { Worker } from 'node:worker_threads';

// The parts of a browser's worker API that the code uses.
const prelude = `
const { parentPort } = require('node:worker_threads');
globalThis.self = globalThis;
globalThis.postMessage = (message) => parentPort.postMessage(message);
parentPort.on('message', (data) => globalThis.onmessage({ data }));
`;

/** The part of a browser's `Worker` that jax-js uses to compute on several cores, implemented as a Node thread. */
export class BrowserWorker {
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;
  onerror: ((event: { readonly message: string }) => void) | null = null;
  readonly #thread: Promise<Worker>;

  constructor(url: string) {
    this.#thread = this.#start(url);
  }

  postMessage(message: unknown): void {
    this.#thread.then(
      (thread) => thread.postMessage(message),
      (error: Error) => this.onerror?.(error),
    );
  }

  async #start(url: string): Promise<Worker> {
    const source = await resolveObjectURL(url)?.text();
    if (source === undefined) throw new Error('The code of a worker is gone.');
    // Without this process's module loaders, which would cost a second for each thread.
    const thread = new Worker(prelude + source, { eval: true, execArgv: [] });
    thread.on('message', (data) => this.onmessage?.({ data }));
    thread.on('error', (error) => this.onerror?.(error));
    return thread;
  }
}
