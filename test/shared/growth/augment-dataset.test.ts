import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { buildExport } from '#shared/exports/build-export.ts';
import { assembleAugmentation } from '#shared/growth/assemble-augmentation.ts';
import { PoolSearch } from '#shared/growth/decide/pool/augment-request.ts';
import { endGrowth } from '#shared/growth/end-growth.ts';
import { launchAugmentation } from '#shared/growth/launch-augmentation.ts';
import type { AugmentRequest } from '#shared/growth/schema/augment.ts';
import { searchPool } from '#shared/growth/search-pool.ts';
import { endInterruptedRun } from '#shared/lifecycle/end-interrupted-run.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { runCancelled } from '#shared/runs/decide/stop-reasons.ts';
import { readReport } from '#shared/runs/read-report.ts';
import { SearchPlan, WritingPlan } from '#shared/runs/schema/run-context.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { linesOf, noBatchJobs } from '#test/helpers/active-run.ts';
import {
  type AugmentModels,
  embedder,
  executeAugmentation,
  load,
  planOf,
  write,
  writer,
} from '#test/helpers/augmenting.ts';
import { manifestOf, rowsOf, seedRows } from '#test/helpers/combining.ts';
import { contextOf } from '#test/helpers/growing.ts';
import { EMBEDDING_MODEL } from '#test/helpers/memory-resources.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld(() => NOW);
  owner = await seedTeam(world.store, 100);
});

const TYPES = { id: 'BIGINT', question: 'VARCHAR', answer: 'VARCHAR' };
const seed = (prompts: readonly string[], fields: Partial<DatasetRecord> = {}, types: object = TYPES) =>
  seedRows(
    world,
    owner,
    types as typeof TYPES,
    prompts.map(
      (prompt, id) =>
        `{"id":1${id}00000000000000000001,"question":${JSON.stringify(prompt)},"answer":"answer ${id}"}`,
    ),
    fields,
  );
const about = (subject: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `Question ${from + n} on ${subject} ${(from + n) ** 3}?`);
const pool = (subject: string, count: number, from = 1000) =>
  about(subject, count, from).map((prompt) => ({
    prompt,
    completion: `On ${subject}.`,
    source: 'an encyclopedia',
  }));

async function augment(source: DatasetRecord, request: AugmentRequest, models: AugmentModels = {}) {
  const started = await launchAugmentation(
    { ...world.store, ...world, embeddingModelId: EMBEDDING_MODEL, newId: () => crypto.randomUUID() },
    { caller: owner, datasetId: source.dataset_id, request, now: NOW },
  );
  const id = started.dataset_id ?? '';
  await executeAugmentation(world, id, models);
  const dataset = await datasetOf(id);
  const rows = dataset.manifest_key === null ? [] : await made(id);
  return { id, rows, dataset, report: await reportOf(id) };
}
const launch = async (source: DatasetRecord, request: AugmentRequest): Promise<string> => {
  const started = await launchAugmentation(
    { ...world.store, ...world, embeddingModelId: EMBEDDING_MODEL, newId: () => crypto.randomUUID() },
    { caller: owner, datasetId: source.dataset_id, request, now: NOW },
  );
  return started.dataset_id ?? '';
};
const made = async (datasetId: string): Promise<Record<string, unknown>[]> =>
  (await rowsOf(world, datasetId)).map((text) => JSON.parse(text));
const datasetOf = async (datasetId: string): Promise<DatasetRecord> => {
  const dataset = await world.store.datasets.find(datasetId);
  if (dataset === null) throw new Error('There is no such dataset.');
  return dataset;
};
const reportOf = async (datasetId: string) =>
  readReport({ runs: world.store.runs, objects: world.objects }, await datasetOf(datasetId), {}, 'key');
const balance = () => world.store.ledger.findBalance(owner.team_id);
const ofKind = (rows: readonly Record<string, unknown>[], kind: string) =>
  rows.filter((row) => row.augmentation_kind === kind);
const subjectsOf = (rows: readonly Record<string, unknown>[]) =>
  new Set(rows.map((row) => / on (\w+) /.exec(String(row.question))?.[1]));

const expectNothing = async (source: DatasetRecord): Promise<void> => {
  const { dataset } = await augment(source, { domain_rows: 50 });
  expect(dataset).toMatchObject({ state: 'failed', error_data: { code: 'nothing_to_add' } });
};

