import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { handler as createEval } from '#functions/api/datasets/custom-evals/create.ts';
import { handler as download } from '#functions/api/datasets/download.ts';
import { handler as evaluation } from '#functions/api/datasets/evaluation.ts';
import { handler as get } from '#functions/api/datasets/get.ts';
import { handler as report } from '#functions/api/datasets/report.ts';
import type { DatasetRecord, EvaluationRecord } from '#shared/datasets/decide/record.ts';
import { deliveredRunId } from '#shared/datasets/decide/record.ts';
import { requireTrainable } from '#shared/datasets/decide/trainable.ts';
import type { EvaluationSummary } from '#shared/datasets/schema/dataset.ts';
import { readinessIssue } from '#shared/growth/decide/combine/issues.ts';
import { requireGrowable } from '#shared/growth/decide/source.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { searchedRun } from '#shared/responses/decide/retrieval/index-manifest.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, interruption, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let launches: number;

const FIRST: ConfiguredColumnMapping = { prompt: 'question', completion: 'answer', context: [] };
const SECOND: ConfiguredColumnMapping = { prompt: 'answer', context: ['question'] };

const quality = (score: number) => ({
  grade_before: 'C' as const,
  grade_after: 'B' as const,
  score_before: 6,
  score_after: score,
  percentile_after: 50,
  improvement_percent: 20,
});

const summaryOf = (score: number): EvaluationSummary => {
  const { percentile_after: _, ...summary } = quality(score);
  return summary;
};

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  dataset = await seedDataset(world.store, owner);
  launches = 0;
});

const call = (handler: Parameters<World['call']>[0], query: Record<string, string> = {}) =>
  world.call(handler, { as: owner, params: { dataset_id: dataset.dataset_id }, query });
const stored = async () => (await world.store.datasets.find(dataset.dataset_id)) as DatasetRecord;

async function launch(mapping = FIRST): Promise<RunRecord> {
  launches += 1;
  const run = makeRun(dataset, { started_at: `2026-03-0${launches}T12:00:00.000Z` });
  await world.store.ledger.launch({
    ...launchOf(run),
    changes: { configured_column_mapping: mapping },
  });
  return run;
}

async function evaluate(run: RunRecord, fields: Partial<EvaluationRecord>): Promise<void> {
  await world.store.datasets.recordEvaluation(dataset.team_id, {
    dataset_id: dataset.dataset_id,
    run_id: run.run_id,
    status: 'running',
    quality: null,
    results_key: null,
    started_at: run.started_at,
    updated_at: run.started_at,
    ...fields,
  });
}

/** A first adaptation that succeeded with the score 8. */
async function adapted(): Promise<RunRecord> {
  const run = await launch();
  await evaluate(run, { status: 'succeeded', quality: quality(8) });
  await world.store.ledger.end(endingOf(run, { changes: { evaluation_summary: summaryOf(8) } }));
  return run;
}

const fail = (run: RunRecord, counts: RunRecord['counts'] = null) =>
  world.store.ledger.end(
    endingOf(run, { status: 'failed', billedCredits: 0, errorData: interruption, counts }),
  );

test('a first adaptation that finished no row bills nothing, is told so by its download, and is made again', async () => {
  const failed = await launch();
  await fail(failed);

  expect((await call(get)).body).toMatchObject({
    status: 'failed',
    evaluation_summary: null,
    row_count: 120,
  });
  const { problem } = await call(download);
  expect(problem).toMatchObject({ code: 'no_data_yet' });
  expect(problem.message).toContain('nothing was billed');
  expect((await call(download, { run_id: failed.run_id })).problem.code).toBe('no_data_yet');

  await adapted();
  expect((await call(get)).body).toMatchObject({ status: 'succeeded', error_data: null });
});

test('while a dataset is adapted anew neither its record nor its evaluation shows the grades of the run before, which are in the history', async () => {
  const first = await adapted();
  expect((await call(get)).body).toMatchObject({ evaluation_summary: summaryOf(8) });
  expect((await call(evaluation)).body).toMatchObject({
    status: 'succeeded',
    quality: quality(8),
    history: [],
  });

  await launch();

  expect((await call(get)).body).toMatchObject({ evaluation_summary: null });
  expect((await call(evaluation)).body).toMatchObject({
    status: 'pending',
    quality: null,
    raw_results: null,
    history: [{ run_id: first.run_id, status: 'succeeded', quality: quality(8) }],
  });
});

test('while a dataset is adapted anew: the search and the download still read the rows of the run before', async () => {
  const first = await adapted();
  await launch();

  expect(searchedRun(await stored())).toBe(first.run_id);
  expect(deliveredRunId(await stored())).toBe(first.run_id);
});

test.each([
  ['is skipped', 'skipped', null],
  ['fails', 'failed', null],
  ['never begins', null, null],
  ['grades its rows', 'succeeded', 9],
] as const)(
  'a new adaptation that succeeds and whose evaluation %s shows that one and no earlier one',
  async (_, status, score) => {
    const first = await adapted();
    const second = await launch();
    const graded = score === null ? null : quality(score);
    if (status !== null) await evaluate(second, { status, quality: graded });
    await world.store.ledger.end(
      endingOf(second, score === null ? {} : { changes: { evaluation_summary: summaryOf(score) } }),
    );

    expect((await call(get)).body).toMatchObject({
      status: 'succeeded',
      evaluation_summary: score === null ? null : summaryOf(score),
    });
    expect((await call(evaluation)).body).toMatchObject({
      status: status ?? 'skipped',
      quality: graded,
      history: [{ run_id: first.run_id, quality: quality(8) }],
    });
  },
);

