import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ExpandBatchPorts, expandBatch } from '#shared/adaptation/expand-batch.ts';
import { planExpansion } from '#shared/adaptation/plan-expansion.ts';
import { buildExport } from '#shared/exports/build-export.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import { type ModelClient, ModelError } from '#shared/models/decide/port.ts';
import type { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { toDataset } from '#shared/runs/decide/view.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { ExpandPlan } from '#shared/runs/schema/run-context.ts';
import { ExpansionResult, type RunResult } from '#shared/runs/schema/run-result.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import {
  type ActiveRun,
  type ActiveRunOptions,
  answerOf,
  finishBatches,
  linesOf,
  noBatchJobs,
  questionOf,
  resultsOf,
  startRun,
  writeResults,
} from '#test/helpers/active-run.ts';
import { adaptingPorts } from '#test/helpers/adapting-ports.ts';
import { createFastClock } from '#test/helpers/fast-clock.ts';
import { NOW } from '#test/helpers/records.ts';
import { faultsOf } from '#test/helpers/store-contract.ts';
import { createWorld, type World } from '#test/helpers/world.ts';
import { query } from '../tabular/adapters/harness.ts';

let world: World;
let asked: string[];

beforeEach(() => {
  world = createWorld();
  asked = [];
});

const SENTENCES: Readonly<Record<string, string>> = {
  Spanish: 'Este es el texto completo en español, escrito con mucho cuidado para los lectores',
  German: 'Das ist der vollständige Text auf Deutsch, mit viel Sorgfalt für die Leser geschrieben',
};

/** Translates into Spanish and German; `spoiled` rows come back in English. */
const translator = (spoiled: readonly number[] = []): ModelClient => ({
  modelId: 'a-translator',
  generate: async ({ messages }) => {
    const shown = messages.at(-1)?.content ?? '';
    const row = Number(/(?:question|answer) (\d+)/.exec(shown)?.[1]);
    const language = / (?:into|in) (\w+)\.$/.exec(shown)?.[1] ?? '';
    asked.push(`${row} ${language}`);
    const sentence = spoiled.includes(row)
      ? 'This is still written in English, as it was before'
      : SENTENCES[language];
    return {
      text: `${sentence} ${row}.`,
      finishReason: 'stop',
      usage: { input_tokens: 7, output_tokens: 3 },
    };
  },
});

const TWO = { type: 'translate' as const, languages: ['es', 'DE'], sample_rate: 0.1 };

const start = (options: ActiveRunOptions = {}): Promise<ActiveRun> =>
  startRun(world, {
    modelConcurrency: 8,
    ...options,
    request: { language_expansion: TWO, ...options.request },
  });

/** Gives every row of the run its result. */
const adaptAll = (
  active: Pick<ActiveRun, 'run' | 'batches'>,
  outcomeOf?: (row: number) => RunResult['outcome'],
) => finishBatches(world, active, outcomeOf);

const plan = ({ context }: ActiveRun) =>
  planExpansion({ objects: world.objects, modelConcurrency: 8 }, context);
const planOf = ({ run }: ActiveRun): ExpandPlan[] =>
  linesOf(world.objects.text(objectKeys.expansionPlan(run.run_id))).map((line) =>
    ExpandPlan.parse(JSON.parse(line)),
  );
const selectedOf = (active: ActiveRun): { row: number; target: number }[] =>
  planOf(active).flatMap(({ selection_key: key }) =>
    linesOf(world.objects.text(key)).map((line) => JSON.parse(line)),
  );

function work(chunk: ExpandPlan | undefined, overrides: Partial<ExpandBatchPorts> = {}, seconds = 900) {
  if (chunk === undefined) throw new Error('The plan has no such chunk.');
  const clock = createFastClock(10);
  const ports: ExpandBatchPorts = {
    ...adaptingPorts(world, translator(), clock),
    models: { rewrite: null, judge: null, translate: translator(), embedder: null },
    ...overrides,
  };
  return expandBatch(ports, chunk, { deadlineMs: clock.now() + seconds * 1000, attempt: 'a' });
}

async function expandAll(active: ActiveRun, overrides: Partial<ExpandBatchPorts> = {}): Promise<void> {
  await plan(active);
  for (const chunk of planOf(active)) expect(await work(chunk, overrides)).toEqual({ status: 'finished' });
}

const resultsOfExpansion = (active: ActiveRun, chunks = planOf(active)): ExpansionResult[] =>
  chunks.flatMap(({ n }) =>
    linesOf(world.objects.text(objectKeys.result(active.run.run_id, n))).map((line) =>
      ExpansionResult.parse(JSON.parse(line)),
    ),
  );

