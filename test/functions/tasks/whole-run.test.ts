import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as create } from '#functions/api/datasets/create.ts';
import { handler as download } from '#functions/api/datasets/download.ts';
import { handler as evaluation } from '#functions/api/datasets/evaluation.ts';
import { handler as get } from '#functions/api/datasets/get.ts';
import { handler as report } from '#functions/api/datasets/report.ts';
import { handler as rows } from '#functions/api/datasets/rows/list.ts';
import { handler as complete } from '#functions/api/datasets/uploads/complete-by-id.ts';
import { CRITERIA } from '#shared/judging/decide/prompts/rubric.v1.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { theClock } from '#shared/models/wire.ts';
import { theModels } from '#shared/models/wire-providers.ts';
import type { Use } from '#shared/platform/runtime/need.ts';
import { linesOf } from '#test/helpers/active-run.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { invokeTask } from '#test/helpers/handlers.ts';
import { endpointOf, standIn } from '#test/helpers/memory-resources.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
/** An installation without a judge. */
let use: Use;

beforeEach(() => {
  world = createWorld(Date.now, [
    standIn(theClock, createFastClock(10)),
    standIn(theModels, endpointOf(model)),
  ]);
  const own = { MODEL_ID_REWRITE: 'a-model', MODEL_ID_DESCRIBE: 'a-model', MODEL_CONCURRENCY: '1' };
  use = world.installed({ ...own, MODEL_ID_JUDGE: '', MODEL_ID_EMBED: '', MODEL_CONTEXT_TOKENS: '4096' });
});

/** Improves every answer; grades by whether an answer was improved. */
const model: ModelClient = {
  modelId: 'a-model',
  generate: async ({ messages, jsonSchema }) => {
    const shown = messages.map(({ content }) => content).join('\n');
    const row = /question (\d+)/.exec(shown)?.[1];
    const grade = shown.includes('much better') ? 9 : 5;
    const text =
      jsonSchema !== undefined
        ? JSON.stringify(Object.fromEntries(CRITERIA.map((criterion) => [criterion, grade])))
        : shown.includes('You describe datasets')
          ? 'Numbered questions.'
          : `Give answer ${row} at once: this is a much better and complete answer about number ${row}.`;
    return { text, finishReason: 'stop', usage: { input_tokens: 9, output_tokens: 4 } };
  },
};

/** An answer with which nothing is wrong. */
const SOUND = 'Ask somebody who has solved it before.';

/** Invokes a task as its state machine does. */
const invoke = <T = Record<string, never>>(task: string, input: unknown): Promise<T> =>
  invokeTask<T>(use, task, input);

const planLines = (key: string): unknown[] =>
  linesOf(world.objects.text(key)).map((line) => JSON.parse(line));

