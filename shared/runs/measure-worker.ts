import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import type { TaskTools } from '#shared/platform/runtime/task.ts';
import type { Invocation } from './run-worker.ts';

export const circuitOpened = (): void => recordMetric('CircuitsOpened', {});

/** Runs one invocation of a worker and records its rows per second. */
export async function measureWorker<T>(
  worker: string,
  { deadline: deadlineMs, requestId: attempt }: Pick<TaskTools, 'deadline' | 'requestId'>,
  work: (invocation: Required<Invocation>) => Promise<T>,
): Promise<T> {
  const started = performance.now();
  let rows = 0;
  const rowDone = (): void => {
    rows += 1;
  };
  try {
    return await work({ deadlineMs, attempt, watch: { rowDone, circuitOpened } });
  } finally {
    const seconds = (performance.now() - started) / 1000;
    if (rows > 0) recordMetric('WorkerRowsPerSecond', { worker }, rows / seconds);
  }
}