const finishing = () => ({
  datasets: world.store.datasets,
  runs: world.store.runs,
  objects: world.objects,
  speeds: world.store.speeds,
  trainings: world.store.trainings,
  endRun: world.endRun,
  endBatchJobs: noBatchJobs,
});

async function finish(active: ActiveRun, failure: string | null = null) {
  const error = failure === null ? null : ({ code: failure, message: 'm', level: 'error' } as const);
  if (error === null) await assembleRun(finishing(), active.context, { now: NOW });
  return endAdaptation(finishing(), active.context, error, NOW);
}

async function download(
  { dataset }: ActiveRun,
  format: TabularFormat = 'jsonl',
): Promise<Record<string, unknown>[]> {
  const { dataset_id, team_id } = dataset;
  const ports = {
    datasets: world.store.datasets,
    runs: world.store.runs,
    objects: world.objects,
    claims: world.store.claims,
    exportRows,
  };
  const { key } = await buildExport(ports, { dataset_id, team_id, format });
  const text = world.objects.text(key);
  return format === 'json' ? JSON.parse(text) : linesOf(text).map((line) => JSON.parse(line));
}

async function reportOf({ dataset }: ActiveRun) {
  const now = await world.store.datasets.find(dataset.dataset_id);
  if (now === null) throw new Error('The dataset is gone.');
  return readReport({ runs: world.store.runs, objects: world.objects }, now, {}, 'a-key');
}

test('a plan draws for each target its own share of the rows, the same each time', async () => {
  const active = await start();
  await adaptAll(active);

  const answer = await plan(active);
  const first = selectedOf(active);
  await plan(active);

  expect(answer).toMatchObject({
    plan_key: objectKeys.expansionWork(active.run.run_id),
    max_concurrency: 1,
  });
  expect(answer.chunk_count).toBe(linesOf(world.objects.text(answer.plan_key)).length);
  expect(planOf(active).length).toBeGreaterThanOrEqual(answer.chunk_count);
  const rowsOf = (target: number) => first.filter((one) => one.target === target).map(({ row }) => row);
  expect([rowsOf(0).length, rowsOf(1).length]).toEqual([25, 25]);
  expect(new Set(rowsOf(0)).size).toBe(25);
  expect(rowsOf(0)).not.toEqual(rowsOf(1));
  expect(selectedOf(active)).toEqual(first);
  expect(first).toEqual([...first].sort((a, b) => a.row - b.row || a.target - b.target));
});

test('a plan numbers its chunks after those of the run, and its rows from first to last', async () => {
  const active = await start();
  await adaptAll(active);
  await plan(active);
  const chunks = planOf(active);

  expect(chunks.map(({ n }) => n)).toEqual(chunks.map((_, place) => active.batches.length + place));
  let next = 0;
  for (const { first_row, row_count } of chunks) {
    expect(first_row).toBe(next);
    next += row_count;
  }
  expect(next).toBe(50);
});

test('a plan passes over rows that were dropped, failed, or not selected', async () => {
  const active = await start({
    request: { language_expansion: { ...TWO, sample_rate: 1 }, job_specification: { max_rows: 100 } },
  });
  const outcomes = ['changed', 'dropped', 'failed', 'kept'] as const;
  await adaptAll(active, (row) => outcomes[row % 4] ?? 'kept');
  await plan(active);

  const selected = selectedOf(active);
  expect(selected.length).toBeGreaterThan(60);
  expect(selected.every(({ row }) => row % 4 === 0 || row % 4 === 3)).toBe(true);
  expect(new Set(selected.map(({ row }) => row)).size * 2).toBe(selected.length);
  expect(selected.length / 2).toBeLessThanOrEqual(100);
});

test('a plan is empty for a run that lacks results, which will fail', async () => {
  const active = await start();
  await adaptAll({ ...active, batches: active.batches.slice(1) });

  expect(await plan(active)).toMatchObject({ chunk_count: 0 });
});