test('a new adaptation that fails fails the dataset, and leaves it the rows, the mapping and the grades of the last success', async () => {
  const first = await adapted();
  await fail(await launch(SECOND));

  const { body } = await call(get);
  expect(body).toMatchObject({
    status: 'failed',
    error_data: { code: interruption.code },
    row_count: 120,
    configured_column_mapping: FIRST,
    evaluation_summary: summaryOf(8),
  });
  expect((await call(evaluation)).body).toMatchObject({ status: 'succeeded', quality: quality(8) });
  expect(deliveredRunId(await stored())).toBe(first.run_id);
});

test('a new adaptation that fails leaves it to be trained on, searched, grown, merged and judged', async () => {
  const first = await adapted();
  await fail(await launch());
  await fail(await launch());
  const failed = await stored();

  expect(failed.state).toBe('failed');
  expect(() => requireTrainable(failed)).not.toThrow();
  expect(searchedRun(failed)).toBe(first.run_id);
  expect(requireGrowable(failed)).toEqual({ rowCount: 120 });
  expect(readinessIssue(failed)).toBeNull();
  const { status, body } = await world.call(createEval, {
    as: owner,
    params: { dataset_id: dataset.dataset_id },
    body: { judge_prompt: 'Score from 0 to 10: ten for an answer that names its source.' },
  });
  expect([status, body]).toMatchObject([202, { status: 'pending' }]);
});

test('a new adaptation that fails has the latest report, and its finished rows are reached by its id', async () => {
  const first = await adapted();
  const second = await launch();
  await fail(second, endingOf(second).counts);
  const name = (run: RunRecord) => `exports/${dataset.dataset_id}/${run.run_id}/data.csv`;
  await world.objects.write(name(first), 'good', 'text/csv');
  await world.objects.write(name(second), 'part', 'text/csv');
  const path = async (query: Record<string, string> = {}) =>
    new URL((await call(download, query)).headers.location ?? '').pathname;

  expect(await path()).toBe(`/${name(first)}`);
  expect(await path({ run_id: second.run_id })).toBe(`/${name(second)}`);
  expect(await path({ run_id: first.run_id })).toBe(`/${name(first)}`);
  expect((await call(report)).body).toMatchObject({ run_id: second.run_id, status: 'failed' });
});

test('a new adaptation that fails of a raw dataset leaves it the rows that it was uploaded with', async () => {
  dataset = await seedDataset(world.store, owner, { state: 'awaiting_upload', processing_mode: 'raw' });
  const ingest = makeRun(dataset, { pipeline: 'ingest', reserved_credits: 0 });
  await world.store.ledger.launch(launchOf(ingest));
  await world.store.datasets.recordFindings(
    dataset.dataset_id,
    ingest.run_id,
    { configured_column_mapping: FIRST },
    Date.now(),
  );
  await world.store.ledger.end(endingOf(ingest, { billedCredits: 0, counts: null }));
  await fail(await launch(SECOND));
  const failed = await stored();

  expect(failed).toMatchObject({ state: 'failed', configured_column_mapping: FIRST });
  expect(deliveredRunId(failed)).toBeNull();
  expect(() => requireTrainable(failed)).not.toThrow();
});

test('a first adaptation that fails delivers its finished rows, which nothing is trained on', async () => {
  const first = await launch();
  await fail(first);
  const failed = await stored();

  expect(deliveredRunId(failed)).toBe(first.run_id);
  expect(() => requireTrainable(failed)).toThrow('failed');
  expect(searchedRun(failed)).toBeNull();
  expect(readinessIssue(failed)).toMatchObject({ code: 'dataset_not_ready' });
});

test.each([
  ['is active', async (): Promise<string> => (await launch()).run_id, [422, 'no_data_yet']],
  ['there is none of', async (): Promise<string> => 'no-such-run', [404, 'run_not_found']],
] as const)('a download of a run that %s is refused', async (_, runId, refusal) => {
  await adapted();
  const { status, problem } = await call(download, { run_id: await runId() });

  expect([status, problem.code]).toEqual(refusal);
});

test('a download of a run that made no rows of its own is refused', async () => {
  const ingest = makeRun(dataset, { pipeline: 'train', reserved_credits: 0 });
  await adapted();
  await world.store.ledger.launch(launchOf(ingest));
  const { status, problem } = await call(download, { run_id: ingest.run_id });

  expect([status, problem.code]).toEqual([404, 'run_not_found']);
});

test('what reads rows asks for the run that delivers them, not for the one that ended last', () => {
  const files = readdirSync('shared', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const naming = files.filter((name) => readFileSync(join('shared', name), 'utf8').includes('.last_run_id'));

  expect(naming.sort()).toEqual(['runs/decide/ledger/ending.ts', 'runs/read-report.ts']);
});
