import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { writeRows } from '#test/helpers/active-run.ts';
import { loadHandler } from '#test/helpers/handlers.ts';
import { pathParams } from '#test/helpers/path-params.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const RUNS = 300;

const handlers = new Map<string, ServedHandler>();
let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeAll(async () => {
  for (const contract of contracts) handlers.set(contract.id, await loadHandler(contract));
  world = createWorld();
  owner = await seedTeam(world.store, 1_000_000);
  dataset = await seedDataset(world.store, owner);
  await writeRows(world, dataset.dataset_id, [JSON.stringify({ question: 'Why?', answer: 'So.' })], 1);
});

const handlerOf = (id: string): ServedHandler => handlers.get(id) as ServedHandler;

/** Words that bodies are made of, so that many of them get past the first check. */
const keys = fc.constantFrom(
  'source',
  'name',
  'type',
  'url',
  'file_format',
  'processing_mode',
  'column_mapping',
  'defer_adaption',
  's3_key',
  'file_size_bytes',
  'sha256',
  'prompt',
  'completion',
  'chat',
  'context',
  'image',
  'universal_prompt',
  'estimate',
  'job_specification',
  'max_rows',
  'idempotency_key',
  'brand_controls',
  'length',
  'blueprint',
  'safety_categories',
  'recipe_specification',
  'recipes',
  'prompt_rephrase',
  'training_type',
  'language_expansion',
  'languages',
  'pairs',
  'country',
  'language',
  'sample_rate',
  'target',
  'target_spec',
  '__proto__',
  'constructor',
);
const scalars = fc.oneof(
  fc.constantFrom<unknown>(
    'question',
    'answer',
    'csv',
    'raw',
    'file',
    'translate',
    'localize',
    'kaggle',
    'tickets.csv',
    'concise',
    'de',
    'DE',
    'uploads/x',
    '',
    true,
    false,
    null,
    0,
    1,
    -1,
    0.5,
    1e308,
    2 ** 53,
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 5 }),
  ),
}));

/** Bodies that are taken in place of their example, of which a drawn one replaces a part. */
const samples: Readonly<Record<string, object>> = {
  'datasets.create': { source: { name: 'tickets.csv' } },
  'datasets.publish': { target: 'kaggle' },
  'datasets.uploads.initiate': { name: 'tickets.csv', file_format: 'csv' },
  'datasets.uploads.complete': { s3_key: 'x', name: 'tickets.csv', file_format: 'csv', file_size_bytes: 1 },
  'datasets.uploads.complete-by-id': { file_size_bytes: 1 },
  'datasets.adapt': { estimate: true, column_mapping: { prompt: 'question', completion: 'answer' } },
  'datasets.run': { estimate: true, column_mapping: { prompt: 'question', completion: 'answer' } },
  'autoscientist.comparisons.create': { dataset_id: 'x', seeds: 2, hyperparams: { lora_r: 8 } },
  'autoscientist.recommend-hyperparams': { dataset_id: 'x', augmentation_domain_rows: 1 },
  'autoscientist.publish': { target: 'kaggle' },
  'autoscientist.create': {
    dataset_id: 'x',
    hyperparams: { lora_r: 8 },
    column_mapping: { prompt: 'question' },
  },
};

/** A sample with a drawn part added, or in the place of one of its own, at its top or within its first object. */
function bodiesOf(id: string): fc.Arbitrary<unknown> {
  const sample: Record<string, unknown> = { ...((samples[id] ?? bodies[id]) as object) };
  const added = (own: Record<string, unknown>) =>
    fc.dictionary(keys, anything, { maxKeys: 2 }).map((drawn) => ({ ...own, ...drawn }));
  const replaced = (own: Record<string, unknown>) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(own)), fc.oneof(scalars, anything))
      .map(([key, drawn]) => ({ ...own, [key]: drawn }));
  const [inner] = Object.entries(sample).filter(
    ([, value]) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  );
  return fc.oneof(
    anything,
    added(sample),
    ...(Object.keys(sample).length === 0 ? [] : [replaced(sample)]),
    ...(inner === undefined
      ? []
      : [added, replaced].map((change) =>
          change(inner[1] as Record<string, unknown>).map((part) => ({ ...sample, [inner[0]]: part })),
        )),
  );
}

