import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './median.ts';
import { rowLine, runWorkers, startInstantModel } from './row-worker.ts';

export interface StormResult {
  readonly rows: number;
  readonly changed: number;
  /** Answers a second before, during and after the storm; the second value is over its whole duration. */
  readonly before: number;
  readonly during: number;
  readonly after: number;
  /** Seconds from the storm's end until the answers a second reach 90 % of those before it; null if never. */
  readonly recoverySeconds: number | null;
}

export interface StormOptions {
  readonly stormSeconds?: number;
  readonly concurrency?: number;
  /** Seconds until the answers before the storm are counted. */
  readonly warmSeconds?: number;
  /** Seconds until the storm. */
  readonly calmSeconds?: number;
  readonly afterSeconds?: number;
}

/**
 * The chunk workers against a model with 50 ms latency that returns 429 for every second call for a while, without
 * `Retry-After`: whether every row finishes, and how soon the workers are as fast as before.
 */
export async function benchStorm({
  stormSeconds = 60,
  concurrency = 64,
  warmSeconds = 4,
  calmSeconds = 12,
  afterSeconds = 30,
}: StormOptions = {}): Promise<StormResult> {
  const model = await startInstantModel(
    ...['--latency', 50, '--storm-after', calmSeconds, '--storm-for', stormSeconds],
  );
  const directory = await mkdtemp(join(tmpdir(), 'tunesmith-bench-'));
  try {
    const callsASecond = concurrency / 0.05;
    const rows = Math.ceil((callsASecond * (calmSeconds + afterSeconds)) / 100) * 100;
    const lines = Array.from({ length: rows }, (_, n) => rowLine(n));
    const changed = await runWorkers(lines, { url: model.url, directory, rowsPerChunk: 1000, concurrency });
    // The last second is incomplete.
    const seconds = (await model.answeredBySecond()).slice(0, -1);
    const stormEnd = calmSeconds + stormSeconds;
    const before = median(seconds.slice(warmSeconds, calmSeconds));
    const after = seconds.slice(stormEnd);
    const recovered = after.findIndex((count) => count >= 0.9 * before);
    return {
      rows,
      changed,
      before,
      during: median(seconds.slice(calmSeconds + 1, stormEnd)),
      after: median(after.slice(Math.max(0, recovered))),
      recoverySeconds: recovered === -1 ? null : recovered + 1,
    };
  } finally {
    await model.stop();
    await rm(directory, { recursive: true, force: true });
  }
}
