import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { attribute, describeParts, profileParts, scaleParts } from '#lab/bench/parts.ts';
import { rowLine, runWorkers, startInstantModel } from '#lab/bench/row-worker.ts';

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

test('a sample of a profile counts for the part of its innermost function that has one', () => {
  const frame = (functionName: string, url = '') => ({
    functionName,
    url,
    scriptId: '1',
    lineNumber: 0,
    columnNumber: 0,
  });
  const nodes = [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 6, 9] },
    {
      id: 2,
      callFrame: frame('improve', 'file:///t/shared/adaptation/decide/adapt-rows.ts'),
      children: [3, 4],
    },
    { id: 3, callFrame: frame('fence', 'file:///t/shared/models/decide/fence.ts'), children: [7] },
    { id: 4, callFrame: frame('callOnce', 'file:///t/shared/models/decide/ask-model.ts'), children: [8] },
    { id: 5, callFrame: frame('(idle)') },
    { id: 6, callFrame: frame('(garbage collector)') },
    // Hashes for the fence as well as for the key of a call.
    { id: 7, callFrame: frame('sha256Hex', 'file:///t/shared/platform/canonical-json.ts') },
    { id: 8, callFrame: frame('callKey', 'file:///t/shared/models/decide/call-memo.ts') },
    { id: 9, callFrame: frame('runMicrotasks') },
  ];
  const samples = [2, 7, 8, 4, 5, 6, 9];
  const timeDeltas = [1, 2, 3, 4, 1000, 5, 6];

  const parts = attribute({ nodes, samples, timeDeltas, startTime: 0, endTime: 1021 }, 30);

  expect(Object.fromEntries(parts.map(({ name, microseconds }) => [name, microseconds]))).toEqual({
    detect: 0,
    prompt: 2,
    record: 3,
    call: 4,
    write: 0,
    diagnose: 1,
    'collect garbage': 5,
    // And what other threads have used.
    other: 6 + 9,
  });
});

test('the parts of work add up to its processor time', async () => {
  const parts = scaleParts(
    await profileParts(async () => void JSON.stringify(new Array(100_000).fill({}))),
    12,
  );

  expect(parts.reduce((sum, { microseconds }) => sum + microseconds, 0)).toBeCloseTo(12);
  expect(describeParts(12, parts)).toMatch(/^12 µs of processor time each: detect 0, .*, other \d+$/);
});