describe('rows of the pool', () => {
  const everything = ['bread', 'stars', 'tax', 'football'].flatMap((subject) => pool(subject, 60));

  beforeEach(async () => {
    await load(world, everything);
  });

  test('rows of the pool follow those of the source, which stay byte for byte, in a dataset of its own', async () => {
    const source = await seed(about('bread', 20));
    const before = await rowsOf(world, source.dataset_id);

    const { id, rows, dataset } = await augment(source, { domain_rows: 10 });

    const lines = await rowsOf(world, id);
    expect(lines.slice(0, 20)).toEqual(
      before.map((text) => text.replace(/\}$/, ',"augmentation_kind":null,"augmentation_source":null}')),
    );
    expect(rows[20]).toEqual({
      question: expect.stringContaining('on bread'),
      answer: 'On bread.',
      augmentation_kind: 'domain',
      augmentation_source: 'an encyclopedia',
    });
    expect(dataset).toMatchObject({
      kind: 'augmented',
      source_dataset_id: source.dataset_id,
      state: 'succeeded',
      row_count: 30,
      configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] },
    });
    expect(await rowsOf(world, source.dataset_id)).toEqual(before);
    expect(await datasetOf(source.dataset_id)).toEqual(source);
  });

  test('rows of the pool of its domain are of its topics, in the mix that it has', async () => {
    const source = await seed([...about('bread', 48), ...about('stars', 16)]);

    const { rows } = await augment(source, { domain_rows: 40 });

    const added = rows.slice(64).map((row) => / on (\w+) /.exec(String(row.question))?.[1]);
    expect(added).toHaveLength(40);
    expect(new Set(added)).toEqual(new Set(['bread', 'stars']));
    // Three quarters, give or take what is rounded for each of its clusters.
    const onBread = added.filter((subject) => subject === 'bread').length;
    expect(onBread).toBeGreaterThanOrEqual(27);
    expect(onBread).toBeLessThanOrEqual(33);
  });

  test('rows of the pool of general rows are on other topics', async () => {
    const { rows } = await augment(await seed(about('bread', 20)), { domain_rows: 5, general_rows: 30 });

    const [domain, general] = [ofKind(rows, 'domain'), ofKind(rows, 'general')];
    expect([domain.length, general.length]).toEqual([5, 30]);
    expect(subjectsOf(domain)).toEqual(new Set(['bread']));
    expect(subjectsOf(general)).not.toContain('bread');
  });

  test('rows of the pool of general rows are none on the topics of the dataset where the pool has too few others, and the dataset says so', async () => {
    const { rows, dataset, report } = await augment(
      await seed([...about('bread', 20), ...about('tax', 20)]),
      {
        general_rows: 200,
      },
    );

    const general = ofKind(rows, 'general');
    expect(subjectsOf(general)).toEqual(new Set(['stars', 'football']));
    expect(general).toHaveLength(120);
    expect(dataset).toMatchObject({
      state: 'succeeded',
      description:
        '120 of 200 rows on other topics: the others that were drawn from the pool are on its topics, or say what the dataset has already.',
      warnings: [
        {
          code: 'rows_incomplete',
          message: expect.stringMatching(
            /^120 of 200 rows were made, and only those are billed\. 120 of 200 rows on/,
          ),
        },
      ],
    });
    expect(report).toMatchObject({ rows: { expanded: 120 }, credits: { reserved: 2, settled: 2 } });
  });

  test('rows of the pool come once, and never where the source asks the same or nearly the same', async () => {
    const long = (word: string) =>
      `Please explain in your own words, step by step and with one example for each of the steps, how a baker of our village who has little time makes the bread that is sold on the market of the small town on ${word} mornings in winter?`;
    await load(
      world,
      [
        ...[long('Sunday'), long('Monday'), 'what is  BREAD made of', 'Which bread keeps longest?'].map(
          (prompt) => ({
            prompt,
            completion: 'No.',
          }),
        ),
        // What another load has too.
        ...pool('bread', 60),
      ],
      { loadId: '00000000000000bb' },
    );
    const source = await seed([...about('bread', 10, 1000), long('Saturday'), 'What is bread made of?']);

    const { rows, report } = await augment(source, { domain_rows: 200, general_rows: 400 });

    const asked = rows.map(({ question }) => question);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked).toContain('Which bread keeps longest?');
    for (const known of [long('Sunday'), long('Monday'), 'what is  BREAD made of'])
      expect(asked).not.toContain(known);
    // 240 of the pool but ten that the source has, and the one that is new.
    expect(report).toMatchObject({ rows: { kept: 12, expanded: 231, expansion_failed: 369 } });
  });

  test('rows of the pool are all those on the topics of the dataset where they are fewer than are wanted, and those alone are charged', async () => {
    const { rows, report, dataset } = await augment(await seed(about('bread', 20)), { domain_rows: 900 });

    expect(subjectsOf(ofKind(rows, 'domain'))).toEqual(new Set(['bread']));
    expect(dataset).toMatchObject({
      row_count: 80,
      description: expect.stringContaining('60 of 900 rows on the topics of the dataset'),
    });
    expect(report).toMatchObject({
      status: 'succeeded',
      rows: { total: 20, expanded: 60, expansion_failed: 840 },
      stages: [{ name: 'domain', rows_in: 900, rows_out: 60 }],
      credits: { reserved: 9, settled: 1 },
      models: { embed: EMBEDDING_MODEL },
    });
    expect(await balance()).toMatchObject({ held: 0, available: 99 });
  });

  test('rows of the pool are as many as were asked for where only the smaller topic of the dataset has some', async () => {
    await load(world, pool('bread', 400, 20_000), { loadId: '00000000000000dd' });
    await load(world, pool('tax', 1_000, 30_000), { loadId: '00000000000000ee' });
    const source = await seed([...about('sailing', 56), ...about('bread', 8)]);

    const { rows, dataset } = await augment(source, { domain_rows: 300 });

    expect(ofKind(rows, 'domain')).toHaveLength(300);
    expect(subjectsOf(ofKind(rows, 'domain'))).toEqual(new Set(['bread']));
    expect(dataset.description).not.toContain('on the topics of the dataset');
  });

  test('rows of the pool that lie beyond the candidates of a topic are not said to be missing from the pool', async () => {
    const id = await launch(await seed(about('bread', 20)), { domain_rows: 50 });
    const context = contextOf(world, id);
    await planOf(world, context);
    const key = objectKeys.topics(context.run_id);
    const search = PoolSearch.parse(JSON.parse(world.objects.text(key)));
    const topics = search.topics.map((topic) => ({ ...topic, candidates: 2 }));
    await world.objects.write(key, JSON.stringify({ ...search, topics }), 'application/json');
    for (const line of linesOf(world.objects.text(objectKeys.plan(context.run_id)))) {
      await searchPool(world.objects, SearchPlan.parse(JSON.parse(line)));
    }

    await assembleAugmentation({ ...world.store, objects: world.objects, writeRows }, context, NOW);

    expect((await datasetOf(id)).description).toMatch(
      /^\d+ of 50 rows on the topics of the dataset: .* not all on the others were looked at: augment the new dataset/,
    );
  });

  test('rows of the pool are near by their prompts, whatever stands behind those of the dataset', async () => {
    const passage =
      'An oven of stone, a sack of flour and an old recipe were all that the baker had. '.repeat(12);
    const source = await seedRows(
      world,
      owner,
      { question: 'VARCHAR', passage: 'VARCHAR', answer: 'VARCHAR' },
      about('bread', 64).map((question, n) =>
        JSON.stringify({ question, passage: `${n}: ${passage}`, answer: 'Yes.' }),
      ),
      { configured_column_mapping: { prompt: 'question', completion: 'answer', context: ['passage'] } },
    );

    const { rows } = await augment(source, { domain_rows: 20 });

    expect(ofKind(rows, 'domain')).toHaveLength(20);
    expect(subjectsOf(ofKind(rows, 'domain'))).toEqual(new Set(['bread']));
  });

  test('rows of the pool are not added, and not charged, where the run was cancelled before', async () => {
    const source = await seed(about('bread', 20));
    const id = await launch(source, { domain_rows: 10 });
    const { dataset_id, run_id } = contextOf(world, id);
    await world.store.runs.requestStop(dataset_id, run_id, runCancelled);

    await executeAugmentation(world, id);

    expect(await datasetOf(id)).toMatchObject({ state: 'failed', error_data: { code: 'run_cancelled' } });
    expect(await balance()).toMatchObject({ held: 0, available: 100 });
  });

  test('rows of the pool are none where all of them are on other topics, and nothing is charged', async () => {
    await expectNothing(await seed(about('sailing', 30)));
    expect(await balance()).toMatchObject({ held: 0, available: 100 });
  });

  test('rows of the pool are the same for the same request', async () => {
    const source = await seed([...about('bread', 30), ...about('tax', 30)]);
    const request = { domain_rows: 20, general_rows: 20 };

    expect((await augment(source, request)).rows).toEqual((await augment(source, request)).rows);
  });

  test('rows of the pool are found by the original and by the improved prompt of an adapted dataset', async () => {
    const source = await seedRows(
      world,
      owner,
      { question: 'VARCHAR', enhanced_prompt: 'VARCHAR', answer: 'VARCHAR' },
      about('bread', 60, 1000).map((question, n) =>
        JSON.stringify({ question, enhanced_prompt: `Other ${n}`, answer: 'Yes.' }),
      ),
      { configured_column_mapping: { prompt: 'question', completion: 'answer', context: [] } },
    );

    const { rows } = await augment(source, { domain_rows: 10 });

    const known = new Set(about('bread', 60, 1000));
    expect(rows.slice(60).some(({ question }) => known.has(String(question)))).toBe(false);
  });

  test('rows of the pool leave a dataset that has them all as failed, and uncharged', async () => {
    const source = await seed(
      ['bread', 'stars', 'tax', 'football'].flatMap((subject) => about(subject, 60, 1000)),
    );

    const { report, dataset } = await augment(source, { domain_rows: 100 });

    expect(dataset).toMatchObject({
      state: 'failed',
      row_count: null,
      error_data: { code: 'nothing_to_add' },
    });
    expect(report.credits).toEqual({ reserved: 1, settled: 0 });
    expect(await balance()).toMatchObject({ held: 0, available: 100 });
  });

  test('rows of the pool come as turns where the dataset holds conversations', async () => {
    const source = await seedRows(
      world,
      owner,
      { chat: 'JSON' },
      about('bread', 20).map((prompt) => JSON.stringify({ chat: [{ role: 'user', content: prompt }] })),
      { configured_column_mapping: { chat: 'chat', context: [] } },
    );

    const { rows } = await augment(source, { domain_rows: 1 });

    expect(rows[20]?.chat).toEqual([
      { role: 'user', content: expect.stringContaining('on bread') },
      { role: 'assistant', content: 'On bread.' },
    ]);
  });

  test('rows of the pool come as turns, and none that is there already, where prompts are the turns before an answer', async () => {
    const turnsOf = (prompt: string) => [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: prompt },
    ];
    const source = await seedRows(
      world,
      owner,
      { enhanced_prompt: 'VARCHAR', enhanced_completion: 'VARCHAR' },
      about('bread', 60, 1000).map((prompt, n) =>
        JSON.stringify({
          enhanced_prompt: JSON.stringify(turnsOf(n === 59 ? 'Another question on bread?' : prompt)),
          enhanced_completion: 'Yes.',
        }),
      ),
      {
        configured_column_mapping: {
          prompt: 'enhanced_prompt',
          completion: 'enhanced_completion',
          context: [],
        },
      },
    );

    const { rows } = await augment(source, { domain_rows: 100, general_rows: 400 });

    const asked = rows
      .slice(60)
      .map(({ enhanced_prompt: turns }) => (JSON.parse(String(turns)) as { content: string }[])[0]?.content);
    expect(asked.filter((prompt) => prompt?.includes(' on bread '))).toEqual([about('bread', 60, 1000)[59]]);
    expect(asked).toHaveLength(181);
  });

  test('rows of the pool have a column for their answers where the dataset has only prompts', async () => {
    const lines = about('bread', 20).map((prompt, n) => JSON.stringify({ prompt, completion: n }));
    const source = await seedRows(world, owner, { prompt: 'VARCHAR', completion: 'BIGINT' }, lines, {
      configured_column_mapping: { prompt: 'prompt', context: [] },
    });

    const { rows, dataset } = await augment(source, { domain_rows: 5 });

    const added = rows.slice(20);
    expect(added).toHaveLength(5);
    expect(added.every((row) => row.completion_2 === 'On bread.' && row.completion === undefined)).toBe(true);
    expect(dataset.configured_column_mapping).toMatchObject({ prompt: 'prompt', completion: 'completion_2' });
  });

  test.each([
    ['BIGINT', (n: number) => String(n), '"0"'],
    ['DOUBLE', (n: number) => `${n}.50`, '"0.50"'],
    ['BOOLEAN', (n: number) => String(n === 0), '"true"'],
  ] as const)(
    'rows of the pool are text beside answers of type %s, which keep their digits, in every format',
    async (type, cell, first) => {
      const source = await seedRows(
        world,
        owner,
        { question: 'VARCHAR', answer: type },
        about('bread', 20).map((prompt, n) => `{"question":${JSON.stringify(prompt)},"answer":${cell(n)}}`),
        { file_format: 'parquet' },
      );

      const { id, rows, dataset } = await augment(source, { domain_rows: 5 });

      expect(rows).toHaveLength(25);
      expect((await rowsOf(world, id))[0]).toContain(`"answer":${first}`);
      const { columns } = await manifestOf(world, id);
      expect(columns.find(({ name }) => name === 'answer')?.type).toBe('VARCHAR');
      for (const format of ['parquet', 'csv', 'jsonl'] as const) {
        const ports = { ...world.store, ...world, exportRows };
        const { key } = await buildExport(ports, { dataset_id: id, team_id: dataset.team_id, format });
        expect(await world.objects.read(key)).not.toBeNull();
      }
    },
  );

  test('rows of the pool are none that a conversation of the dataset begins with', async () => {
    const source = await seedRows(
      world,
      owner,
      { chat: 'JSON' },
      about('bread', 60, 1000).map((prompt, n) =>
        JSON.stringify({
          chat: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: n === 59 ? 'Another question on bread?' : prompt },
            { role: 'assistant', content: 'Yes.' },
          ],
        }),
      ),
      { configured_column_mapping: { chat: 'chat', context: [] } },
    );

    const { rows } = await augment(source, { domain_rows: 100, general_rows: 400 });

    const asked = rows.slice(60).map(({ chat }) => (chat as { content: string }[])[0]?.content);
    expect(asked.filter((prompt) => prompt?.includes(' on bread '))).toEqual([about('bread', 60, 1000)[59]]);
    expect(asked).toHaveLength(181);
  });

  test.each(['a message of the user at the end', 'replies in some rows'])(
    'rows of the pool are none that a conversation asks that has the system message of all, with %s',
    async (form) => {
      const source = await seedRows(
        world,
        owner,
        { chat: 'JSON' },
        about('bread', 60, 1000).map((content, n) =>
          JSON.stringify({
            chat: [
              { role: 'system', content: 'You are the helper of a bakery.' },
              { role: 'user', content },
              ...(form.startsWith('replies') && n < 20 ? [{ role: 'assistant', content: 'Yes.' }] : []),
            ],
          }),
        ),
        { configured_column_mapping: { chat: 'chat', context: [] } },
      );

      const { rows, report } = await augment(source, { domain_rows: 100, general_rows: 400 });

      const asked = rows.slice(60).map(({ chat }) => (chat as { content: string }[])[0]?.content);
      expect(asked.filter((prompt) => prompt?.includes(' on bread '))).toEqual([]);
      expect(report).toMatchObject({ rows: { expanded: 180 } });
    },
  );

  test('rows of the pool are compared alike by a run that was planned before plans had the shape of rows', async () => {
    const source = await seed(about('bread', 30, 1000));
    const { rows } = await augment(source, { domain_rows: 50 });
    const id = await launch(source, { domain_rows: 50 });
    const context = contextOf(world, id);
    await planOf(world, context);
    for (const line of linesOf(world.objects.text(objectKeys.plan(context.run_id)))) {
      await searchPool(world.objects, SearchPlan.parse(JSON.parse(line)));
    }
    const objects = {
      ...world.objects,
      read: async (key: string) =>
        key === objectKeys.rowShape(context.run_id) ? null : world.objects.read(key),
    };

    await assembleAugmentation({ ...world.store, objects, writeRows }, context, NOW);

    expect(await made(id)).toEqual(rows);
  });

  test('rows of the pool of preference pairs are those that have a worse answer', async () => {
    const pairs = about('bread', 8, 5000).map((prompt) => ({
      prompt,
      completion: 'Right.',
      rejected: 'Wrong.',
    }));
    await load(world, pairs, { loadId: '00000000000000cc' });

    const { rows, dataset } = await augment(await seed(about('bread', 20)), {
      domain_rows: 50,
      training_type: 'preference_pairs',
    });

    const added = rows.slice(20);
    expect(added).toHaveLength(8);
    for (const row of added)
      expect(row).toMatchObject({ answer: 'Right.', chosen: 'Right.', rejected: 'Wrong.' });
    expect(rows[0]).toMatchObject({ answer: 'answer 0', chosen: null, rejected: null });
    expect(dataset.columns?.map(({ name }) => name)).toContain('rejected');
    // An alignment training finds its pairs.
    expect(dataset.configured_column_mapping).toMatchObject({ chosen: 'chosen', rejected: 'rejected' });
  });

  test('rows of the pool go to the columns of a dataset of pairs', async () => {
    await load(
      world,
      about('bread', 8, 5000).map((prompt) => ({ prompt, completion: 'Right.', rejected: 'Wrong.' })),
      { loadId: '00000000000000cc' },
    );
    const source = await seedRows(
      world,
      owner,
      { question: 'VARCHAR', good: 'VARCHAR', bad: 'VARCHAR' },
      about('bread', 20).map((question) => JSON.stringify({ question, good: 'a', bad: 'b' })),
      { configured_column_mapping: { prompt: 'question', chosen: 'good', rejected: 'bad', context: [] } },
    );

    const { rows, dataset } = await augment(source, { domain_rows: 3 });

    expect(rows[20]).toMatchObject({ good: 'Right.', bad: 'Wrong.' });
    expect(dataset.configured_column_mapping).toMatchObject({ chosen: 'good', rejected: 'bad' });
  });

  test('rows of the pool of an upload of pairs that nobody has mapped are pairs, too', async () => {
    await load(
      world,
      about('bread', 8, 5000).map((prompt) => ({ prompt, completion: 'Right.', rejected: 'Wrong.' })),
      { loadId: '00000000000000cc' },
    );
    const source = await seedRows(
      world,
      owner,
      { prompt: 'VARCHAR', chosen: 'VARCHAR', rejected: 'VARCHAR' },
      about('bread', 20).map((prompt) => JSON.stringify({ prompt, chosen: 'a', rejected: 'b' })),
      { configured_column_mapping: null, processing_mode: 'adapt', state: 'awaiting_input' },
    );

    const { rows } = await augment(source, { domain_rows: 3 });

    expect(rows[20]).toMatchObject({ chosen: 'Right.', rejected: 'Wrong.' });
  });

  test('rows of the pool are searched in groups of shards, which find together what one search of all would', async () => {
    await load(world, [...pool('bread', 90, 3000), ...pool('tax', 90, 3000)], { loadId: '00000000000000bb' });
    const source = await seed([...about('bread', 20), ...about('tax', 20)]);
    const request = { domain_rows: 60, general_rows: 20 };
    const { rows } = await augment(source, request);
    const id = await launch(source, request);
    const context = contextOf(world, id);
    await planOf(world, context);
    const [line] = linesOf(world.objects.text(objectKeys.plan(context.run_id)));
    const whole = SearchPlan.parse(JSON.parse(line ?? ''));
    expect(whole.shards.map(({ row_count }) => row_count)).toEqual([240, 180]);
    const groups = whole.shards.map((shard, n) => ({ ...whole, n, shards: [shard], first_row: 240 * n }));
    const text = groups.map((group) => `${JSON.stringify(group)}\n`).join('');
    await world.objects.write(objectKeys.plan(context.run_id), text, 'application/jsonl');

    for (const group of groups) await searchPool(world.objects, group);
    await assembleAugmentation({ ...world.store, objects: world.objects, writeRows }, context, NOW);

    expect(await made(id)).toEqual(rows);
  });

  test('rows of the pool are the same, and charged once, where every task is repeated', async () => {
    const source = await seed(about('bread', 20));
    const { rows } = await augment(source, { domain_rows: 10, general_rows: 10, similar_rows: 3 });
    const id = await launch(source, { domain_rows: 10, general_rows: 10, similar_rows: 3 });
    const context = contextOf(world, id);
    const ports = {
      ...world.store,
      objects: world.objects,
      endRun: world.endRun,
      endBatchJobs: noBatchJobs,
      writeRows,
    };
    const model = writer();
    for (let n = 0; n < 2; n += 1) await planOf(world, context);
    const linesAt = (key: string) => linesOf(world.objects.text(key)).map((line) => JSON.parse(line));
    for (let n = 0; n < 2; n += 1) {
      for (const line of linesAt(objectKeys.plan(context.run_id))) {
        await searchPool(world.objects, SearchPlan.parse(line));
      }
      for (const line of linesAt(objectKeys.writingPlan(context.run_id))) {
        await write(world, WritingPlan.parse(line), model);
      }
    }
    for (let n = 0; n < 2; n += 1) await assembleAugmentation(ports, context, NOW);
    for (let n = 0; n < 2; n += 1) await endGrowth(ports, context, null, NOW);

    // What a model writes is another row each time; the pool's are the same.
    const repeated = await made(id);
    expect(repeated).toHaveLength(43);
    expect(repeated.slice(0, 40)).toEqual(rows.slice(0, 40));
    expect(await balance()).toMatchObject({ held: 0, settled: 2 });
  });

  test('rows of the pool of another embedding model are refused by the search', async () => {
    const id = await launch(await seed(about('bread', 20)), { domain_rows: 10 });
    const context = contextOf(world, id);
    await planOf(world, context);
    await load(world, everything, { client: embedder('another-model') });
    const [line] = linesOf(world.objects.text(objectKeys.plan(context.run_id)));

    const search = searchPool(world.objects, SearchPlan.parse(JSON.parse(line ?? '')));

    await expect(search).rejects.toMatchObject({ code: 'run_interrupted' });
  });

  test('rows that are sampled have 32 MiB together, and those that find no room are left out', async () => {
    const long = (n: number) => `${n}${'a long context '.repeat(1_000_000)}`;
    const source = await seed([long(0), long(1), long(2), 'What rises?']);

    const id = await launch(source, { similar_rows: 1 });
    const context = contextOf(world, id);
    await planOf(world, context);

    const examples = linesOf(world.objects.text(objectKeys.examples(context.run_id)));
    expect(examples.map((line) => JSON.parse(line).completion)).toEqual(['answer 0', 'answer 1', 'answer 3']);
  });

  test('rows of the pool cannot be told for rows that ask nothing', async () => {
    const chat = JSON.stringify([{ role: 'system', content: 'Be kind.' }]);
    const source = await seedRows(world, owner, { chat: 'JSON' }, [`{"chat":${chat}}`, `{"chat":${chat}}`], {
      configured_column_mapping: { chat: 'chat', context: [] },
    });

    const { dataset } = await augment(source, { domain_rows: 10 });

    expect(dataset.error_data).toMatchObject({ code: 'topics_unknown' });
    expect(await balance()).toMatchObject({ held: 0, available: 100 });
  });

  test('rows of the pool are not charged where the embedding model is gone', async () => {
    const { dataset } = await augment(
      await seed(about('bread', 20)),
      { domain_rows: 10 },
      { embedder: null },
    );

    expect(dataset.error_data).toMatchObject({ code: 'model_unavailable' });
    expect(await balance()).toMatchObject({ held: 0, available: 100 });
  });
});

