import { describe, expect, test } from 'vitest';
import type { Hold } from '#shared/access/decide/ledger/record.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import {
  endedDataset,
  endedHold,
  endedRun,
  endedVersion,
  endingEntries,
} from '#shared/runs/decide/ledger/ending.ts';
import type { RunPipeline } from '#shared/runs/decide/run-kinds.ts';
import { makeCaller, makeDataset, makeRun } from '#test/helpers/records.ts';
import { endingOf, interruption } from '#test/helpers/store-contract.ts';

const AT = '2026-03-01T12:30:00.000Z';
const dataset = makeDataset(makeCaller(), { last_run_id: 'run-before' });
const runOf = (pipeline: RunPipeline, reserved = 4) =>
  makeRun(dataset, { run_id: 'run-now', pipeline, reserved_credits: reserved });
const run = runOf('adapt');

test('a run that ends keeps what it was and gets its outcome', () => {
  const ending = endingOf(run, { status: 'failed', billedCredits: 3, errorData: interruption });

  expect(endedRun(run, ending)).toEqual({
    ...run,
    status: 'failed',
    settled_credits: 3,
    counts: ending.counts,
    error_data: interruption,
    ended_at: AT,
  });
});

test.each([0, 1, 4])('a run that ends that reserved 4 credits settles %d', (billedCredits) => {
  expect(endedRun(run, endingOf(run, { billedCredits })).settled_credits).toBe(billedCredits);
});

test.each([5, -1, 0.5, Number.NaN])(
  'a run that ends that reserved 4 credits cannot settle %d',
  (billedCredits) => {
    expect(() => endedRun(run, endingOf(run, { billedCredits }))).toThrow(RangeError);
  },
);

describe('the hold of a run that ends', () => {
  const hold: Hold = {
    team_id: 't',
    run_id: 'run-now',
    dataset_id: 'd',
    credits: 4,
    state: 'held',
    settled_credits: null,
    created_at: run.started_at,
    ended_at: null,
  };

  test.each([
    [0, 'released'],
    [1, 'settled'],
    [4, 'settled'],
  ])('the hold of a run that ends with %d credits billed is %s', (billedCredits, state) => {
    expect(endedHold(hold, endingOf(run, { billedCredits }))).toEqual({
      ...hold,
      state,
      settled_credits: billedCredits,
      ended_at: AT,
    });
  });
});

describe('the entries of a run that ends', () => {
  const entryOf = (type: 'settle' | 'release', credits: number, reason: string | null = null) => ({
    entry_id: `run-now-${type}`,
    team_id: run.team_id,
    type,
    credits,
    run_id: 'run-now',
    dataset_id: run.dataset_id,
    block: null,
    reason,
    created_at: AT,
  });

  test.each([
    [0, { release: entryOf('release', 4) }],
    [3, { settle: entryOf('settle', 3), release: entryOf('release', 1) }],
    [4, { settle: entryOf('settle', 4) }],
  ])(
    'the entries of a run that ends with %d of 4 credits billed are exactly these, and none is of zero credits',
    (billedCredits, entries) => {
      expect(endingEntries(run, endingOf(run, { billedCredits }))).toEqual(entries);
    },
  );

  test('the entries of a run that ends say for what error', () => {
    const ending = endingOf(run, { billedCredits: 0, errorData: interruption });

    expect(endingEntries(run, ending)).toEqual({ release: entryOf('release', 4, 'run_interrupted') });
  });

  test.each<RunPipeline>(['ingest', 'import', 'combine'])(
    'the entries of a run that ends are none for %s, which is free',
    (pipeline) => {
      // Even if a reservation was made by mistake, a free run moves no credits.
      expect(endingEntries(runOf(pipeline), endingOf(run, { billedCredits: 2 }))).toEqual({});
    },
  );
});

