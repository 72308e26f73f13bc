import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rowLine, runWorkers, startInstantModel } from '#bin/bench/row-worker.ts';

test('every row of the benchmark calls the model and is changed', { timeout: 60_000 }, async () => {
  const model = await startInstantModel();
  const directory = await mkdtemp(join(tmpdir(), 'tunesmith-bench-'));
  try {
    const rows = [0, 1, 1999, 39_999].map(rowLine);

    expect(await runWorkers(rows, { url: model.url, directory, rowsPerChunk: 2, concurrency: 2 })).toBe(4);
    expect((await model.answeredBySecond()).reduce((sum, count) => sum + count, 0)).toBe(4);
  } finally {
    await model.stop();
    await rm(directory, { recursive: true, force: true });
  }
});