describe('a worker', () => {
  test('a worker leaves labels as they are that the dataset has, though its own rows are too few to show them', async () => {
    const active = await start({ rows: 2600 });
    // Sorted: each chunk of a thousand rows has one label alone, but the middle one.
    const labelOf = (row: number): string => (row < 1300 ? 'in favour' : 'opposed');
    for (const batch of active.batches) {
      const results = resultsOf(batch, () => 'changed').map((result) => ({
        ...result,
        cells: { ...result.cells, enhanced_completion: labelOf(result.row) },
      }));
      await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
    }
    await expandAll(active);

    const results = resultsOfExpansion(active);
    expect(results).toHaveLength(520);
    for (const { cells, source_row: row } of results) expect(cells?.enhanced_completion).toBe(labelOf(row));
  });

  test('a worker makes of each selected row one in the language of its target', async () => {
    const active = await start();
    await adaptAll(active);
    await expandAll(active);

    const results = resultsOfExpansion(active);
    expect(results.map(({ source_row: row, target }) => ({ row, target }))).toEqual(selectedOf(active));
    for (const { cells, source_row: row, target, outcome } of results) {
      const language = target === 0 ? 'es' : 'de';
      expect(outcome).toBe('expanded');
      expect(cells).toMatchObject({
        enhanced_completion: `${SENTENCES[target === 0 ? 'Spanish' : 'German']} ${row}.`,
        expansion_language: language,
        expansion_country: null,
        expansion_source_row: row,
      });
    }
  });

  test('a worker asks the model that rewrites where none is there for translating', async () => {
    const active = await start({ rows: 20 });
    await adaptAll(active);
    await expandAll(active, {
      models: { rewrite: translator(), judge: null, translate: null, embedder: null },
    });

    expect(asked).toHaveLength(8);
  });

  const failingAfter = (calls: number, error: Error): ModelClient => ({
    modelId: 'a-translator',
    generate: async (request) => {
      if (asked.length >= calls) throw error;
      return translator().generate(request);
    },
  });
  const only = (translate: ModelClient) => ({ rewrite: null, judge: null, translate, embedder: null });

  test('a worker goes on where a killed one left off, and asks for no finished row again', async () => {
    const active = await start({ request: { language_expansion: { ...TWO, sample_rate: 1 } } });
    await adaptAll(active);
    await plan(active);
    const [chunk] = planOf(active);

    await expect(work(chunk, { models: only(failingAfter(60, new Error('killed'))) })).rejects.toThrow(
      'killed',
    );
    expect(asked).toHaveLength(60);
    expect(await work(chunk)).toEqual({ status: 'finished' });

    const rows = chunk?.row_count ?? 0;
    expect(resultsOfExpansion(active, planOf(active).slice(0, 1))).toHaveLength(rows);
    // Four rows of two texts each were in work.
    expect(asked.length).toBeLessThanOrEqual(2 * rows + 8);
  });

  test('a worker stops, and says why, where the model answers nobody', async () => {
    const active = await start();
    await adaptAll(active);
    await plan(active);
    const misconfigured = new ModelError('misconfigured', 'The key is not valid.');

    expect(await work(planOf(active)[0], { models: only(failingAfter(10, misconfigured)) })).toEqual({
      status: 'stopped',
    });
    const { dataset_id, run_id } = active.context;
    expect((await world.store.runs.find(dataset_id, run_id))?.stop_reason).toMatchObject({
      code: 'model_unavailable',
    });
  });

  test('a worker has the safety of added rows scored by a trusted judge, and else says that they are not scored', async () => {
    const judge: ModelClient = {
      modelId: 'a-judge',
      generate: async () => ({
        text: '{"request":[],"response":[{"category":"hate","severity":3}]}',
        finishReason: 'stop',
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    };
    const models = { rewrite: null, judge, translate: translator(), embedder: null };
    const scored = async (agreement: number) => {
      const active = await start({
        rows: 10,
        request: { brand_controls: { safety_categories: ['violence'] } },
      });
      for (const batch of active.batches) {
        const results = resultsOf(batch, () => 'changed').map((result) => ({
          ...result,
          cells: { ...result.cells, prompt_safety_issues: 'a', response_safety_issues: 'b' },
        }));
        await writeResults(world, objectKeys.result(active.run.run_id, batch.n), results);
      }
      await expandAll(active, {
        models,
        calibrations: {
          findCalibration: async () => null,
          findBlindCalibration: async () => null,
          findSafetyCalibration: async (key) =>
            ({ ...key, agreement, case_count: 12, unanswered: 0 }) as never,
        },
      });
      return resultsOfExpansion(active).map(({ cells, safety_scorer }) => ({
        scores: [cells?.prompt_safety_issues, cells?.response_safety_issues],
        scorer: safety_scorer,
      }));
    };

    const trusted = await scored(0.9);
    expect(trusted).toHaveLength(2);
    for (const { scores, scorer } of trusted) {
      expect(JSON.parse(String(scores[1]))).toMatchObject({ hate: 1 });
      expect(scorer).toBe('a-judge (safety.v1)');
    }
    const unscored = expect.stringContaining('"not_scored":"language"');
    expect(await scored(0.7)).toEqual(Array(2).fill({ scores: [unscored, unscored], scorer: undefined }));
  });

  test('a worker that is invoked again answers from its result', async () => {
    const active = await start();
    await adaptAll(active);
    await expandAll(active);
    const before = asked.length;

    expect(await work(planOf(active)[0])).toEqual({ status: 'finished' });
    expect(asked).toHaveLength(before);
  });

  test('a worker answers unfinished when its time is up', async () => {
    const active = await start();
    await adaptAll(active);
    await plan(active);

    expect(await work(planOf(active)[0], {}, 30)).toEqual({ status: 'unfinished' });
  });

  test('a worker counts what it added to the progress of the run', async () => {
    const active = await start();
    await adaptAll(active);
    await expandAll(active);

    expect(await world.store.runs.readProcessedRows(active.run.run_id)).toBe(50);
    expect(active.run.total_rows).toBe(300);
  });
});

test('a run that added rows delivers them after those of the source, bills both, and shows how many there are', async () => {
  const active = await start();
  await adaptAll(active);
  await expandAll(active);
  const ended = await finish(active);

  expect(ended).toMatchObject({
    status: 'succeeded',
    reserved_credits: 3,
    settled_credits: 3,
    counts: { total: 250, changed: 250, expanded: 50, expansion_failed: 0 },
  });
  expect(await faultsOf(world.store, active.caller.team_id)).toEqual([]);
  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  if (dataset === null) throw new Error('The dataset is gone.');
  expect(dataset.row_count).toBe(250);
  expect(toDataset(dataset, null).row_count).toBe(300);

  const rows = await download(active);
  expect(rows).toHaveLength(300);
  expect(rows.slice(0, 250).map(({ note }) => note)).toEqual(Array.from({ length: 250 }, (_, row) => row));
  for (const row of rows.slice(0, 250)) {
    expect([row.expansion_language, row.expansion_country, row.expansion_source_row]).toEqual([
      null,
      null,
      null,
    ]);
  }
  const added = rows.slice(250);
  expect(added.map(({ expansion_source_row: row }) => row)).toEqual(selectedOf(active).map(({ row }) => row));
  for (const row of added) {
    const source = row.expansion_source_row;
    expect(row).toMatchObject({
      note: source,
      question: questionOf(Number(source)),
      answer: answerOf(Number(source)),
    });
    expect(row.enhanced_prompt).toMatch(new RegExp(`^(Este|Das) .* ${source}\\.$`));
  }
  expect(Object.keys(rows[0] ?? {}).slice(-3)).toEqual([
    'expansion_language',
    'expansion_country',
    'expansion_source_row',
  ]);
  expect(await download(active, 'json')).toEqual(rows);
});

test('a run that added rows reports what it added, and what it could not, with the row and the target', async () => {
  const active = await start({ rows: 20, request: { language_expansion: { ...TWO, sample_rate: 1 } } });
  await adaptAll(active);
  const models = { rewrite: null, judge: null, translate: translator([3, 7]), embedder: null };
  await expandAll(active, { models });
  const ended = await finish(active);

  expect(ended.counts).toMatchObject({ expanded: 36, expansion_failed: 4 });
  const { reported_rows: reported, stages, rows } = await reportOf(active);
  expect(rows).toMatchObject({ expanded: 36, expansion_failed: 4 });
  expect(stages.at(-1)).toMatchObject({ name: 'expand', rows_in: 40, rows_out: 36 });
  expect(reported.map(({ row, outcome, code, target }) => [row, outcome, code, target?.language])).toEqual([
    [3, 'expansion_failed', 'wrong_language', 'es'],
    [3, 'expansion_failed', 'wrong_language', 'de'],
    [7, 'expansion_failed', 'wrong_language', 'es'],
    [7, 'expansion_failed', 'wrong_language', 'de'],
  ]);
  const added = (await download(active)).slice(20);
  expect(added).toHaveLength(36);
  expect(added.map((row) => row.expansion_source_row)).not.toContain(3);
});

test('a run that added rows bills no row that it could not add', async () => {
  const active = await start({ rows: 100, request: { language_expansion: { ...TWO, sample_rate: 0.5 } } });
  await adaptAll(active);
  const everyRow = Array.from({ length: 100 }, (_, row) => row);
  const models = { rewrite: null, judge: null, translate: translator(everyRow), embedder: null };
  await expandAll(active, { models });

  expect(await finish(active)).toMatchObject({
    status: 'succeeded',
    reserved_credits: 2,
    settled_credits: 1,
    counts: { changed: 100, expanded: 0, expansion_failed: 100 },
  });
});

test('a run that added rows warns of a language that it could not make, and leaves the description of its owner', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => row);
  const noGerman: ModelClient = {
    modelId: 'a-translator',
    generate: (request) =>
      translator(/ (?:into|in) German\.$/.test(request.messages.at(-1)?.content ?? '') ? rows : []).generate(
        request,
      ),
  };
  const active = await start({ rows: 40, request: { language_expansion: { ...TWO, sample_rate: 0.25 } } });
  await adaptAll(active);
  await expandAll(active, { models: { rewrite: null, judge: null, translate: noGerman, embedder: null } });

  expect(await finish(active)).toMatchObject({ status: 'succeeded', error_data: null });

  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  if (dataset === null) throw new Error('The dataset is gone.');
  const warning = { code: 'languages_incomplete', message: expect.stringContaining('0 of 10 rows in de') };
  expect(dataset).toMatchObject({ error_data: null, description: active.dataset.description });
  expect(toDataset(dataset, null)).toMatchObject({
    status: 'succeeded',
    error_data: { ...warning, level: 'warning' },
    error: null,
  });
  expect(toDataset({ ...dataset, state: 'running' }, null).error_data).toBeNull();
  expect(await reportOf(active)).toMatchObject({
    warnings: [warning],
    targets: [
      { language: 'es', planned: 10, made: 10 },
      { language: 'de', planned: 10, made: 0 },
    ],
  });
});

