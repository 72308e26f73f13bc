import { beforeEach, expect, test } from 'vitest';
import { adaptBatch } from '#shared/adaptation/adapt-batch.ts';
import { findDuplicates, readDuplicates } from '#shared/adaptation/find-duplicates.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { signChunk } from '#shared/adaptation/sign-chunk.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { BatchPlan } from '#shared/runs/schema/run-context.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import { type ActiveRun, answerOf, linesOf, startRun } from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { NOW } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;

beforeEach(() => {
  world = createWorld();
});

const TAIL = Array.from({ length: 40 }, (_, n) => `word${n}`).join(' ');

/** Row 3 is repeated by row 60 of the same chunk and row 130 of the next; row 5 nearly by row 171. */
const line = (row: number): string => {
  const source = row === 60 || row === 130 ? 3 : row;
  const question =
    row === 171 ? `Question 5, ${TAIL} indeed` : `question ${source} ${source === 5 ? TAIL : `of ${source}`}`;
  return JSON.stringify({ note: row, question: `how do i answer ${question}`, answer: answerOf(row) });
};

const recipes = { deduplication: true, prompt_rephrase: false };

function start(request: Partial<AdaptRequest> = {}, rows = 200): Promise<ActiveRun> {
  const options = { request: { recipe_specification: { recipes }, ...request }, rows, line };
  return startRun(world, { ...options, chunkRows: 100 });
}

const signaturePlan = (runId: string): BatchPlan[] =>
  linesOf(world.objects.text(objectKeys.signaturePlan(runId))).map((each) =>
    BatchPlan.parse(JSON.parse(each)),
  );

async function signAll({ run }: Pick<ActiveRun, 'run'>): Promise<void> {
  for (const chunk of signaturePlan(run.run_id)) {
    expect(await signChunk(world.objects, chunk)).toEqual({ status: 'finished' });
  }
}

/** What is dropped, by row. */
async function dropped({ run, batches }: ActiveRun): Promise<Record<number, [string, number | undefined]>> {
  const found: Record<number, [string, number | undefined]> = {};
  for (const { n, first_row, row_count } of batches) {
    for (const [row, { code, similar_to_row }] of await readDuplicates(world.objects, run.run_id, n)) {
      expect(row >= first_row && row < first_row + row_count, `row ${row} in batch ${n}`).toBe(true);
      found[row] = [code, similar_to_row];
    }
  }
  return found;
}

test('rows that repeat others are found across chunks and left to the workers of their batches', async () => {
  const longer = { deduplication: true, prompt_rephrase: true };
  const active = await start({ recipe_specification: { recipes: longer } });
  expect(active.batches.length).toBeGreaterThan(2);
  expect(signaturePlan(active.run.run_id)).toHaveLength(2);
  await signAll(active);

  expect(await findDuplicates(world.objects, active.context)).toEqual({ duplicates: 3 });

  expect(await dropped(active)).toEqual({
    60: ['duplicate_exact', 3],
    130: ['duplicate_exact', 3],
    171: ['duplicate_near', 5],
  });
});

test('rows that repeat others are the same ones when the tasks are repeated', async () => {
  const active = await start();
  await signAll(active);
  await findDuplicates(world.objects, active.context);
  const before = new Map(world.objects.keys().map((key) => [key, world.objects.text(key)]));

  await signAll(active);
  await findDuplicates(world.objects, active.context);

  expect(new Map(world.objects.keys().map((key) => [key, world.objects.text(key)]))).toEqual(before);
});

test('rows that repeat others are looked for among the rows that max_rows selects alone', async () => {
  const active = await start({ job_specification: { max_rows: 150 } });
  await signAll(active);
  const selected = new Set(
    signaturePlan(active.run.run_id).flatMap((chunk) =>
      (chunk.selected ?? Array.from({ length: chunk.row_count }, (_, place) => place)).map(
        (place) => chunk.first_row + place,
      ),
    ),
  );
  expect(selected.size).toBe(150);

  await findDuplicates(world.objects, active.context);

  const alike = [3, 60, 130].filter((row) => selected.has(row));
  const expected = Object.fromEntries(alike.slice(1).map((row) => [row, ['duplicate_exact', alike[0]]]));
  const near = selected.has(5) && selected.has(171) ? { 171: ['duplicate_near', 5] } : {};
  expect(await dropped(active)).toEqual({ ...expected, ...near });
});