describe('whatever is sent, an endpoint answers by its contract and never fails', () => {
  // MCP has errors of its own form, which its conformance suite holds.
  const withBody = contracts.filter(({ id, body }) => body !== undefined && id !== 'mcp.call');
  test.each(withBody)(
    'whatever is sent, an endpoint answers by its contract and never fails as the body of $id',
    async (contract) => {
      const { id } = contract;
      let taken = 0;
      await fc.assert(
        fc.asyncProperty(bodiesOf(id), async (body) => {
          const sent = JSON.stringify(body);
          if (contract.body?.safeParse(JSON.parse(sent)).success) taken += 1;
          const request = { as: owner, params: pathParams(contract, dataset.dataset_id), body: sent };

          const { status } = await world.call(handlerOf(id), request);

          expect(status).toBeLessThan(500 + (id === 'datasets.publish' ? 2 : 0));
          expect(status).not.toBe(500);
        }),
        { numRuns: RUNS },
      );
      // Else nothing but the check of shapes would be tried.
      expect(taken).toBeGreaterThan(10);
    },
  );

  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '1',
      '100',
      '20.0',
      'asc',
      'name',
      '',
      '2026-01-01T00:00:00Z',
      '2026-12-31T23:59:60Z',
      'a.b',
    ),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  );
  test.each([
    [
      'datasets.list',
      [
        'created_after',
        'created_before',
        'cursor',
        'limit',
        'q',
        'sort',
        'sort_direction',
        'status',
        'type',
        'created_by_user_id',
      ],
    ],
    ['datasets.report', ['cursor', 'limit']],
    ['datasets.download', ['fileFormat']],
    [
      'datasets.rows.list',
      ['run_id', 'offset', 'limit', 'outcome', 'code', 'language', 'length_change', 'search', 'first_row'],
    ],
    ['autoscientist.list', ['cursor', 'limit', 'dataset_id']],
    ['autoscientist.comparisons.list', ['cursor', 'limit', 'dataset_id']],
  ] as const)(
    'whatever is sent, an endpoint answers by its contract and never fails as the query of %s',
    async (id, parameters) => {
      const query = fc.dictionary(fc.constantFrom<string>(...parameters, 'other'), text, { maxKeys: 3 });
      // The file of a download is there: none is waited for.
      const isThere = async () => ({ bytes: 1, modifiedMs: Number.MAX_SAFE_INTEGER });
      const built = id === 'datasets.download' ? { objects: { ...world.objects, head: isThere } } : {};

      await fc.assert(
        fc.asyncProperty(query, async (drawn) => {
          const contract = contracts.find((each) => each.id === id) as (typeof contracts)[number];

          const { status } = await world.call(
            handlerOf(id),
            { as: owner, params: pathParams(contract, dataset.dataset_id), query: drawn },
            built,
          );

          expect(status).toBeLessThan(500);
        }),
        { numRuns: RUNS },
      );
    },
  );

  const withId = contracts.filter(
    ({ path, body }) => /\{(dataset|experiment)_id\}/.test(path) && body === undefined,
  );
  test.each(withId.map(({ id, path }) => ({ id, path })))(
    'whatever is sent, an endpoint answers by its contract and never fails as the id of $id',
    async ({ id, path }) => {
      const name = path.includes('{dataset_id}') ? 'dataset_id' : 'experiment_id';
      const ids = fc.oneof(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
        fc.constant(randomUUID()),
      );

      await fc.assert(
        fc.asyncProperty(ids, async (drawn) => {
          const { status } = await world.call(handlerOf(id), {
            as: owner,
            params: { [name]: encodeURIComponent(drawn) },
          });

          expect([400, 404]).toContain(status);
        }),
        { numRuns: 50 },
      );
    },
  );
});