test('rows in the style of the dataset are written by a model that sees rows of it, each new, as many as were asked for', async () => {
  const model = writer();
  const source = await seed(about('bread', 20));

  const { rows, report } = await augment(source, { similar_rows: 6 }, { writer: model });

  const added = rows.slice(20);
  expect(added).toHaveLength(6);
  for (const row of added)
    expect(row).toMatchObject({ augmentation_kind: 'similar', augmentation_source: null });
  expect(new Set(added.map(({ question }) => question)).size).toBe(6);
  expect(model.shown[0]).toContain('on bread');
  expect(model.shown[0]).toContain('answer ');
  expect(report).toMatchObject({
    stages: [{ name: 'similar', rows_in: 6, rows_out: 6 }],
    credits: { reserved: 1, settled: 1 },
    prompt_versions: { similar: 'write-similar.v3' },
  });
});

test('rows in the style of the dataset follow the replies of a dataset of conversations', async () => {
  const lines = about('bread', 20).map((prompt, n) =>
    JSON.stringify({
      chat: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: prompt },
        { role: 'assistant', content: `reply ${n}` },
        { role: 'user', content: 'Thanks.' },
        { role: 'assistant', content: 'You are welcome.' },
      ],
    }),
  );
  const source = await seedRows(world, owner, { chat: 'JSON' }, lines, {
    configured_column_mapping: { chat: 'chat', context: [] },
  });
  const model = writer();

  const { rows, dataset } = await augment(source, { similar_rows: 6 }, { writer: model });

  expect(dataset.state).toBe('succeeded');
  const added = rows.slice(20);
  expect(added).toHaveLength(6);
  for (const { chat } of added) {
    const turns = chat as { role: string; content: string }[];
    expect(turns.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
    // What all rows are told is told the new ones, too.
    expect(turns[0]?.content).toBe('Be kind.');
    expect(turns[1]?.content).toMatch(/^Hello \d+$/);
  }
  expect(model.shown[0]).toMatch(
    /"system":"Be kind\."[^}]*"earlier":\[\{"user":"[^"]*bread[^"]*","assistant":"reply \d+"\}\],"prompt":"Thanks\."/,
  );
});

