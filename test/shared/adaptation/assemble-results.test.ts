import { beforeEach, expect, test } from 'vitest';
import { assembleResults } from '#shared/adaptation/assemble-results.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import {
  type ActiveRun,
  finishBatches,
  linesOf,
  requestOf,
  resultOf,
  resultsOf,
  startRun,
  writeResults,
} from '#test/helpers/active-run.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const collect = (active: ActiveRun) =>
  assembleResults(world.objects, active.run, requestOf(world, active), active.dataset.row_count ?? 0);
const storedRows = (run: ActiveRun, n: number): number[] =>
  linesOf(world.objects.text(objectKeys.result(run.context.run_id, n))).map(
    (line) => (JSON.parse(line) as RunResult).row,
  );

test('batches are read several at once, and a bounded number of them', async () => {
  const active = await startRun(world, { rows: 600, chunkRows: 20 });
  await finishBatches(world, active);
  let reading = 0;
  let readingMax = 0;
  const objects = {
    ...world.objects,
    read: async (key: string) => {
      if (!key.includes('/results/')) return world.objects.read(key);
      reading += 1;
      readingMax = Math.max(readingMax, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
      return world.objects.read(key);
    },
  };

  const { counts } = await assembleResults(objects, active.run, requestOf(world, active), 600);

  expect(active.batches.length).toBeGreaterThan(16);
  expect(counts).toMatchObject({ changed: 600, failed: 0 });
  expect(readingMax).toBe(8);
});

test('a finished run is counted row by row, with what its models read and wrote', async () => {
  const active = await startRun(world);
  await finishBatches(world, active, (row) =>
    row < 10 ? 'failed' : row < 30 ? 'kept' : row < 33 ? 'dropped' : 'changed',
  );

  const { counts, tokens, missingRows } = await collect(active);

  expect(counts).toEqual({
    total: 250,
    changed: 217,
    kept: 20,
    dropped: 3,
    failed: 10,
    not_selected: 0,
    expanded: 0,
    expansion_failed: 0,
  });
  expect(tokens).toEqual({ input: 2500, output: 1250, calls: 750, seconds: 0 });
  expect(missingRows).toBe(0);
});

test('a finished run says who scored the safety of how many rows', async () => {
  const active = await startRun(world, { rows: 3 });
  const scorers = ['a judge', 'a judge', 'word lists'];
  const results = resultsOf(active.batches[0] as ActiveRun['batches'][number], () => 'changed').map(
    (result) => ({ ...result, safety_scorer: scorers[result.row] ?? '' }),
  );
  await writeResults(world, objectKeys.result(active.run.run_id, 0), results);

  expect((await collect(active)).safetyScorers).toEqual({ 'a judge': 2, 'word lists': 1 });
});

test('a finished run reports every row that was not changed, with its reason, in the object of its batch', async () => {
  const active = await startRun(world);
  await finishBatches(world, active, (row) => (row === 3 || row === 240 ? 'kept' : 'changed'));

  const { reportedRows } = await collect(active);

  expect(reportedRows).toHaveLength(active.batches.length);
  expect(reportedRows.reduce((sum, count) => sum + count, 0)).toBe(2);
  const reports = world.objects.keys().filter((key) => key.includes('/report-rows/'));
  expect(reports.flatMap((key) => linesOf(world.objects.text(key)).map((line) => JSON.parse(line)))).toEqual([
    {
      row: 3,
      outcome: 'kept',
      code: 'a_reason',
      message: 'For a reason.',
      similar_to_row: null,
      target: null,
      sources: [],
    },
    {
      row: 240,
      outcome: 'kept',
      code: 'a_reason',
      message: 'For a reason.',
      similar_to_row: null,
      target: null,
      sources: [],
    },
  ]);
  for (const [n, count] of reportedRows.entries()) {
    expect(reports.includes(objectKeys.reportRows(active.run.run_id, n))).toBe(count > 0);
  }
});

test('a finished run counts as not selected what max_rows left out, in its batches and beside them', async () => {
  const active = await startRun(world, { request: { job_specification: { max_rows: 7 } } });
  await finishBatches(world, active);

  const { counts, tokens, reportedRows } = await collect(active);

  expect(counts).toMatchObject({ total: 250, changed: 7, not_selected: 243 });
  expect(tokens.calls).toBe(21);
  expect(reportedRows.every((count) => count === 0)).toBe(true);
});

test('a run that was cut off keeps what was checkpointed: it becomes the result of its batch, in order and each row once', async () => {
  const active = await startRun(world);
  const [first] = active.batches;
  const prefix = objectKeys.checkpoints(active.run.run_id, 0);
  await writeResults(world, `${prefix}b-000001.jsonl`, [resultOf(4), resultOf(2, 'kept')]);
  await writeResults(world, `${prefix}a-000001.jsonl`, [resultOf(0), resultOf(4)]);

  const { counts, missingRows } = await collect(active);

  expect(first?.first_row).toBe(0);
  expect(storedRows(active, 0)).toEqual([0, 2, 4]);
  expect(counts).toMatchObject({ changed: 2, kept: 1, failed: 247 });
  expect(missingRows).toBe(247);
});

test('a run that was cut off reports the rows that it did not reach as failed, and says why', async () => {
  const active = await startRun(world, { rows: 30 });
  await writeResults(world, `${objectKeys.checkpoints(active.run.run_id, 0)}a-000001.jsonl`, [resultOf(0)]);

  const { reportedRows } = await collect(active);

  const [line] = linesOf(world.objects.text(objectKeys.reportRows(active.run.run_id, 0)));
  expect(reportedRows).toEqual([29]);
  expect(JSON.parse(line ?? '')).toMatchObject({ row: 1, outcome: 'failed', code: 'run_interrupted' });
});

test('a run that was cut off does not touch the result of a batch that is done, whatever checkpoints say', async () => {
  const active = await startRun(world, { rows: 30 });
  await finishBatches(world, active);
  const key = objectKeys.result(active.run.run_id, 0);
  const before = world.objects.text(key);
  await writeResults(world, `${objectKeys.checkpoints(active.run.run_id, 0)}z.jsonl`, [
    resultOf(0, 'failed'),
  ]);

  const { counts } = await collect(active);

  expect(counts).toMatchObject({ changed: 30, failed: 0 });
  expect(world.objects.text(key)).toBe(before);
});

test('a run that was cut off that was never worked on has an empty result, which no late worker replaces', async () => {
  const active = await startRun(world, { rows: 30 });
  const key = objectKeys.result(active.run.run_id, 0);

  const { missingRows } = await collect(active);

  expect(missingRows).toBe(30);
  expect(world.objects.text(key)).toBe('');
  expect(await world.objects.writeNew(key, 'late', 'application/x-ndjson')).toBe(false);
});

test('a result that cannot be read counts as missing, so that the run can still be settled', async () => {
  const active = await startRun(world);
  await finishBatches(world, active, () => 'changed');
  const key = objectKeys.result(active.context.run_id, 0);
  const [first = '', ...others] = linesOf(world.objects.text(key));
  await world.objects.write(key, [first.slice(0, 20), ...others].join('\n'), 'application/jsonl');

  const { counts, missingRows } = await collect(active);

  expect([missingRows, counts.failed]).toEqual([1, 1]);
  expect(counts.changed).toBe(counts.total - 1);
});

test('counting twice says the same', async () => {
  const active = await startRun(world);
  const [first, ...others] = active.batches;
  await finishBatches(world, { ...active, batches: others }, () => 'kept');
  if (first !== undefined) {
    const some = resultsOf(first, () => 'changed').slice(0, 5);
    await writeResults(world, `${objectKeys.checkpoints(active.run.run_id, 0)}a.jsonl`, some);
  }

  const once = await collect(active);

  expect(await collect(active)).toEqual(once);
});

test('a row that was not changed and gives no reason is not believed', async () => {
  const active = await startRun(world, { rows: 30 });
  const { reason: _reason, ...silent } = resultOf(0, 'kept');
  await writeResults(world, objectKeys.result(active.run.run_id, 0), [silent]);

  await expect(collect(active)).rejects.toThrow('without a reason');
});

test('a doubt that is the reason of a kept row, and a note of it, is reported once', async () => {
  const active = await startRun(world, { rows: 1 });
  const doubted = { code: 'doubtful_answer', message: 'The example “f(1)” yields “1”.' };
  const kept: RunResult = { ...resultOf(0), outcome: 'kept', reason: doubted, notes: [doubted] };
  await writeResults(world, objectKeys.result(active.run.run_id, 0), [kept]);

  expect((await collect(active)).reportedRows).toEqual([1]);
});