describe('the dataset of a run that ends', () => {
  const mapping = { prompt: 'question', completion: 'answer', context: [] };
  const summary = {
    grade_before: 'C',
    grade_after: 'B',
    score_before: 6,
    score_after: 8,
    improvement_percent: 33.3,
  } as const;
  const of = (
    pipeline: RunPipeline,
    ending: Parameters<typeof endingOf>[1] = {},
    fields: Partial<DatasetRecord> = {},
  ) => endedDataset({ ...dataset, ...fields }, runOf(pipeline), endingOf(run, ending));

  test('the dataset of a run that ends has the result of an adaptation, with its rows and its grades', () => {
    const counts = {
      ...{ total: 120, changed: 100, kept: 5, dropped: 10, failed: 5, not_selected: 0 },
      ...{ expanded: 30, expansion_failed: 1 },
    };

    expect(
      of(
        'adapt',
        { counts, changes: { evaluation_summary: summary } },
        { configured_column_mapping: mapping },
      ),
    ).toEqual({
      evaluation_summary: summary,
      output_row_count: 140,
      state: 'succeeded',
      run_id: null,
      last_run_id: 'run-now',
      result: { run_id: 'run-now', configured_column_mapping: mapping },
      error_data: null,
      updated_at: AT,
    });
  });

  test('the dataset of a run that ends shows no grades of an earlier adaptation, and no rows that were not counted', () => {
    expect(of('adapt', { counts: null })).toMatchObject({ evaluation_summary: null, output_row_count: null });
  });

  test('the dataset of a run that ends has failed with its first adaptation, whose rows are not counted', () => {
    const failed = of('adapt', { status: 'failed', errorData: interruption });

    expect(failed).toEqual({
      evaluation_summary: null,
      output_row_count: null,
      state: 'failed',
      run_id: null,
      last_run_id: 'run-now',
      error_data: interruption,
      updated_at: AT,
    });
  });

  test('the dataset of a run that ends keeps the result, the mapping and the grades of an earlier success when a later adaptation fails', () => {
    const result = { run_id: 'run-before', configured_column_mapping: mapping };
    const failed = of('adapt', { status: 'failed', errorData: interruption }, { result });

    expect(failed).toEqual({
      configured_column_mapping: mapping,
      state: 'failed',
      run_id: null,
      last_run_id: 'run-now',
      error_data: interruption,
      updated_at: AT,
    });
  });

  test('the dataset of a run that ends has the result of a later adaptation in place of the earlier one', () => {
    const result = { run_id: 'run-before', configured_column_mapping: null };

    expect(of('adapt', {}, { result, configured_column_mapping: mapping })).toMatchObject({
      evaluation_summary: null,
      output_row_count: 120,
      result: { run_id: 'run-now', configured_column_mapping: mapping },
    });
  });

  test.each<RunPipeline>(['ingest', 'import'])(
    'the dataset of a run that ends waits for its adaptation after %s',
    (pipeline) => {
      expect(of(pipeline, { changes: { row_count: 7 } as never })).toEqual({
        row_count: 7,
        state: 'awaiting_input',
        run_id: null,
        last_run_id: 'run-before',
        error_data: null,
        updated_at: AT,
      });
    },
  );

  test('the dataset of a run that ends is ready after an ingest that nothing is to follow', () => {
    expect(of('ingest', {}, { processing_mode: 'raw' })).toEqual({
      state: 'succeeded',
      run_id: null,
      last_run_id: 'run-before',
      result: { run_id: null, configured_column_mapping: null },
      error_data: null,
      updated_at: AT,
    });
  });

  test.each<[RunPipeline, object]>([
    ['combine', {}],
    ['expand', { made_by_run_id: 'run-now' }],
    ['invent', { made_by_run_id: 'run-now' }],
    ['augment', { made_by_run_id: 'run-now' }],
  ])(
    'the dataset of a run that ends has rows of its own after %s, and names the run that is billed for them',
    (pipeline, made) => {
      expect(of(pipeline)).toEqual({
        state: 'succeeded',
        run_id: null,
        last_run_id: 'run-before',
        ...made,
        result: { run_id: null, configured_column_mapping: null },
        error_data: null,
        updated_at: AT,
      });
    },
  );

  test('the dataset of a run that ends keeps what the run did not make with its result, until the next success', () => {
    const warnings = [{ code: 'languages_incomplete', message: 'Only 0 of 5 rows in de were made.' }];

    expect(of('adapt', { warnings }).result).toEqual({
      run_id: 'run-now',
      configured_column_mapping: null,
      warnings,
    });
    const result = { run_id: 'run-before', configured_column_mapping: null, warnings };
    expect(of('adapt', {}, { result }).result).not.toHaveProperty('warnings');
    expect(of('adapt', { status: 'failed' }, { result })).not.toHaveProperty('result');
  });

  test.each<RunPipeline>(['expand', 'invent', 'augment'])(
    'the dataset of a run that ends has the rows as its result that a failed %s delivered, and a version of them',
    (pipeline) => {
      const failed = { status: 'failed', errorData: interruption } as const;
      const delivered = { manifest_key: 'datasets/of-it/manifest.json', row_count: 7 };

      expect(of(pipeline, failed, delivered)).toMatchObject({
        state: 'failed',
        error_data: interruption,
        result: { run_id: null, configured_column_mapping: null },
      });
      const versionOf = (fields: Partial<DatasetRecord>) =>
        endedVersion({ ...dataset, ...fields }, runOf(pipeline), endingOf(run, failed));
      expect(versionOf(delivered)).toMatchObject({ version: 1, ...delivered });

      const nothing = { manifest_key: null, row_count: null };
      expect(of(pipeline, failed, nothing)).not.toHaveProperty('result');
      expect(versionOf(nothing)).toBeNull();
    },
  );

  test('the dataset of a run that ends has no result after a run that failed to make its rows', () => {
    expect(of('combine', { status: 'failed', errorData: interruption })).toMatchObject({ state: 'failed' });
    expect(of('combine', { status: 'failed' })).not.toHaveProperty('result');
  });
});
