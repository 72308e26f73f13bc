import { beforeEach, expect, test } from 'vitest';
import { ROUNDS_MAX } from '#shared/growth/decide/invent/selection.ts';
import { launchInvention } from '#shared/growth/launch-invention.ts';
import { planRound } from '#shared/growth/plan-round.ts';
import type { InventRequest } from '#shared/growth/schema/invent.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { runCancelled } from '#shared/runs/decide/stop-reasons.ts';
import { toDataset } from '#shared/runs/decide/view.ts';
import { readReport } from '#shared/runs/read-report.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { calibrationOf } from '#test/helpers/calibrations.ts';
import { rowsOf } from '#test/helpers/combining.ts';
import { contextOf } from '#test/helpers/growing.ts';
import {
  chunksOf,
  endInvention,
  executeInvention,
  inventor,
  roundOf,
  unlikeOthers,
  write,
} from '#test/helpers/inventing.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 1000);
});

async function launch(request: Partial<InventRequest> = {}): Promise<RunContext> {
  const { id } = await launchInvention(
    {
      ...world.store,
      launchRun: world.launchRun,
      newId: () => crypto.randomUUID(),
      judgeModelId: 'judge',
      infer: async () => ({ problem: 'unavailable' }),
    },
    {
      caller: owner,
      request: { rows: 40, domains: ['medical', 'art'], ...request },
      now: NOW,
    },
  );
  return contextOf(world, id ?? '');
}
const datasetOf = async ({ dataset_id: id }: RunContext) => {
  const dataset = await world.store.datasets.find(id);
  if (dataset === null) throw new Error('There is no such dataset.');
  return dataset;
};
const made = async ({ dataset_id: id }: RunContext): Promise<Record<string, unknown>[]> =>
  (await rowsOf(world, id)).map((text) => JSON.parse(text));
const reportOf = async (context: RunContext) =>
  readReport(
    { runs: world.store.runs, objects: world.objects },
    await datasetOf(context),
    { limit: 1000 },
    'key',
  );
const balance = () => world.store.ledger.findBalance(owner.team_id);