test('rows in the style of the dataset are about reports of their own where the system messages of conversations hold reports', async () => {
  const ask = 'Summarize the report in one sentence.';
  const lines = Array.from({ length: 20 }, (_, n) =>
    JSON.stringify({
      chat: [
        { role: 'system', content: `Report: plant ${n} made ${n ** 3} parts.` },
        { role: 'user', content: ask },
        { role: 'assistant', content: `It made ${n ** 3} parts.` },
      ],
    }),
  );
  const source = await seedRows(world, owner, { chat: 'JSON' }, lines, {
    configured_column_mapping: { chat: 'chat', context: [] },
  });
  const model = writer((n) =>
    JSON.stringify({
      system: `Report: the ${n} ships of harbour ${n ** 3} sank.`,
      prompt: ask,
      completion: 'They sank.',
    }),
  );

  const { rows, dataset } = await augment(source, { similar_rows: 6 }, { writer: model });

  expect(dataset).toMatchObject({ state: 'succeeded', row_count: 26 });
  expect(model.shown[0]).toMatch(/"system":"Report: plant \d+ made \d+ parts\."/);
  expect(rows.at(-1)?.chat).toEqual([
    { role: 'system', content: expect.stringMatching(/^Report: the \d+ ships/) },
    { role: 'user', content: ask },
    { role: 'assistant', content: 'They sank.' },
  ]);
});