test('a run that added rows and failed delivers those that were finished', async () => {
  const active = await start({ request: { language_expansion: { ...TWO, sample_rate: 1 } } });
  await adaptAll(active);
  await plan(active);
  const chunks = planOf(active);
  expect(chunks.length).toBeGreaterThan(1);
  await work(chunks[1]);

  const ended = await finish(active, 'model_unavailable');

  expect(ended).toMatchObject({ status: 'failed', counts: { expanded: chunks[1]?.row_count } });
  expect(ended.settled_credits).toBe(Math.ceil((250 + (chunks[1]?.row_count ?? 0)) / 100));
  const rows = await download(active);
  expect(rows).toHaveLength(250 + (chunks[1]?.row_count ?? 0));
  expect(rows[250]?.expansion_language).toBe('es');
  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  expect(dataset === null ? null : toDataset(dataset, null).row_count).toBe(250);
});

test('a run that added rows writes the columns of its targets into Parquet, with their types', async () => {
  const active = await start({ rows: 20 });
  await adaptAll(active);
  await expandAll(active);
  await finish(active);
  const { dataset_id, team_id } = active.dataset;
  const { key } = await buildExport(
    { ...world.store, objects: world.objects, exportRows },
    { dataset_id, team_id, format: 'parquet' },
  );
  const folder = await mkdtemp(join(tmpdir(), 'expansion-'));
  const path = join(folder, 'rows.parquet');
  await writeFile(path, (await world.objects.read(key)) ?? '');

  const rows = await query(
    `SELECT expansion_language, expansion_country, expansion_source_row, note,
        typeof(expansion_source_row) AS type FROM '${path}' WHERE expansion_language IS NOT NULL`,
  );

  await rm(folder, { recursive: true });
  expect(rows.map(({ expansion_source_row: row }) => Number(row))).toEqual(
    selectedOf(active).map(({ row }) => row),
  );
  expect(rows.map(({ note }) => Number(note))).toEqual(selectedOf(active).map(({ row }) => row));
  expect(new Set(rows.map((row) => row.expansion_language))).toEqual(new Set(['es', 'de']));
  expect(new Set(rows.map((row) => row.type))).toEqual(new Set(['BIGINT']));
});

test('a run that added rows is not complete while one that was to be added has no result', async () => {
  const active = await start();
  await adaptAll(active);
  await plan(active);

  await expect(assembleRun(finishing(), active.context, { now: NOW })).rejects.toMatchObject({
    code: 'run_interrupted',
    message: expect.stringContaining('50 of 300 rows'),
  });
});

test('a run without an expansion has none of its columns', async () => {
  const active = await startRun(world, { rows: 5 });
  await adaptAll(active);
  await finish(active);

  expect(Object.keys((await download(active))[0] ?? {})).not.toContain('expansion_language');
});