test('exactly as many rows as were asked for come when every candidate is good', async () => {
  const context = await launch();

  const rounds = await executeInvention(world, context, inventor());

  expect(rounds).toBe(1);
  expect(await datasetOf(context)).toMatchObject({
    kind: 'invented',
    state: 'succeeded',
    row_count: 40,
    configured_column_mapping: { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
  });
  const rows = await made(context);
  expect(rows).toHaveLength(40);
  expect(Object.keys(rows[0] ?? {})).toEqual([
    'original_prompt',
    'original_completion',
    'enhanced_prompt',
    'enhanced_completion',
    'domain',
    'subdomain',
  ]);
  expect(rows[0]).toMatchObject({ original_prompt: null, original_completion: null });
  const report = await reportOf(context);
  expect(report).toMatchObject({
    status: 'succeeded',
    credits: { reserved: 10, settled: 10 },
    models: { rewrite: 'an-inventor' },
    prompt_versions: { invent: 'invent-request.v1', answer: 'improve-answer.v2' },
    invention: {
      requested: 40,
      accepted: 40,
      candidates: 44,
      candidates_max: 150,
      score_min: 6,
      ended_by: 'rows',
      diversity: { sampled_rows: 40, subdomains: 10, covered_subdomains: 10, coverage: 1 },
    },
  });
  expect(report.rows).toMatchObject({ total: 44, changed: 40, not_selected: 4, dropped: 0, failed: 0 });
});

test('exactly as many rows as were asked for come when some candidates are bad and others repeat each other, across workers and rounds', async () => {
  const context = await launch({ rows: 60 });
  const isBad = (number: number) => number % 4 === 0;
  // Each second request is the one before it, word for word or nearly.
  const requestOf = (number: number) =>
    number % 2 === 1
      ? unlikeOthers(number)
      : unlikeOthers(number - 1)
          .replace('How', 'HOW,')
          .replace('?', '…?');

  const rounds = await executeInvention(
    world,
    context,
    inventor({ requestOf, isGood: (number) => !isBad(number) }),
  );

  expect(rounds).toBeGreaterThan(1);
  const prompts = (await made(context)).map((row) => row.enhanced_prompt as string);
  expect(prompts).toHaveLength(60);
  const numbers = prompts.map((prompt) => Number(/number-(\d+)/.exec(prompt)?.[1]));
  expect(new Set(numbers).size).toBe(60);
  const { rows, reported_rows, invention } = await reportOf(context);
  expect(invention).toMatchObject({ accepted: 60, ended_by: 'rows' });
  expect(rows?.dropped).toBeGreaterThan(50);
  const near = reported_rows.filter(({ code }) => code === 'duplicate_near');
  expect(near.length).toBeGreaterThan(20);
  for (const { row, similar_to_row } of near) expect(similar_to_row).toBe(row - 1);
});

test('exactly as many rows as were asked for are below the threshold in none', async () => {
  const context = await launch({ rows: 30 });

  await executeInvention(world, context, inventor({ isGood: (number) => number % 3 !== 0 }));

  const rows = await made(context);
  expect(rows).toHaveLength(30);
  for (const row of rows) expect(row.enhanced_completion).toMatch(/step by step/);
  expect((await reportOf(context)).reported_rows).toContainEqual(
    expect.objectContaining({ outcome: 'dropped', code: 'below_threshold' }),
  );
});

test('exactly as many rows as were asked for have a better and a worse answer where pairs are asked for', async () => {
  const context = await launch({ rows: 12, training_type: 'preference_pairs' });
  let answers = 0;
  const model = inventor();
  const uneven = {
    ...model,
    generate: async (request: Parameters<typeof model.generate>[0]) => {
      const generation = await model.generate(request);
      const isAnswer = !(request.messages.at(-1)?.content ?? '').includes('Write request number');
      answers += isAnswer ? 1 : 0;
      return isAnswer && request.temperature > 0.5
        ? { ...generation, text: 'no no no no no no' }
        : generation;
    },
  };

  await executeInvention(world, context, uneven);

  const rows = await made(context);
  expect(rows).toHaveLength(12);
  expect(answers).toBeGreaterThanOrEqual(24);
  for (const row of rows) {
    expect(row.chosen).toBe(row.enhanced_completion);
    expect(row.chosen).toMatch(/step by step/);
    expect(row.rejected).toBe('no no no no no no');
  }
  expect((await datasetOf(context)).configured_column_mapping).toMatchObject({
    chosen: 'chosen',
    rejected: 'rejected',
  });
});

test('a judge is measured before pairs are made, once, and not where none are asked for', async () => {
  let measured = 0;
  const measureJudge = async () => {
    measured += 1;
    expect((await world.store.runs.find(pairs.dataset_id, pairs.run_id))?.stage).toBe('measuring_judge');
    return calibrationOf('judge');
  };
  const pairs = await launch({ rows: 12, training_type: 'preference_pairs' });
  const ports = {
    ...world.store,
    objects: world.objects,
    writeRows: async () => ({ row_count: 0, columns: [], chunks: [] }),
    measureJudge,
  };
  const plan = (context: RunContext, round: number) =>
    planRound({ ...ports, modelConcurrency: 4, models: {} }, context, { round, now: NOW });

  await plan(pairs, 0);
  expect(measured).toBe(1);
  await plan(pairs, 1);
  await plan(await launch({ rows: 12 }), 0);
  expect(measured).toBe(1);
});

test.each([
  ['was measured and is believed for no kind of pair', calibrationOf('judge', [])],
  ['could not be measured', null],
])('a judge that %s ends a run for pairs before a row is written', async (why, calibration) => {
  const pairs = await launch({ rows: 12, training_type: 'preference_pairs' });
  const planned = planRound(
    {
      ...world.store,
      objects: world.objects,
      writeRows: async () => ({ row_count: 0, columns: [], chunks: [] }),
      measureJudge: async () => calibration,
      modelConcurrency: 4,
      models: {},
    },
    pairs,
    { round: 0, now: NOW },
  );

  await expect(planned).rejects.toMatchObject({
    code: 'not_available_yet',
    message: expect.stringContaining(why),
  });
});

test('exactly as many rows as were asked for and their share in other languages', async () => {
  const context = await launch({
    rows: 20,
    language_expansion: { type: 'translate', languages: ['es', 'de'], sample_rate: 0.25 },
  });

  await executeInvention(world, context, inventor());

  const rows = await made(context);
  expect(rows).toHaveLength(30);
  const added = rows.slice(20);
  expect(added.map((row) => row.expansion_language).sort()).toEqual([
    ...Array(5).fill('de'),
    ...Array(5).fill('es'),
  ]);
  for (const row of added) {
    expect(row.enhanced_prompt).toMatch(/español|Deutsch/);
    expect(row.subdomain).toBe(rows[row.expansion_source_row as number]?.subdomain);
  }
  expect(await reportOf(context)).toMatchObject({
    rows: { changed: 20, expanded: 10 },
    credits: { reserved: 10, settled: 10 },
    stages: [{ name: 'invent' }, { name: 'expand', rows_in: 10, rows_out: 10 }],
  });
});

test('exactly as many rows as were asked for come with a word on the languages that could not be made', async () => {
  const context = await launch({
    rows: 20,
    language_expansion: { type: 'translate', languages: ['es', 'it'], sample_rate: 0.25 },
  });

  // The translator knows no Italian.
  await executeInvention(world, context, inventor());

  const dataset = await datasetOf(context);
  expect(dataset).toMatchObject({
    state: 'succeeded',
    row_count: 25,
    description: '20 rows, and 5 of 5 rows in es, 0 of 5 rows in it.',
  });
  expect(toDataset(dataset, null).error_data).toMatchObject({
    code: 'languages_incomplete',
    level: 'warning',
  });
  expect((await reportOf(context)).targets).toEqual([
    { language: 'es', country: null, planned: 5, made: 5 },
    { language: 'it', country: null, planned: 5, made: 0 },
  ]);
});

test('the run ends with what it has, and says so where that is too little for a row in another language', async () => {
  const context = await launch({
    rows: 20,
    language_expansion: { type: 'translate', languages: ['es'], sample_rate: 0.03 },
  });

  await executeInvention(world, context, inventor({ isGood: (number) => number % 10 === 0 }));

  const dataset = await datasetOf(context);
  expect(dataset.description).toMatch(/^\d+ of 20 rows, and none in other languages: /);
  expect(dataset.warnings?.map(({ code }) => code)).toEqual(['rows_incomplete', 'languages_incomplete']);
});

test('a run that is cut off when all its rows are there has succeeded, and has not where rows in other languages are missing', async () => {
  const cancelled = async (request: Partial<InventRequest>) => {
    const context = await launch({ rows: 20, ...request });
    const planned = await roundOf(world, context, 0);
    for (const chunk of chunksOf(world, planned)) await write(world, chunk, inventor());
    await world.store.runs.requestStop(context.dataset_id, context.run_id, runCancelled);
    await roundOf(world, context, 1);
    await endInvention(world, context);
    return datasetOf(context);
  };

  expect(await cancelled({})).toMatchObject({ state: 'succeeded', row_count: 20, error_data: null });
  expect(
    await cancelled({ language_expansion: { type: 'translate', languages: ['es'], sample_rate: 0.25 } }),
  ).toMatchObject({
    state: 'failed',
    row_count: 20,
    error_data: { code: 'run_cancelled' },
    description: '20 rows, and none in other languages.',
  });
});

test('the run ends with what it has, says so, and charges that', async () => {
  const context = await launch({ rows: 200 });

  await executeInvention(world, context, inventor({ isGood: (number) => number % 10 === 0 }));

  const report = await reportOf(context);
  const accepted = report.invention?.accepted ?? 0;
  expect(report.invention).toMatchObject({ candidates: 630, candidates_max: 630, ended_by: 'candidates' });
  expect(accepted).toBeGreaterThan(50);
  expect(accepted).toBeLessThan(100);
  expect(report.credits).toEqual({ reserved: 20, settled: 10 });
  expect(await datasetOf(context)).toMatchObject({
    state: 'succeeded',
    row_count: accepted,
    description: `${accepted} of 200 rows: 630 candidates were written, and the others were not accepted.`,
    warnings: [
      {
        code: 'rows_incomplete',
        message: expect.stringMatching(
          `^${accepted} of 200 rows were made, and only those are billed. 630 candidates were written. Of those that were not accepted: ${630 - accepted} `,
        ),
      },
    ],
  });
  expect(await made(context)).toHaveLength(accepted);
});

test('when the candidates are used up or have taken as many rounds as an execution remembers, no further round begins', async () => {
  const context = await launch({ rows: 100 });
  const [chunk] = chunksOf(world, await roundOf(world, context, 0));
  if (chunk === undefined) throw new Error('There is no chunk.');
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const small = { ...chunk, n: round, first_row: round, row_count: 1 };
    await world.objects.write(
      objectKeys.roundPlan(context.run_id, round),
      JSON.stringify(small),
      'application/jsonl',
    );
    await write(world, small, inventor({ isGood: () => false }));
  }

  expect((await roundOf(world, context, ROUNDS_MAX - 1)).next).toBe('candidates');
  expect((await roundOf(world, context, ROUNDS_MAX)).next).toBe('nothing');
});

