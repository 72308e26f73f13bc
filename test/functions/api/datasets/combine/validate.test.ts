import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { handler as merge } from '#functions/api/datasets/combine/create.ts';
import { handler } from '#functions/api/datasets/combine/validate.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { CombineIssue, CombineValidation } from '#shared/growth/schema/combine.ts';
import { assembleRun } from '#shared/lifecycle/assemble-run.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { finishBatches, startRun } from '#test/helpers/active-run.ts';
import { growTo, seedRows } from '#test/helpers/combining.ts';
import { makeCaller, NOW, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const TEXT = { question: 'VARCHAR', answer: 'VARCHAR' };
const LINE = '{"question":"q","answer":"a"}';
const PAIR_MAPPING = { prompt: 'question', chosen: 'answer', rejected: 'worse', context: [] };

const seed = (fields: Partial<DatasetRecord> = {}, types: Record<string, string> = TEXT) =>
  seedRows(world, owner, types, [LINE, LINE], fields);
const validate = async (ids: readonly string[], as: Caller = owner): Promise<CombineValidation> =>
  (await world.call(handler, { as, body: { dataset_ids: ids } })).body;
const issueOf = async (
  code: CombineIssue['code'],
  ids: readonly string[],
  as: Caller = owner,
): Promise<CombineIssue> => {
  const { compatible, issues, ...rest } = await validate(ids, as);
  const found = issues.filter((issue) => issue.code === code);
  expect(found, JSON.stringify(issues)).toHaveLength(1);
  const [issue] = found as [CombineIssue];
  if (issue.level === 'error') expect([compatible, rest]).toEqual([false, {}]);
  return issue;
};

/** A dataset whose run made preference pairs for its last batch of rows, or was asked for them and found none. */
async function seedAdaptedPairs(hasPairs: boolean): Promise<DatasetRecord> {
  const active = await startRun(world, {
    rows: 150,
    request: { training_type: 'preference_pairs' },
    dataset: { file_format: 'jsonl' },
  });
  await finishBatches(world, active);
  const { run_id, dataset_id } = active.run;
  expect(active.batches.length).toBeGreaterThan(4);
  for (const { n } of active.batches) {
    const key = objectKeys.result(run_id, n);
    const isLast = n === active.batches.length - 1;
    const pair = hasPairs && isLast ? '"chosen":"good","rejected":"bad"' : '"chosen":null,"rejected":null';
    const results = world.objects.text(key).replaceAll('"cells":{', `"cells":{${pair},`);
    await world.objects.write(key, results, 'application/jsonl');
  }
  const ports = { ...world.store, objects: world.objects };
  await assembleRun(ports, active.context, { now: NOW });
  await world.endRun({ dataset_id, run_id, error: null, billedCredits: 0, now: NOW });
  owner = active.caller;
  const dataset = await world.store.datasets.find(dataset_id);
  if (dataset === null) throw new Error('The dataset is gone.');
  return dataset;
}

test('datasets that agree are compatible, and nothing is written', async () => {
  const ids = [(await seed()).dataset_id, (await seed()).dataset_id];
  const before = world.objects.keys();

  expect(await validate(ids)).toEqual({
    compatible: true,
    training_type: 'instruction_dataset',
    total_estimated_rows: 4,
    issues: [],
  });
  expect(world.objects.keys()).toEqual(before);
  expect((await world.store.runs.listActive({ limit: 10, after: null })).runs).toEqual([]);
});

test('an id that is none is an issue, as one that the team does not have', async () => {
  const { dataset_id } = await seed();

  expect(await issueOf('dataset_not_found', [dataset_id, 'one'])).toMatchObject({
    level: 'error',
    dataset_id: 'one',
  });
});

test('the list of one dataset is too short', async () => {
  const { dataset_id } = await seed();

  expect(await issueOf('too_few_sources', [dataset_id])).toMatchObject({
    level: 'error',
    count: 1,
    limit: 2,
  });
});

test('the list of eleven datasets is too long', async () => {
  const ids = Array.from({ length: 11 }, () => randomUUID());

  expect(await issueOf('too_many_sources', ids)).toMatchObject({ level: 'error', count: 11, limit: 10 });
});

test.each([
  ['rows than the plan allows', 3, 10, /allows 3 rows a launch, and this launch has 4/],
  ['bytes than a merge takes', 4, 4 * 1024 ** 3 + 1, /have 8589934594 bytes of rows together/],
])(
  'the list with more %s is too long, as the merge itself says',
  async (_, rows_per_launch, bytes, message) => {
    const ids = [(await seed()).dataset_id, (await seed()).dataset_id];
    await growTo(world, ids, bytes);
    const caller = { ...owner, plan: { ...owner.plan, rows_per_launch } };

    const issue = await issueOf('too_many_sources', ids, caller);

    expect(issue).toMatchObject({ level: 'error', message: expect.stringMatching(message) });
    const merged = await world.call(merge, { as: caller, body: { dataset_ids: ids, name: 'All' } });
    expect(merged.problem.message).toBe(issue.message);
  },
);

test('the list with a repeated id says which', async () => {
  const { dataset_id } = await seed();
  const other = (await seed()).dataset_id;

  expect(await issueOf('duplicate_source_ids', [dataset_id, other, dataset_id])).toMatchObject({
    level: 'error',
    dataset_ids: [dataset_id],
  });
});

test('a source that is missing, deleted or another team’s is not found', async () => {
  const stranger = await seedTeam(world.store, 0);
  const foreign = await seedRows(world, stranger, TEXT, [LINE]);
  const sister = await seedTeam(world.store, 0, { organization_id: owner.organization_id });
  await world.store.access.addMember(sister.team_id, owner.user_id, NOW);
  const ofSister = await seedRows(world, sister, TEXT, [LINE]);
  const own = await seed();

  for (const id of [randomUUID(), foreign.dataset_id, ofSister.dataset_id]) {
    expect(await issueOf('dataset_not_found', [own.dataset_id, id])).toMatchObject({
      level: 'error',
      dataset_id: id,
    });
  }
});

test('a source of another organization is named as such to its member alone', async () => {
  const elsewhere = await seedTeam(world.store, 0);
  const { dataset_id } = await seedRows(world, elsewhere, TEXT, [LINE]);
  await world.store.access.addMember(elsewhere.team_id, owner.user_id, NOW);
  const ids = [(await seed()).dataset_id, dataset_id];

  expect(await issueOf('wrong_organization', ids)).toMatchObject({ level: 'error', dataset_id });
  const colleague = makeCaller({ team_id: owner.team_id, organization_id: owner.organization_id });
  expect(await issueOf('dataset_not_found', ids, colleague)).toMatchObject({ dataset_id });
});

test.each([
  ['ingesting', 'pending'],
  ['awaiting_upload', 'pending'],
  ['running', 'running'],
  ['failed', 'failed'],
] as const)('a source that is %s is not ready', async (state, status) => {
  const { dataset_id } = await seedDataset(world.store, owner, { state });

  expect(await issueOf('dataset_not_ready', [(await seed()).dataset_id, dataset_id])).toMatchObject({
    level: 'error',
    dataset_id,
    status,
  });
});

test('a source that was uploaded and never processed has no run', async () => {
  const { dataset_id } = await seedDataset(world.store, owner, { state: 'awaiting_input' });

  expect(await issueOf('missing_run_id', [(await seed()).dataset_id, dataset_id])).toMatchObject({
    level: 'error',
    dataset_id,
  });
});

test('sources together with and without images cannot be merged', async () => {
  const images = await seed({
    image_column_formats: { photo: 'url' },
    configured_column_mapping: { prompt: 'question', image: 'photo', context: ['photo'] },
  });
  const plain = await seed();

  expect(await issueOf('mixed_multimodal_sources', [images.dataset_id, plain.dataset_id])).toMatchObject({
    level: 'error',
    multimodal_dataset_ids: [images.dataset_id],
    text_dataset_ids: [plain.dataset_id],
  });
});

test('sources together with and without a column of images that is not mapped can be merged', async () => {
  const links = await seed({ image_column_formats: { answer: 'url' } });
  const plain = await seed();

  expect(await validate([links.dataset_id, plain.dataset_id])).toMatchObject({ compatible: true });
});

test('sources together of several column types are cast', async () => {
  const first = (await seed({}, { ...TEXT, id: 'BIGINT' })).dataset_id;
  const second = (await seed({}, { ...TEXT, id: 'VARCHAR' })).dataset_id;

  expect(await issueOf('incompatible_column_types', [first, second])).toMatchObject({
    level: 'warning',
    columns: [
      {
        column: 'id',
        types: [
          { dataset_id: first, type: 'BIGINT' },
          { dataset_id: second, type: 'VARCHAR' },
        ],
        cast_to: 'VARCHAR',
      },
    ],
  });
  expect((await validate([first, second])).compatible).toBe(true);
});

test('sources together of which one has as context what another has as a column lose it, with a warning', async () => {
  const types = { ...TEXT, text: 'VARCHAR' };
  const mapping = (context: string[]) => ({
    configured_column_mapping: { prompt: 'question', completion: 'answer', context },
  });
  const [first, other] = [await seed(mapping(['text']), types), await seed(mapping([]), types)];
  const [same, without] = [await seed(mapping(['text']), types), await seed()];
  const ids = (...some: DatasetRecord[]) => some.map(({ dataset_id }) => dataset_id);

  expect(await issueOf('incompatible_column_types', ids(first, other))).toMatchObject({
    level: 'warning',
    dataset_ids: ids(first),
    message: expect.stringContaining('"text" is context'),
  });
  expect((await validate(ids(first, same, without))).issues).toEqual([]);
});

test('sources together of instructions and pairs become instructions', async () => {
  const pairs = await seed({ configured_column_mapping: PAIR_MAPPING }, { ...TEXT, worse: 'VARCHAR' });
  const ids = [pairs.dataset_id, (await seed()).dataset_id];

  expect(await issueOf('mixed_training_types_resolved_to_sft', ids)).toMatchObject({
    level: 'warning',
    types: [
      { dataset_id: ids[0], training_type: 'preference_pairs' },
      { dataset_id: ids[1], training_type: 'instruction_dataset' },
    ],
  });
  expect(await validate(ids)).toMatchObject({ compatible: true, training_type: 'instruction_dataset' });
});

test('sources together of pairs, one of which holds none, warn of that one', async () => {
  const empty = await seedAdaptedPairs(false);
  const pairs = await seed({ configured_column_mapping: PAIR_MAPPING }, { ...TEXT, worse: 'VARCHAR' });
  const ids = [empty.dataset_id, pairs.dataset_id];

  expect(await issueOf('preference_source_missing_ranked_generations', ids)).toMatchObject({
    level: 'warning',
    dataset_id: empty.dataset_id,
  });
  expect(await validate(ids)).toMatchObject({
    compatible: true,
    training_type: 'preference_pairs',
    total_estimated_rows: 152,
  });
});

test('sources together of a run that made pairs need no warning', async () => {
  const adapted = await seedAdaptedPairs(true);
  const pairs = await seed({ configured_column_mapping: PAIR_MAPPING }, { ...TEXT, worse: 'VARCHAR' });

  const { issues } = await validate([adapted.dataset_id, pairs.dataset_id]);

  expect(issues.map(({ code }) => code)).toEqual([]);
});

test('sources together of pairs, none of which holds any, cannot be merged', async () => {
  const first = await seedAdaptedPairs(false);
  const caller = owner;
  const second = await seedAdaptedPairs(false);
  // Each run brought a team of its own: the second dataset is moved to the first.
  const moved = { ...second, dataset_id: randomUUID(), team_id: caller.team_id };
  await world.store.datasets.create(moved);
  const run = await world.store.runs.find(second.dataset_id, second.result?.run_id ?? '');
  await world.table.client.send(
    new PutCommand({
      TableName: world.table.name,
      Item: { ...run, dataset_id: moved.dataset_id, ...keys.run(moved.dataset_id, run?.run_id ?? '') },
    }),
  );
  const ids = [first.dataset_id, moved.dataset_id];
  expect(await issueOf('all_preference_sources_missing_dpo_columns', ids, caller)).toMatchObject({
    level: 'error',
    dataset_ids: ids,
  });
});
