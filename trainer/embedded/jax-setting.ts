import { availableParallelism } from 'node:os';
import v8 from 'node:v8';
import { BrowserWorker } from './browser-worker.ts';
import './iterator-helpers.ts';

// Imported before jax-js, which chooses its number of threads at import.

/** With more threads, the pieces of a pack are too small to be worth a message. */
const threadsMax = 4;

/** Number of compute threads: `TUNESMITH_TRAINER_THREADS`, or else one for each core, at most four. */
export const jaxThreads = readThreads(process.env.TUNESMITH_TRAINER_THREADS);

// Node 20 supports relaxed SIMD, which makes matrix products a fifth faster, behind a flag.
if (Number.parseInt(process.versions.node, 10) < 22) {
  v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
}
if (jaxThreads > 1) {
  for (const [name, value] of Object.entries({
    Worker: BrowserWorker,
    navigator: { hardwareConcurrency: jaxThreads, userAgent: 'node' },
  })) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

function readThreads(text: string | undefined): number {
  if (text === undefined || text === '') return Math.min(availableParallelism(), threadsMax);
  const threads = Number(text);
  if (!Number.isInteger(threads) || threads < 1) {
    throw new Error(`TUNESMITH_TRAINER_THREADS is "${text}": give a whole number from 1.`);
  }
  return threads;
}