test('when the candidates are used up and none was accepted, it fails and charges nothing', async () => {
  const context = await launch({ rows: 5 });

  await executeInvention(world, context, inventor({ isGood: () => false }));

  expect(await datasetOf(context)).toMatchObject({
    state: 'failed',
    row_count: null,
    error_data: { code: 'too_many_rows_failed' },
  });
  expect((await reportOf(context)).rows).toMatchObject({ total: 45, dropped: 45, changed: 0 });
  expect(await balance()).toMatchObject({ held: 0, available: 1000, settled: 0 });
});

test('a run that is cut off asks for no candidate twice that was checkpointed, and delivers the same rows', async () => {
  const context = await launch({ rows: 80 });
  const planned = await roundOf(world, context, 0);
  const [chunk] = chunksOf(world, planned);
  if (chunk === undefined) throw new Error('There is no chunk.');
  let calls = 0;
  const model = inventor({
    beforeCall: () => {
      calls += 1;
      if (calls === 130) throw new Error('killed');
    },
  });
  await expect(write(world, chunk, model)).rejects.toThrow('killed');
  const checkpointed = new Set<number>();
  for await (const key of world.objects.list(objectKeys.checkpoints(context.run_id, chunk.n))) {
    for (const line of world.objects.text(key).trim().split('\n')) checkpointed.add(JSON.parse(line).row);
  }
  const before = model.asked.length;

  await executeInvention(world, context, model);

  expect(checkpointed.size).toBeGreaterThanOrEqual(25);
  const again = model.asked.slice(before).map((number) => number - 3);
  expect(again.filter((candidate) => checkpointed.has(candidate))).toEqual([]);
  expect(await made(context)).toHaveLength(80);
});

