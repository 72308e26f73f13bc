import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/adapt.ts';
import { handler as run } from '#functions/api/datasets/run.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const column_mapping = { prompt: 'question', completion: 'answer' };
const THREE: LanguageExpansion = { type: 'translate', languages: ['es', 'ZH', 'sw'], sample_rate: 0.5 };
const ONE: LanguageExpansion = {
  type: 'localize',
  pairs: [{ country: 'mx', language: 'es' }],
  sample_rate: 1,
};
const STATES = { omitted: {}, null: { language_expansion: null }, object: { language_expansion: ONE } };

const seed = (kept: LanguageExpansion | null, rows = 250) =>
  seedDataset(world.store, owner, { row_count: rows, language_expansion: kept });
const keptOf = async (datasetId: string) =>
  (await world.store.datasets.find(datasetId))?.language_expansion ?? null;

describe.each([
  ['/adapt', handler],
  ['/run', run as unknown as typeof handler],
])('%s', (_route, route) => {
  const call = (dataset_id: string, body: object) =>
    world.call(route, { as: owner, params: { dataset_id }, body: body as never });

  test.each([
    ['omitted', THREE, 7, THREE],
    ['null', THREE, 3, null],
    ['object', THREE, 5, ONE],
    ['omitted', null, 3, null],
    ['object', null, 5, ONE],
  ] as const)(
    '%s, where the dataset keeps %j, is priced at %i credits',
    async (state, kept, credits, stays) => {
      const { dataset_id } = await seed(kept);

      const estimate = await call(dataset_id, { ...STATES[state], estimate: true });
      expect(estimate.body.estimatedCreditsConsumed).toBe(credits);
      expect(await keptOf(dataset_id)).toEqual(kept);
      const runsAgain = state === 'omitted' && kept !== null;
      expect((estimate.body.notes ?? []).join().includes('runs again and adds up to 375 rows')).toBe(
        runsAgain,
      );

      const started = await call(dataset_id, { column_mapping, ...STATES[state] });
      expect(started.body.estimatedCreditsConsumed).toBe(credits);
      expect(await keptOf(dataset_id)).toEqual(stays);
      const stored = world.objects.text(`runs/${started.body.run_id}/request.json`);
      const { expansion } = RunRequestObject.parse(JSON.parse(stored)).specification;
      expect(expansion?.targets.length ?? 0).toBe(stays === null ? 0 : stays === THREE ? 3 : 1);
    },
  );
});

const adapt = (dataset_id: string, body: object, as = owner) =>
  world.call(handler, { as, params: { dataset_id }, body: body as never });

test('an estimate says who scores the rows in other languages where safety is asked for', async () => {
  const { dataset_id } = await seed(null);
  const estimated = (brand_controls: object) =>
    adapt(dataset_id, { column_mapping, language_expansion: THREE, brand_controls, estimate: true });

  const { notes = [] } = (await estimated({ safety_categories: ['violence'] })).body;
  expect(notes).toEqual([expect.stringContaining('without one they are delivered without scores')]);
  expect((await estimated({})).body.notes).toBeUndefined();
});

test('the specification holds the codes in their one spelling', async () => {
  const { dataset_id } = await seed(null);
  const { body } = await adapt(dataset_id, { column_mapping, language_expansion: THREE });

  const stored = world.objects.text(`runs/${body.run_id}/request.json`);
  expect(RunRequestObject.parse(JSON.parse(stored)).specification.expansion).toEqual({
    type: 'translate',
    targets: ['es', 'zh-Hans', 'sw'].map((language) => ({ language, country: null })),
    sample_rate: 0.5,
  });
});

test.each([
  [1, 0.01, 1],
  [99, 0.01, 1],
  [100, 0.01, 2],
  [150, 0.01, 2],
  [1000, 0.333, 14],
])('%i rows expanded at %d cost %i credits', async (rows, sample_rate, credits) => {
  const { dataset_id } = await seed(null, rows);
  const { body } = await adapt(dataset_id, {
    estimate: true,
    language_expansion: { type: 'translate', languages: ['es'], sample_rate },
  });

  expect(body.estimatedCreditsConsumed).toBe(credits);
});

test('a target that is named twice is paid for once', async () => {
  const { dataset_id } = await seed(null, 1000);
  const { body } = await adapt(dataset_id, {
    estimate: true,
    language_expansion: { type: 'translate', languages: ['zh', 'ZH-Hans', 'zh-hans'], sample_rate: 1 },
  });

  expect(body.estimatedCreditsConsumed).toBe(20);
});

test('the rows that a plan allows at a launch are those that come out', async () => {
  const small = { ...owner, plan: { ...owner.plan, name: 'small', rows_per_launch: 300 } };
  const { dataset_id } = await seedDataset(world.store, small, { row_count: 250 });
  const language_expansion = { type: 'translate', languages: ['es', 'de'], sample_rate: 0.5 };

  const refused = await adapt(dataset_id, { column_mapping, language_expansion }, small);
  expect([refused.status, refused.problem.code]).toEqual([403, 'plan_limit_exceeded']);
  expect(refused.problem.message).toContain('has 500');
  expect(refused.problem.details[0]).toMatchObject({ limit: 150 });

  const max_rows = 150;
  const taken = await adapt(
    dataset_id,
    { column_mapping, language_expansion, job_specification: { max_rows } },
    small,
  );
  expect(taken.status).toBe(200);
});

describe('a 400', () => {
  const refuse = async (language_expansion: unknown) => {
    const { dataset_id } = await seed(null);
    const { status, problem } = await adapt(dataset_id, { estimate: true, language_expansion });
    expect(status).toBe(400);
    return problem;
  };

  test.each([
    ['language_expansion.sample_rate', { ...THREE, sample_rate: 0.009 }],
    ['language_expansion.sample_rate', { ...THREE, sample_rate: 1.001 }],
    ['language_expansion.sample_rate', { type: 'translate', languages: ['es'] }],
    ['language_expansion.languages', { type: 'translate', sample_rate: 1 }],
    ['language_expansion.languages', { type: 'translate', languages: [], sample_rate: 1 }],
    ['language_expansion.pairs', { type: 'localize', sample_rate: 1 }],
    ['language_expansion.languages', { ...ONE, languages: ['es'] }],
    ['language_expansion.pairs', { ...THREE, pairs: ONE.pairs }],
    ['language_expansion.type', { languages: ['es'], sample_rate: 1 }],
    [
      'language_expansion.pairs[0].country',
      { type: 'localize', pairs: [{ language: 'es' }], sample_rate: 1 },
    ],
  ])('a 400 names %s: %j', async (path, expansion) => {
    const { code, details } = await refuse(expansion);

    expect(code).toBe('invalid_request');
    expect(details.map((detail) => detail.path)).toContain(path);
  });

  test('a 400 names a pair of which the language is not spoken in the country', async () => {
    const pairs = [
      { country: 'MX', language: 'es' },
      { country: 'JP', language: 'sw' },
    ];
    const { code, message } = await refuse({ type: 'localize', pairs, sample_rate: 1 });

    expect(code).toBe('language_unsupported');
    expect(message).toContain('language_expansion.pairs[1]: the pair "JP" and "sw" is not supported');
  });
});