test.each(['a list', 'a list with the question', 'a single turn'] as const)(
  'rows in the style of the dataset of pairs whose answers are turns are texts to the model, and turns in the dataset: %s',
  async (form) => {
    const answer = (text: string, asked: string) => {
      if (form === 'a single turn') return { from: 'gpt', value: text };
      const reply = { role: 'assistant', content: text };
      return form === 'a list' ? [reply] : [{ role: 'user', content: asked }, reply];
    };
    const lines = about('bread', 20).map((prompt, n) =>
      JSON.stringify({ prompt, chosen: answer(`good ${n}`, prompt), rejected: answer(`bad ${n}`, prompt) }),
    );
    const source = await seedRows(
      world,
      owner,
      { prompt: 'VARCHAR', chosen: 'JSON', rejected: 'JSON' },
      lines,
      {
        configured_column_mapping: { prompt: 'prompt', chosen: 'chosen', rejected: 'rejected', context: [] },
      },
    );
    const model = writer();

    const { rows, dataset } = await augment(
      source,
      { similar_rows: 6, training_type: 'preference_pairs' },
      { writer: model },
    );

    expect(dataset).toMatchObject({ state: 'succeeded', row_count: 26 });
    expect(model.shown[0]).toMatch(/"completion":"good \d+"/);
    const { prompt, chosen, rejected } = rows.at(-1) as Record<'prompt' | 'chosen' | 'rejected', unknown>;
    const before = form === 'a list with the question' ? [{ role: 'user', content: prompt }] : [];
    expect(chosen).toEqual([...before, { role: 'assistant', content: expect.stringMatching(/^answer/) }]);
    expect(rejected).toEqual([...before, { role: 'assistant', content: expect.stringMatching(/^worse/) }]);
  },
);

