import { beforeEach, describe, expect, test } from 'vitest';
import { handler as adapt } from '#functions/api/datasets/adapt.ts';
import { handler as augment } from '#functions/api/datasets/augment.ts';
import { handler as extend } from '#functions/api/datasets/extend-trajectories.ts';
import { handler as invent } from '#functions/api/datasets/invent/create.ts';
import { handler as localize } from '#functions/api/datasets/localize.ts';
import { handler as pilot } from '#functions/api/datasets/pilots/create.ts';
import { handler as run } from '#functions/api/datasets/run.ts';
import { handler as translate } from '#functions/api/datasets/translate.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { load } from '#test/helpers/augmenting.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const MAPPING = { prompt: 'question', completion: 'answer' };
const TRANSLATE = { type: 'translate', languages: ['de'], sample_rate: 0.5 };

/** A request to each endpoint that estimates, which adds or processes more than five rows. */
const requests: Readonly<Record<string, { handler: Parameters<World['call']>[0]; body: object }>> = {
  'datasets.adapt': { handler: adapt, body: { column_mapping: MAPPING } },
  'datasets.pilots.create': { handler: pilot, body: { column_mapping: MAPPING, arms: [{}], sample_rows: 6 } },
  'datasets.run': { handler: run, body: { column_mapping: MAPPING } },
  'datasets.augment': { handler: augment, body: { domain_rows: 6 } },
  'datasets.translate': { handler: translate, body: { languages: ['de'], sample_rate: 0.6 } },
  'datasets.localize': {
    handler: localize,
    body: { pairs: [{ country: 'MX', language: 'es' }], sample_rate: 0.6 },
  },
  'datasets.extend-trajectories': { handler: extend, body: { column_mapping: MAPPING } },
  'datasets.invent.create': { handler: invent, body: { domains: ['medical'], rows: 6 } },
};

let world: World;
let owner: Caller;
let source: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  const plan = { ...DEFAULT_PLAN, rows_per_launch: 5 };
  owner = await seedTeam(world.store, 5000, { plan });
  const lines = Array.from(
    { length: 10 },
    (_, row) => `{"question":"question ${row}","answer":"answer ${row}"}`,
  );
  source = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, lines);
  await load(world, [{ prompt: 'What is bread?', completion: 'Food.' }]);
});

async function ask(id: string, body: object) {
  const known = requests[id];
  if (known === undefined) throw new Error(`No request to ${id} is known.`);
  const params: Record<string, string> =
    id === 'datasets.invent.create' ? {} : { dataset_id: source.dataset_id };
  const { status, problem } = await world.call(known.handler, {
    as: owner,
    params,
    body: { ...known.body, ...body },
  });
  return { status, code: problem?.code, message: problem?.message };
}

test('every endpoint that estimates is among those that are compared here', () => {
  const estimating = contracts.filter(
    ({ id, body }) =>
      // It adds no rows, which are what a plan limits.
      id !== 'autoscientist.comparisons.create' &&
      body !== undefined &&
      JSON.stringify(Object.keys((body as { shape?: object }).shape ?? {})).includes('"estimate"'),
  );

  expect(estimating.map(({ id }) => id).sort()).toEqual(Object.keys(requests).sort());
});

describe.each(Object.keys(requests))('an estimate of %s', (id) => {
  test('an estimate is refused where the plan would refuse the launch, in the same words', async () => {
    const launch = await ask(id, {});

    expect(launch).toMatchObject({ status: 403, code: 'plan_limit_exceeded' });
    expect(await ask(id, { estimate: true })).toEqual(launch);
  });
});

test.each([
  ['a column that there is none of', { column_mapping: { prompt: 'asked' } }],
  [
    'rows of a language expansion beyond the plan',
    { job_specification: { max_rows: 4 }, language_expansion: TRANSLATE },
  ],
])('an adaptation with %s is refused alike', async (_, body) => {
  const launch = await ask('datasets.adapt', body);

  expect(launch.status).toBeGreaterThanOrEqual(400);
  expect(await ask('datasets.adapt', { ...body, estimate: true })).toEqual(launch);
});
