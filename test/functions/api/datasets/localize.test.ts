import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/localize.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let source: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
  const lines = Array.from({ length: 10 }, (_, row) => `{"question":"q ${row}","answer":"a ${row}"}`);
  source = await seedRows(world, owner, { question: 'VARCHAR', answer: 'VARCHAR' }, lines, {
    name: 'tickets',
  });
});

const localize = (body: object) =>
  world.call(handler, {
    as: owner,
    params: { dataset_id: source.dataset_id },
    body: { pairs: [{ country: 'mx', language: 'ES' }], sample_rate: 0.5, ...body },
  });

test('it makes a localized dataset for each country', async () => {
  const { body } = await localize({
    pairs: [
      { country: 'mx', language: 'ES' },
      { country: 'MX', language: 'es' },
      { country: 'TW', language: 'zh-Hant' },
    ],
  });

  expect(body).toMatchObject({ status: 'running', estimated_new_rows: 10, estimated_credits_consumed: 1 });
  expect(await world.store.datasets.find(body.dataset_id ?? '')).toMatchObject({
    kind: 'localized',
    source_dataset_id: source.dataset_id,
    name: 'tickets (es-MX, zh-Hant-TW)',
  });
});

test('a key that a translation has is not one of a localization', async () => {
  const first = await localize({ idempotency_key: 'k' });
  const again = await localize({ idempotency_key: 'k' });

  expect(again.body).toMatchObject({ dataset_id: first.body.dataset_id, estimated_new_rows: 0 });
});

test.each([
  ['a language that is not spoken there', { country: 'JP', language: 'es' }, 'pairs[0]', '"JP"'],
  ['an unknown country', { country: 'XX', language: 'es' }, 'pairs[0].country', '"XX"'],
  ['an unknown language', { country: 'MX', language: 'q1' }, 'pairs[0].language', '"q1"'],
])('refused is %s, by name', async (_, pair, path, named) => {
  const { status, problem } = await localize({ pairs: [pair] });

  expect([status, problem.code, problem.details?.[0]?.path]).toEqual([400, 'language_unsupported', path]);
  expect(problem.message).toContain(named);
});

test('refused are languages without a country', async () => {
  const { status, problem } = await localize({ pairs: undefined, languages: ['es'] });

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details?.map(({ path }) => path)).toEqual(expect.arrayContaining(['pairs']));
});
