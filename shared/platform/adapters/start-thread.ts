import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread: from its own bundle next to that of the function, or from its source.
 * @param from the URL of the calling module
 * @param source the thread's module, relative to it
 */
export function startThread(from: string, source: `./${string}.ts`, options: WorkerOptions): Worker {
  if (!from.endsWith('.ts')) {
    const name = source.slice(source.lastIndexOf('/') + 1, -'.ts'.length);
    return new Worker(new URL(`./${name}.mjs`, from), options);
  }
  return new Worker(
    `import('tsx/esm/api').then(({ register }) => { register(); return import(${JSON.stringify(new URL(source, from).href)}); });`,
    { ...options, eval: true },
  );
}
