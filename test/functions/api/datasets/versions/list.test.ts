import { beforeEach, expect, test } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as append } from '#functions/api/datasets/rows/append.ts';
import { handler } from '#functions/api/datasets/versions/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createFromFile, landAppend } from '#test/helpers/ingesting.ts';
import { planAdaptation } from '#test/helpers/operations.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let params: { dataset_id: string };

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 100);
  dataset = await createFromFile(world, owner, 'q,a\nWhy?,Because.\n');
  params = { dataset_id: dataset.dataset_id };
});

const list = async (query: Record<string, string> = {}) =>
  (await world.call(handler, { as: owner, params, query })).body;
const appendRow = async () => {
  const { body } = await world.call(append, { as: owner, params, body: { rows: [{ q: 'Who?', a: 'Me.' }] } });
  await landAppend(world, dataset.dataset_id, body.append_id);
  return body.append_id;
};

test('the versions say what made them, of which rows, and how it ended', async () => {
  const appendId = await appendRow();
  const body = { column_mapping: { prompt: 'q', completion: 'a' } };
  const { body: run } = await world.call(adapt, { as: owner, params, body });
  expect(run.version).toBe(3);

  const { versions, next_before } = await list();
  expect(next_before).toBeNull();
  expect(versions).toMatchObject([
    {
      version: 3,
      status: 'running',
      made_by: 'adapt',
      parent_version: 2,
      run_id: run.run_id,
      row_count: 2,
      configured_column_mapping: { prompt: 'q', completion: 'a' },
      ended_at: null,
    },
    {
      version: 2,
      status: 'awaiting_input',
      made_by: 'append',
      parent_version: 1,
      run_id: appendId,
      row_count: 2,
    },
    { version: 1, status: 'awaiting_input', made_by: 'ingest', parent_version: null, row_count: 1 },
  ]);

  const context = { ...params, run_id: run.run_id ?? '', team_id: owner.team_id };
  await world.use(planAdaptation)(context);
  const [planned] = (await list()).versions;
  const { models, prompt_versions } = (await world.store.runs.find(params.dataset_id, context.run_id)) ?? {};
  expect(Object.keys(models ?? {})).toContain('answer');
  expect(planned).toMatchObject({ models, prompt_versions });

  const error = { code: 'run_interrupted', message: 'm', level: 'error' } as const;
  await world.endRun({ ...params, run_id: run.run_id ?? '', error, billedCredits: 0, now: NOW });
  expect((await list()).versions[0]).toMatchObject({ version: 3, status: 'failed' });
  // A version is never used twice, and the failed one changed nothing.
  await appendRow();
  expect((await list()).versions.slice(0, 2)).toMatchObject([
    { version: 4, parent_version: 2, row_count: 3 },
    { version: 3, status: 'failed' },
  ]);
});

test('pages are complete, whatever their size', async () => {
  for (let n = 0; n < 4; n += 1) await appendRow();

  for (const limit of ['1', '2', '5', '100']) {
    const found: number[] = [];
    for (let before: number | null | undefined; before !== null; ) {
      const page = await list({ limit, ...(before === undefined ? {} : { before: `${before}` }) });
      expect(page.versions.length).toBeGreaterThan(0);
      found.push(...page.versions.map(({ version }) => version));
      before = page.next_before;
    }
    expect(found).toEqual([5, 4, 3, 2, 1]);
  }
});

test('a query that is no number is refused', async () => {
  for (const query of [{ limit: '0' }, { limit: '101' }, { before: 'x' }, { before: '0' }]) {
    expect((await world.call(handler, { as: owner, params, query })).problem.statusCode).toBe(400);
  }
});