test('a run that is cut off plans the same round again when the answer of the first planning was lost', async () => {
  const context = await launch({ rows: 30 });
  const model = inventor({ isGood: (number) => number % 2 === 0 });
  for (const chunk of chunksOf(world, await roundOf(world, context, 0))) await write(world, chunk, model);

  const first = await roundOf(world, context, 1);
  const chunks = chunksOf(world, first);

  expect(await roundOf(world, context, 1)).toEqual(first);
  expect(chunksOf(world, first)).toEqual(chunks);
  expect(chunks[0]).toMatchObject({ n: 1, first_row: 33 });
});

test('a run that is cut off by its budget delivers and charges what was accepted, and fails by the reason', async () => {
  const context = await launch({ rows: 300 });
  const [chunk, ...others] = chunksOf(world, await roundOf(world, context, 0));
  if (chunk === undefined) throw new Error('There is no chunk.');
  expect(others).not.toEqual([]);
  await write(world, chunk, inventor());
  await world.store.runs.requestStop(context.dataset_id, context.run_id, {
    code: 'run_budget_exceeded',
    message: 'The tokens are used up.',
    level: 'error',
  });
  for (const other of others) expect((await write(world, other, inventor())).status).toBe('stopped');

  expect((await roundOf(world, context, 1)).next).toBe('nothing');
  await endInvention(world, context);

  expect(await datasetOf(context)).toMatchObject({
    state: 'failed',
    row_count: chunk.row_count,
    error_data: { code: 'run_budget_exceeded' },
  });
  expect(await reportOf(context)).toMatchObject({
    credits: { reserved: 30, settled: 10 * Math.ceil(chunk.row_count / 100) },
    invention: { ended_by: 'stop', accepted: chunk.row_count },
  });
});