test.each([true, false])(
  'rows in the style of the dataset are refused where the dataset has no answers to follow (estimate: %s)',
  async (estimate) => {
    const lines = about('bread', 20).map((prompt) => JSON.stringify({ prompt }));
    const source = await seedRows(world, owner, { prompt: 'VARCHAR' }, lines, {
      configured_column_mapping: { prompt: 'prompt', context: [] },
    });

    await expect(launch(source, { similar_rows: 6, estimate })).rejects.toMatchObject({
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'similar_rows' })],
    });
  },
);

test.each([
  ['texts', 'VARCHAR', JSON.stringify],
  ['lists', 'JSON', (value: unknown) => value],
] as const)(
  'rows in the style of the dataset have a system message and earlier turns in the columns that it has for them, as %s',
  async (_, type, cellOf) => {
    const lines = about('bread', 20).map((instruction, n) =>
      JSON.stringify({
        instruction,
        output: `answer ${n}`,
        system: `You answer in the tone of house ${n}.`,
        history: cellOf([[`Hello ${n} there`, 'Hello.']]),
      }),
    );
    const source = await seedRows(
      world,
      owner,
      { instruction: 'VARCHAR', output: 'VARCHAR', system: 'VARCHAR', history: type },
      lines,
      { configured_column_mapping: { prompt: 'instruction', completion: 'output', context: [] } },
    );
    const model = writer();

    const { rows } = await augment(source, { similar_rows: 3 }, { writer: model });

    expect(model.shown[0]).toMatch(
      /"system":"You answer in the tone of house \d+\.","earlier":\[\{"user":"Hello \d+ there","assistant":"Hello\."\}\]/,
    );
    expect(rows.slice(20)).toHaveLength(3);
    for (const { instruction, system, history } of rows.slice(20)) {
      expect(instruction).toMatch(/^Wholly new question/);
      expect(system).toMatch(/^Instruction \d+ of its own\.$/);
      expect(type === 'JSON' ? history : JSON.parse(String(history))).toEqual([
        [expect.stringMatching(/^Hello \d+$/), 'Hello.'],
      ]);
    }
  },
);

