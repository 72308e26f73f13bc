import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/report.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { ReportRow } from '#shared/runs/schema/report-row.ts';
import { makeCaller, makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let run: RunRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
  dataset = await seedDataset(world.store, owner);
  run = makeRun(dataset, { models: { rewrite: 'a-model' }, prompt_versions: { 'rewrite-prompt': 'v1' } });
});

const launch = () => world.store.ledger.launch(launchOf(run));
const get = (query: Record<string, string> = {}, as = owner) =>
  world.call(handler, { as, params: { dataset_id: dataset.dataset_id }, query });

const rowAt = (row: number): ReportRow => ({
  row,
  outcome: 'kept',
  code: 'original_better',
  message: 'The original answer was judged better.',
  similar_to_row: null,
  target: null,
  sources: [],
});

/** Reported rows of each batch, written as the end of a run writes them. */
async function writeReport(batches: number[][]): Promise<StoredReport> {
  const kept = batches.flat().length;
  const report: StoredReport = {
    rows: {
      total: 120,
      changed: 120 - kept,
      kept,
      dropped: 0,
      failed: 0,
      not_selected: 0,
      expanded: 0,
      expansion_failed: 0,
    },
    tokens: { input: 1000, output: 500, calls: 360 },
    call_seconds: 420,
    edits: [{ kind: 'mended', evidence: 'checked', rows: 80, words_kept: 0.91 }],
    safety_scorers: { 'a judge': 119, 'word lists': 1 },
    pairs: 0,
    reported_rows: batches.map((rows) => rows.length),
    stages: [
      {
        name: 'adapt',
        rows_in: 120,
        rows_out: 120,
        started_at: '2026-03-01T12:00:00.000Z',
        ended_at: '2026-03-01T12:30:00.000Z',
      },
    ],
  };
  await world.objects.write(objectKeys.report(run.run_id), JSON.stringify(report), 'application/json');
  for (const [n, rows] of batches.entries()) {
    if (rows.length === 0) continue;
    const lines = rows.map((row) => `${JSON.stringify(rowAt(row))}\n`).join('');
    await world.objects.write(objectKeys.reportRows(run.run_id, n), lines, 'application/jsonl');
  }
  return report;
}

test('before a run there is nothing to report, which is a 422', async () => {
  expect((await get()).problem).toMatchObject({ statusCode: 422, code: 'no_data_yet' });
});

test('before a run the ingest counts as none', async () => {
  const ingest = makeRun(dataset, { pipeline: 'ingest', reserved_credits: 0, total_rows: null });
  dataset = await seedDataset(world.store, owner, { state: 'awaiting_upload' });
  const own = { ...ingest, dataset_id: dataset.dataset_id };
  await world.store.ledger.launch(launchOf(own));
  await world.store.ledger.end(endingOf(own, { billedCredits: 0, counts: null }));

  expect((await get()).problem.code).toBe('no_data_yet');
});

test('of a run names what its models do not take', async () => {
  await launch();
  expect((await get()).body).toMatchObject({ left_out: {} });

  await world.store.runs.recordLeftOut(run.dataset_id, run.run_id, { 'a-model': ['schema', 'temperature'] });

  expect((await get()).body).toMatchObject({ left_out: { 'a-model': ['schema', 'temperature'] } });
});

test('of an active run says what is reserved and leaves open what is not known', async () => {
  await launch();

  expect((await get()).body).toMatchObject({
    run_id: run.run_id,
    status: 'running',
    ended_at: null,
    rows: null,
    tokens: null,
    stages: [],
    credits: { reserved: 2, settled: null },
    models: { rewrite: 'a-model' },
    prompt_versions: { 'rewrite-prompt': 'v1' },
    invention: null,
    reported_rows: [],
    next_cursor: null,
  });
});

describe('of an ended run', () => {
  const BATCHES = [[1, 2, 3], [], [40, 41], [], [80]];
  let report: StoredReport;

  beforeEach(async () => {
    await launch();
    report = await writeReport(BATCHES);
    await world.store.ledger.end(endingOf(run, { billedCredits: 1 }));
  });

  test('of an ended run has the counts, the tokens, the credits and the rows with their reasons', async () => {
    const { body } = await get();

    expect(body).toMatchObject({
      dataset_id: dataset.dataset_id,
      status: 'succeeded',
      rows: report.rows,
      tokens: report.tokens,
      edits: report.edits,
      safety_scorers: report.safety_scorers,
      stages: report.stages,
      credits: { reserved: 2, settled: 1 },
      next_cursor: null,
    });
    expect(body.reported_rows).toEqual(BATCHES.flat().map(rowAt));
  });

  test.each([1, 2, 3, 4, 5, 6, 7])('pages of %i meet each reported row once, in order', async (limit) => {
    const rows: number[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const { body } = await get({ limit: String(limit), ...(cursor === null ? {} : { cursor }) });
      expect(body.reported_rows.length).toBeLessThanOrEqual(limit);
      rows.push(...body.reported_rows.map(({ row }) => row));
      cursor = body.next_cursor;
      pages += 1;
    } while (cursor !== null);

    expect(rows).toEqual(BATCHES.flat());
    expect(pages).toBe(Math.ceil(6 / limit));
  });

  test('a page is a hundred rows when nothing is said, and a thousand at most', async () => {
    await writeReport([Array.from({ length: 120 }, (_, row) => row)]);

    expect((await get()).body.reported_rows).toHaveLength(100);
    expect((await get({ limit: '1000' })).body.reported_rows).toHaveLength(120);
    expect((await get({ limit: '1001' })).problem.details[0]?.path).toBe('query.limit');
    expect((await get({ limit: '0' })).problem.details[0]?.path).toBe('query.limit');
  });

  test('a cursor that was changed, or of another run, is a 400', async () => {
    const cursor = (await get({ limit: '1' })).body.next_cursor ?? '';
    const next = makeRun(dataset);

    const changed = await get({ cursor: `${cursor}x` });
    await world.store.ledger.launch(launchOf(next));
    const other = await get({ cursor });

    expect(changed.problem).toMatchObject({ statusCode: 400, code: 'cursor_invalid' });
    expect(other.problem.code).toBe('cursor_invalid');
  });

  test('of an ended run is that of the run that is active since', async () => {
    const next = makeRun(dataset);
    await world.store.ledger.launch(launchOf(next));

    expect((await get()).body).toMatchObject({ run_id: next.run_id, status: 'running', rows: null });
  });

  test('of an ended run is another team’s never', async () => {
    expect((await get({}, makeCaller())).problem.code).toBe('dataset_not_found');
  });
});