test('a run that is cut off in its last round, after a day, delivers and bills what was accepted', async () => {
  const context = await launch({ rows: 300 });
  const [chunk] = chunksOf(world, await roundOf(world, context, 0));
  if (chunk === undefined) throw new Error('There is no chunk.');
  await write(world, chunk, inventor());

  const day = 24 * 3_600_000;
  expect((await roundOf(world, context, 1, NOW + day - 1)).next).toBe('candidates');
  expect((await roundOf(world, context, 1, NOW + day)).next).toBe('nothing');
  await endInvention(world, context);

  expect(await datasetOf(context)).toMatchObject({ state: 'succeeded', row_count: chunk.row_count });
  expect((await datasetOf(context)).description).toContain('After a day no more are written.');
  expect(await reportOf(context)).toMatchObject({
    credits: { reserved: 30, settled: 10 * Math.ceil(chunk.row_count / 100) },
    invention: { ended_by: 'time', accepted: chunk.row_count },
  });
  expect(await reportOf(context)).not.toHaveProperty('invention.is_late');
});

test('a run that is cut off in its last round, after a day, is kept as release 0.1.0 reads it after a rollback', async () => {
  const context = await launch({ rows: 300 });
  const [chunk] = chunksOf(world, await roundOf(world, context, 0));
  if (chunk === undefined) throw new Error('There is no chunk.');
  await write(world, chunk, inventor());

  await roundOf(world, context, 1, NOW + 24 * 3_600_000);
  await endInvention(world, context);

  const kept = JSON.parse(world.objects.text(objectKeys.report(context.run_id)));
  expect(['rows', 'candidates', 'stop']).toContain(kept.invention.ended_by);
});

/** Works on the first chunks of the rounds as `written` says, and on no other, until no further round begins. */
async function breakOff(context: RunContext, written: readonly number[]): Promise<number[]> {
  const sizes: number[] = [];
  for (let round = 0; ; round += 1) {
    const planned = await roundOf(world, context, round);
    if (planned.next !== 'candidates') break;
    const chunks = chunksOf(world, planned);
    sizes.push(chunks.reduce((sum, { row_count: count }) => sum + count, 0));
    for (const chunk of chunks.slice(0, written[round] ?? 0)) await write(world, chunk, inventor());
  }
  await endInvention(world, context);
  return sizes;
}

test('a run that is cut off in two rounds in a row delivers what was accepted, and fails as interrupted by its missing rows', async () => {
  const context = await launch({ rows: 300 });

  const sizes = await breakOff(context, [1]);

  const { invention, credits } = await reportOf(context);
  const accepted = invention?.accepted ?? 0;
  const missing = 300 - accepted;
  expect(accepted).toBeGreaterThan(50);
  expect(missing).toBeGreaterThan(50);
  expect(sizes).toEqual([330, Math.ceil(missing * 1.1), Math.ceil(missing * 1.1)]);
  expect(invention).toMatchObject({ candidates: accepted, ended_by: 'stop' });
  expect(credits).toEqual({ reserved: 30, settled: 10 * Math.ceil(accepted / 100) });
  expect(await datasetOf(context)).toMatchObject({
    state: 'failed',
    row_count: accepted,
    error_data: { code: 'run_interrupted', message: expect.stringContaining(`${missing} of 300 rows`) },
  });
});

test('a run that is cut off before anything is written fails as interrupted, and charges nothing', async () => {
  const context = await launch({ rows: 30 });

  expect(await breakOff(context, [])).toEqual([33, 33]);

  expect(await datasetOf(context)).toMatchObject({
    state: 'failed',
    row_count: null,
    error_data: { code: 'run_interrupted', message: expect.stringContaining('30 of 30 rows') },
  });
  expect(await balance()).toMatchObject({ held: 0, available: 1000, settled: 0 });
});

test('a run that is cut off in single rounds makes all its rows of other candidates, which count once', async () => {
  const context = await launch({ rows: 300 });

  const sizes = await breakOff(context, [0, 1, 0, 99]);

  expect(sizes).toHaveLength(4);
  const { invention } = await reportOf(context);
  expect(invention).toMatchObject({ accepted: 300, ended_by: 'rows' });
  expect(invention?.candidates).toBeLessThan(340);
  expect(await datasetOf(context)).toMatchObject({ state: 'succeeded', row_count: 300 });
});

test('a run that is cut off by its day before anything is written fails by the time', async () => {
  const context = await launch({ rows: 30 });
  await roundOf(world, context, 0);

  expect((await roundOf(world, context, 1, NOW + 24 * 3_600_000)).next).toBe('nothing');
  await endInvention(world, context);

  expect(await datasetOf(context)).toMatchObject({
    state: 'failed',
    error_data: { code: 'run_timed_out' },
  });
});