test('rows in the style of a dataset of conversations have the system message in the column that it has for them', async () => {
  const lines = about('bread', 20).map((content, n) =>
    JSON.stringify({
      system: 'You are the helper of a bakery.',
      messages: [
        { role: 'user', content },
        { role: 'assistant', content: `reply ${n}` },
      ],
    }),
  );
  const source = await seedRows(world, owner, { system: 'VARCHAR', messages: 'JSON' }, lines, {
    configured_column_mapping: { chat: 'messages', context: [] },
  });

  const { rows } = await augment(source, { similar_rows: 3 });

  expect(rows.slice(20)).toHaveLength(3);
  for (const { system, messages } of rows.slice(20)) {
    expect(system).toBe('You are the helper of a bakery.');
    expect((messages as { role: string }[]).map(({ role }) => role)).toEqual(['user', 'assistant']);
  }
});

test('rows in the style of the dataset leave alone a column that has the name of system messages and holds something else', async () => {
  const lines = about('bread', 20).map((question, n) =>
    JSON.stringify({ question, answer: `answer ${n}`, system: `Linux ${n}` }),
  );
  const model = writer();

  const { rows } = await augment(
    await seedRows(world, owner, { ...TYPES, system: 'VARCHAR' }, lines),
    { similar_rows: 3 },
    { writer: model },
  );

  expect(rows.slice(20)).toHaveLength(3);
  for (const row of rows.slice(20)) expect(row.system ?? null).toBeNull();
  expect(model.shown[0]).not.toContain('Linux');
});

describe('a dataset of more prompts than can be compared', () => {
  const LINE = { question: 'VARCHAR', answer: 'VARCHAR' };
  const sourceOf = (row: object, rowCount: number, mapping: DatasetRecord['configured_column_mapping']) =>
    seedRows(world, owner, LINE, [JSON.stringify(row)], {
      row_count: rowCount,
      configured_column_mapping: mapping,
    });
  const text = { prompt: 'question', completion: 'answer', context: [] };
  const chat = { chat: 'question', context: [] };

  test.each([
    ['texts', text, 7_999_000, true],
    ['texts', text, 7_999_001, false],
    ['conversations', chat, 3_999_500, true],
    ['conversations', chat, 3_999_501, false],
  ] as const)(
    'a launch for %s is priced and taken up to the limit alone ($2 rows: $3)',
    async (of, mapping, rows, isTaken) => {
      const question = of === 'texts' ? 'Rye?' : JSON.stringify([{ role: 'user', content: 'Rye?' }]);
      const source = await sourceOf({ question, answer: 'a' }, rows, { ...mapping, context: [] });

      for (const estimate of [true, false]) {
        const launched = launch(source, { similar_rows: 1000, estimate });
        if (isTaken) await launched;
        else {
          await expect(launched).rejects.toMatchObject({
            code: 'invalid_request',
            details: [expect.objectContaining({ path: 'domain_rows', limit: 8_000_000 })],
          });
        }
      }
    },
  );
});

test.each([
  ['texts', 'VARCHAR', (label: string): unknown => label, { prompt: 'question', completion: 'answer' }],
  [
    'turns',
    'JSON',
    (content: string): unknown => [{ role: 'assistant', content }],
    { prompt: 'question', completion: 'answer' },
  ],
  [
    'conversations',
    'JSON',
    (content: string, asked: string): unknown => [
      { role: 'user', content: asked },
      { role: 'assistant', content },
    ],
    { chat: 'answer' },
  ],
])(
  'rows in the style of the dataset may have a label that stands in one of its rows alone, and none that it has not: in answers that are %s',
  async (_, type, cellOf, mapping) => {
    const labelOf = (id: number): string => (id === 7 ? 'unclear' : id % 2 === 0 ? 'yes' : 'no');
    const source = await seedRows(
      world,
      owner,
      { ...TYPES, answer: type },
      about('bread', 300).map((question, id) =>
        JSON.stringify({ id, question, answer: cellOf(labelOf(id), question) }),
      ),
      { configured_column_mapping: { ...mapping, context: [] } },
    );
    const say = (n: number) =>
      JSON.stringify({
        prompt: `Is loaf ${n} ${n ** 3} bread?`,
        completion: n % 2 === 0 ? 'unclear' : 'perhaps',
      });

    const { rows } = await augment(source, { similar_rows: 4 }, { writer: writer(say) });

    const added = rows.slice(300);
    expect(added.length).toBeGreaterThan(0);
    for (const { answer } of added) {
      const [{ content = '' } = {}] = Array.isArray(answer) ? answer : [];
      expect(answer).toEqual(cellOf('unclear', content));
    }
  },
);