test('rows that repeat others are not looked for unless asked', async () => {
  const active = await start({ recipe_specification: { recipes: { prompt_rephrase: false } } });

  expect(world.objects.keys().filter((key) => key.includes('/signatures/'))).toEqual([]);
  expect(active.batches.length).toBeGreaterThan(0);
});

test('rows that repeat others by another answer alone, or in the context alone, are judged by prompt and context', async () => {
  const request = { column_mapping: { prompt: 'question', completion: 'answer', context: ['note'] } };
  const active = await start(request);
  await signAll(active);

  // Every row has a note of its own.
  expect(await findDuplicates(world.objects, active.context)).toEqual({ duplicates: 0 });
});

test('a chunk that was not signed fails the run instead of counting as without duplicates', async () => {
  const active = await start();
  const [first] = signaturePlan(active.run.run_id);
  if (first === undefined) throw new Error('There is no plan.');
  await signChunk(world.objects, first);

  await expect(findDuplicates(world.objects, active.context)).rejects.toMatchObject({
    code: 'run_interrupted',
    message: expect.stringContaining('from 100 on'),
  });
});

test('signatures of other rows than the plan says are refused', async () => {
  const active = await start();
  await signAll(active);
  const [first, second] = signaturePlan(active.run.run_id);
  const key = objectKeys.signatures(active.run.run_id, second?.n ?? 0);
  const body = await world.objects.read(objectKeys.signatures(active.run.run_id, first?.n ?? 0));
  await world.objects.write(key, body?.subarray(0, -4) ?? '', 'application/octet-stream');

  await expect(findDuplicates(world.objects, active.context)).rejects.toThrow('not those of its');
});

test('a chunk that lacks rows is not signed', async () => {
  const active = await start();
  const [first] = signaturePlan(active.run.run_id);
  await world.objects.write(objectKeys.rows(active.dataset.dataset_id, 0), line(0), 'application/jsonl');

  await expect(signChunk(world.objects, first as BatchPlan)).rejects.toThrow('1 of its');
});

test('the workers ask nothing of dropped rows, which are reported with the row that they repeat', async () => {
  const active = await start();
  await signAll(active);
  await findDuplicates(world.objects, active.context);
  const asked: string[] = [];
  const model = {
    modelId: 'm',
    generate: async ({ messages }: { messages: readonly { content: string }[] }) => {
      const shown = messages.at(-1)?.content ?? '';
      asked.push(shown);
      const row = /give answer (\d+)/.exec(shown)?.[1];
      const text = `Give answer ${row}: a much better and longer answer, with the number ${row} in it.`;
      return { text, finishReason: 'stop' as const, usage: { input_tokens: 1, output_tokens: 1 } };
    },
  };
  const clock = createFastClock(10);
  for (const batch of active.batches) {
    await adaptBatch(
      {
        ...adaptingPorts(world, model, clock),
      },
      batch,
      { deadlineMs: clock.now() + 900_000, attempt: 'a' },
    );
  }

  expect(asked).toHaveLength(197);
  const results = active.batches.flatMap(({ n }) =>
    linesOf(world.objects.text(objectKeys.result(active.run.run_id, n))).map((each) =>
      RunResult.parse(JSON.parse(each)),
    ),
  );
  expect(results).toHaveLength(200);
  expect(results.filter(({ outcome }) => outcome === 'dropped')).toEqual([
    expect.objectContaining({ row: 60, calls: 0 }),
    expect.objectContaining({ row: 130, calls: 0 }),
    expect.objectContaining({ row: 171, calls: 0 }),
  ]);

  const ports = { runs: world.store.runs, datasets: world.store.datasets, objects: world.objects };
  const stored = await assembleRun(ports, active.context, { now: NOW });
  expect(stored.rows).toMatchObject({ total: 200, dropped: 3, changed: 197, failed: 0 });
  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  const report = await readReport(ports, dataset ?? active.dataset, {}, 'key');
  expect(report.reported_rows).toMatchObject([
    { row: 60, outcome: 'dropped', code: 'duplicate_exact', similar_to_row: 3 },
    { row: 130, outcome: 'dropped', code: 'duplicate_exact', similar_to_row: 3 },
    { row: 171, outcome: 'dropped', code: 'duplicate_near', similar_to_row: 5 },
  ]);
  for (const { message } of report.reported_rows) expect(message).not.toContain('word7');
});