test('a file that is uploaded, adapted, evaluated and downloaded comes out better and is paid for once', async () => {
  const owner = await seedTeam(world.store, 10);
  const answer = (row: number) => (row === 2 ? SOUND : `just give answer ${row}`);
  const lines = Array.from(
    { length: 40 },
    (_, row) => `how do i solve question ${row},${answer(row)},${row}`,
  );
  const file = `question,answer,id\n${lines.join('\n')}\n`;
  const created = await world.call(create, { as: owner, body: { source: { name: 'tickets.csv' } } });
  const { dataset_id, upload_instructions } = created.body;
  const params = { dataset_id };
  await world.objects.write(upload_instructions?.s3_key ?? '', file, 'text/csv');
  const sha256 = createHash('sha256').update(file).digest('hex');
  await world.call(complete, { as: owner, params, body: { file_size_bytes: file.length, sha256 } });

  const [ingest] = [...world.executions.started.values()];
  expect(await invoke('ingest/plan-ingest', ingest)).toEqual({ files: 1, wait_seconds: 0 });
  expect(await invoke('ingest/convert-file', ingest)).toEqual({ row_count: 40 });
  expect(await invoke('ingest/record-rows', ingest)).toEqual({ status: 'recorded', wait_seconds: 0 });
  expect(await invoke('ingest/describe-dataset', ingest)).toEqual({ described: true });
  expect(await invoke('ingest/finish-ingest', { ...ingest, error: null })).toEqual({ status: 'succeeded' });
  expect((await world.call(get, { as: owner, params })).body).toMatchObject({
    status: 'pending',
    row_count: 40,
    description: 'Numbered questions.',
  });

  const launched = await world.call(adapt, {
    as: owner,
    params,
    body: {
      column_mapping: { prompt: 'question', completion: 'answer' },
      recipe_specification: { recipes: { prompt_rephrase: false } },
    },
  });
  const run = world.executions.started.get(launched.body.run_id ?? '');
  const { plan_key } = await invoke<{ plan_key: string }>('adapt/plan-run', run);
  expect(await invoke('adapt/calibrate-judge', run)).toEqual({ calibrated: false });
  for (const batch of planLines(plan_key)) {
    expect(await invoke('adapt/adapt-chunk', batch)).toEqual({ status: 'finished' });
  }
  expect(await invoke('adapt/assemble-run', run)).toEqual({ changed: 39, kept: 1, dropped: 0, failed: 0 });
  const evaluating = await invoke<{ plan_key: string }>('evaluate/plan-evaluation', run);
  for (const piece of planLines(evaluating.plan_key)) {
    expect(await invoke('evaluate/score-chunk', piece)).toEqual({ status: 'finished' });
  }
  expect(await invoke('evaluate/conclude-evaluation', { ...run, error: null })).toEqual({
    status: 'succeeded',
  });
  expect(await invoke('adapt/settle-run', { ...run, error: null })).toEqual({ status: 'succeeded' });

  const { body: dataset } = await world.call(get, { as: owner, params });
  const { body: scores } = await world.call(evaluation, { as: owner, params });
  const { body: said } = await world.call(report, { as: owner, params });
  const { headers } = await world.call(download, { as: owner, params, query: { fileFormat: 'jsonl' } });
  const exported = linesOf(world.objects.text(new URL(headers.location ?? '').pathname.slice(1)));
  expect(dataset).toMatchObject({ status: 'succeeded', run_id: null, progress: null });
  expect(dataset.evaluation_summary?.score_after).toBe(scores.quality?.score_after);
  expect(scores.quality?.score_after).toBeGreaterThan(scores.quality?.score_before ?? 10);
  expect(said).toMatchObject({
    rows: { total: 40, changed: 39, kept: 1 },
    credits: { reserved: 1, settled: 1 },
    reported_rows: [{ row: 2, outcome: 'kept', code: 'already_good' }],
  });
  expect(exported).toHaveLength(40);
  const indexed = world.invoked.filter(({ functionId }) => functionId === 'tasks/exports/index-rows');
  const { body: shown } = await world.call(rows, { as: owner, params, query: { search: 'number 7.' } });
  expect(indexed).toHaveLength(1);
  expect(shown).toMatchObject({
    total: 40,
    matching: 1,
    facets: { outcome: [{ value: 'changed', rows: 1 }] },
  });
  expect(shown.rows[0]).toMatchObject({
    row: 7,
    outcome: 'changed',
    language: 'en',
    length_change: 'longer',
  });
  expect(shown.rows[0]?.score?.after).toBeGreaterThan(shown.rows[0]?.score?.before ?? 10);
  expect(JSON.parse(exported[7] ?? '')).toMatchObject({
    question: 'how do i solve question 7',
    answer: 'just give answer 7',
    enhanced_completion: 'Give answer 7 at once: this is a much better and complete answer about number 7.',
    id: '7',
  });
  expect(await world.store.ledger.findBalance(owner.team_id)).toMatchObject({
    available: 9,
    held: 0,
    settled: 1,
  });
  expect(await faultsOf(world.store, owner.team_id)).toEqual([]);
});

test('a file that cannot be read leaves a failed dataset that says why', async () => {
  const owner = await seedTeam(world.store, 0);
  const created = await world.call(create, { as: owner, body: { source: { name: 'tickets.csv' } } });
  const { dataset_id, upload_instructions } = created.body;
  await world.objects.write(upload_instructions?.s3_key ?? '', 'question,answer\n', 'text/csv');
  await world.call(complete, { as: owner, params: { dataset_id }, body: { file_size_bytes: 16 } });
  const [ingest] = [...world.executions.started.values()];

  await invoke('ingest/plan-ingest', ingest);
  const thrown = (await invoke('ingest/convert-file', ingest).catch((error: unknown) => error)) as Error;
  const error = { code: thrown.name, message: thrown.message, level: 'error' };
  await invoke('ingest/finish-ingest', { ...ingest, error });

  expect((await world.call(get, { as: owner, params: { dataset_id } })).body).toMatchObject({
    status: 'failed',
    error_data: { code: 'file_empty', message: expect.stringContaining('no rows'), level: 'error' },
  });
});