test('rows in the style of the dataset that repeat a row of the dataset, or one another, are left out and not charged', async () => {
  const source = await seed(about('bread', 120));
  const say = (n: number) =>
    JSON.stringify({ prompt: n % 2 === 0 ? 'Question 3 on bread 27?' : `Same question`, completion: 'x' });

  const { rows, report, dataset } = await augment(source, { similar_rows: 150 }, { writer: writer(say) });

  expect(rows).toHaveLength(121);
  expect(dataset.description).toBe(
    '1 of 150 rows in the style of the dataset: the others that the model wrote cannot be used, or say what the dataset has already.',
  );
  expect(report).toMatchObject({
    rows: { expanded: 1, expansion_failed: 149 },
    credits: { reserved: 2, settled: 1 },
  });
});

test('rows in the style of the dataset of pairs have a worse answer too', async () => {
  const source = await seed(about('bread', 20));

  const { rows } = await augment(source, { similar_rows: 2, training_type: 'preference_pairs' });

  expect(rows[20]).toMatchObject({ chosen: 'answer 1', rejected: 'worse 1' });
});

test('rows in the style of the dataset come beside those of the pool', async () => {
  await load(world, pool('bread', 60));

  const { rows } = await augment(await seed(about('bread', 20)), { domain_rows: 3, similar_rows: 2 });

  expect(rows.slice(20).map((row) => row.augmentation_kind)).toEqual([
    ...Array(3).fill('domain'),
    ...Array(2).fill('similar'),
  ]);
});

test('rows in the style of the dataset are kept and charged as far as they came where the model goes', async () => {
  await load(world, pool('bread', 60));
  const source = await seed(about('bread', 20).map((prompt) => `${prompt} silent`));

  const { rows, report } = await augment(source, { domain_rows: 5, similar_rows: 2 });

  expect(rows).toHaveLength(25);
  expect(report).toMatchObject({
    status: 'failed',
    error_data: { code: 'model_unavailable' },
    credits: { reserved: 1, settled: 1 },
  });
});

test.each([
  ['by its day', 24 * 3_600_000, 'run_timed_out', 'within a day. Send a request for fewer rows.'],
  ['before its day is over', 24 * 3_600_000 - 1, 'run_interrupted', 'processed. Send the request again.'],
])(
  'rows in the style of the dataset that are missing where a run was given up %s end it with that',
  async (_, ms, code, told) => {
    await load(world, pool('bread', 60));
    const id = await launch(await seed(about('bread', 20)), { domain_rows: 5, similar_rows: 2 });
    const context = contextOf(world, id);
    await planOf(world, context);
    for (const line of linesOf(world.objects.text(objectKeys.plan(context.run_id)))) {
      await searchPool(world.objects, SearchPlan.parse(JSON.parse(line)));
    }

    const assembled = assembleAugmentation(
      { ...world.store, objects: world.objects, writeRows },
      context,
      NOW + ms,
    );

    await expect(assembled).rejects.toMatchObject({ code, message: expect.stringContaining(told) });
    expect(await datasetOf(id)).toMatchObject({
      row_count: 25,
      description: '0 of 2 rows in the style of the dataset: the run ended before the others were done.',
    });
  },
);

test('rows in the style of the dataset are all there though the run was cancelled then, which has succeeded', async () => {
  const id = await launch(await seed(about('bread', 20)), { similar_rows: 2 });
  const context = contextOf(world, id);
  await planOf(world, context);
  for (const line of linesOf(world.objects.text(objectKeys.writingPlan(context.run_id)))) {
    await write(world, WritingPlan.parse(JSON.parse(line)));
  }
  await world.store.runs.requestStop(context.dataset_id, context.run_id, runCancelled);

  const { rows } = await assembleAugmentation(
    { ...world.store, objects: world.objects, writeRows },
    context,
    NOW,
  );

  expect(rows).toMatchObject({ expanded: 2, expansion_failed: 0 });
});

test('rows in the style of the dataset are asked once each by a worker that is repeated', async () => {
  const id = await launch(await seed(about('bread', 20)), { similar_rows: 5 });
  const context = contextOf(world, id);
  await planOf(world, context);
  const [line] = linesOf(world.objects.text(objectKeys.writingPlan(context.run_id)));
  const plan = WritingPlan.parse(JSON.parse(line ?? ''));
  const model = writer();

  for (let n = 0; n < 2; n += 1) await write(world, plan, model);

  expect(model.shown).toHaveLength(plan.row_count);
});

test('a run whose execution ended is settled by what it delivered', async () => {
  await load(world, pool('bread', 60));
  const id = await launch(await seed(about('bread', 20)), { domain_rows: 10 });
  const context = contextOf(world, id);

  await endInterruptedRun(
    {
      ...world.store,
      executions: world.executions,
      objects: world.objects,
      endRun: world.endRun,
      endBatchJobs: noBatchJobs,
    },
    { name: context.run_id, status: 'ABORTED', input: JSON.stringify(context), now: NOW },
  );

  expect(await datasetOf(id)).toMatchObject({ state: 'failed', error_data: { code: 'run_interrupted' } });
  expect(await balance()).toMatchObject({ held: 0, available: 100 });
});
