import { beforeEach, expect, test } from 'vitest';
import { handler as train } from '#functions/api/autoscientist/create.ts';
import { handler as diff } from '#functions/api/datasets/diff.ts';
import { handler as listRows } from '#functions/api/datasets/rows/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { GivenVerdict } from '#shared/review/schema/verdict.ts';
import { prepareTraining } from '#shared/training/prepare-training.ts';
import { endRunNow, finishBatches, linesOf, startRunOn } from '#test/helpers/active-run.ts';
import { leaveExpansion } from '#test/helpers/expansion.ts';
import { buildExport } from '#test/helpers/operations.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { doubted, leaveDoubts, reviewer, runReview } from '#test/helpers/reviewing.ts';
import {
  adaptVersion,
  answered,
  appendVersion,
  ingestVersion,
  makeDiffs,
  reload,
} from '#test/helpers/versions.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const RAW = {
  processing_mode: 'raw',
  raw_column_mapping: { prompt: 'question', completion: 'answer' },
} as const;

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
});

/** Mends rows, says that others are wrong, and applies that. */
async function review(
  dataset: DatasetRecord,
  mended: Readonly<Record<number, string>>,
  wrong: readonly number[] = [],
): Promise<string> {
  const by = reviewer(world, owner, dataset);
  const { rows } = (await by.look()).body;
  const hashOf = (row: number) => rows.find((each) => each.row === row)?.content_hash;
  const verdicts: GivenVerdict[] = [
    ...Object.entries(mended).map(([row, completion]) => ({
      row: Number(row),
      content_hash: hashOf(Number(row)),
      verdict: 'mended' as const,
      completion,
    })),
    ...wrong.map((row) => ({ row, content_hash: hashOf(row), verdict: 'wrong' as const })),
  ];
  const { body: recorded } = await by.say(verdicts);
  expect(recorded.recorded).toBe(verdicts.length);
  const { body } = await by.apply({ wrong: 'drop' });
  await runReview(world, dataset.dataset_id, body.run_id);
  return body.run_id;
}

/** The rows of the download. */
async function download({ dataset_id, team_id }: DatasetRecord): Promise<Record<string, unknown>[]> {
  const { key } = await world.use(buildExport)({ dataset_id, team_id, format: 'jsonl' });
  return linesOf(world.objects.text(key)).map((line) => JSON.parse(line));
}

test('the download of a reviewed version has the mended texts in, and the wrong rows out', async () => {
  const dataset = await ingestVersion(world, owner, 6);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  await review(dataset, { 2: 'best "2"\nof all 🦊' }, [4]);

  const rows = await download(await reload(world, dataset));

  expect(rows.map(({ answer, enhanced_completion }) => [answer, enhanced_completion])).toEqual([
    ['answer 0', 'better 0'],
    ['answer 1', 'better 1'],
    ['answer 2', 'best "2"\nof all 🦊'],
    ['answer 3', 'better 3'],
    ['answer 5', 'better 5'],
  ]);
});

test('the download of a reviewed version that was never adapted has the same columns as an adaptation’s', async () => {
  const dataset = await ingestVersion(world, owner, 3, RAW);
  await review(dataset, { 1: 'best 1' });

  const [, mended] = await download(await reload(world, dataset));

  expect(mended).toMatchObject({
    question: 'question 1',
    answer: 'answer 1',
    enhanced_prompt: 'question 1',
    enhanced_completion: 'best 1',
  });
});

test('a reviewed version is compared with the one before: mended rows are changed, dropped ones removed', async () => {
  const dataset = await ingestVersion(world, owner, 6);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  await review(dataset, { 2: 'best 2' }, [4]);
  const ask = () =>
    world.call(diff, {
      as: owner,
      params: { dataset_id: dataset.dataset_id },
      query: { from: '2', to: '3' },
    });
  await ask();
  await makeDiffs(world);

  const { body } = await ask();

  expect(body.counts).toEqual({ added: 0, removed: 1, changed: 1, unchanged: 4 });
  expect(body.rows?.map(({ row, kind }) => [row, kind])).toEqual([
    [2, 'changed'],
    [4, 'removed'],
  ]);
});

test('a training on a reviewed version learns the mended texts', async () => {
  const dataset = await ingestVersion(world, owner, 60);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  const by = reviewer(world, owner, dataset);
  const [first] = (await by.look()).body.rows;
  await review(dataset, { [first?.row ?? -1]: 'most excellent' });

  const { status, body } = await world.call(train, {
    as: owner,
    body: { dataset_id: dataset.dataset_id, dataset_version: 3 },
  });
  const context = { run_id: body.id, dataset_id: dataset.dataset_id, team_id: owner.team_id };
  await prepareTraining({ ...world.store, objects: world.objects }, context);

  expect(status).toBe(202);
  const keys = [objectKeys.trainingRows(body.id, 0), objectKeys.heldOutRows(body.id)];
  const examples = keys.flatMap((key) => linesOf(world.objects.text(key))).join('\n');
  expect(examples.split('most excellent')).toHaveLength(2);
  expect(examples.split('better ')).toHaveLength(60);
});

test('a version is reviewed again and again, each time on what the one before has made', async () => {
  const dataset = await ingestVersion(world, owner, 6);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  await review(dataset, { 2: 'best 2' });
  await review(dataset, { 3: 'best 3' });
  await appendVersion(world, owner, dataset, [{ question: 'question 6', answer: 'answer 6' }]);
  await review(dataset, { 4: 'best 4' });

  const rows = await download(await reload(world, dataset));

  expect(rows.map(({ enhanced_completion }) => enhanced_completion)).toEqual([
    'better 0',
    'better 1',
    'best 2',
    'best 3',
    'best 4',
    'better 5',
    'answer 6',
  ]);
});

test('a conversation is mended in its last reply, and the rows that were left out keep their prompts', async () => {
  const turns = (n: number) =>
    JSON.stringify([
      { role: 'user', content: `question ${n}` },
      { role: 'assistant', content: `answer ${n}` },
    ]);
  const { createFromFile } = await import('#test/helpers/ingesting.ts');
  const lines = Array.from({ length: 4 }, (_, n) => `${JSON.stringify({ talk: turns(n) })}\n`);
  const dataset = await createFromFile(world, owner, lines.join(''), {
    file_format: 'jsonl',
    file_name: 'talks.jsonl',
    s3_key: `uploads/${owner.team_id}/talks.jsonl`,
  });
  const active = await startRunOn(world, owner, dataset, {
    request: { column_mapping: { chat: 'talk' }, job_specification: { max_rows: 2 } },
  });
  await finishBatches(world, active, () => 'kept');
  await endRunNow(world, active);
  const by = reviewer(world, owner, dataset);
  const { rows: shown } = (await by.look()).body;
  await review(dataset, { 1: 'best 1' });

  const rows = await download(await reload(world, dataset));

  expect(shown).toHaveLength(4);
  expect(rows[1]).toMatchObject({ enhanced_completion: 'best 1' });
  expect(rows.every(({ enhanced_prompt: prompt }) => prompt !== null)).toBe(true);
});

test('rows in other languages are carried over, but those of rows that have another text by now or were dropped', async () => {
  const dataset = await ingestVersion(world, owner, 4);
  const language_expansion = { type: 'translate' as const, languages: ['es'], sample_rate: 1 };
  const active = await startRunOn(world, owner, dataset, { request: { language_expansion } });
  await finishBatches(world, active);
  await leaveExpansion(world, active, 4);
  await endRunNow(world, active);
  await review(dataset, { 1: 'best 1' }, [2]);

  const { body } = await world.call(listRows, {
    as: owner,
    params: { dataset_id: dataset.dataset_id },
    query: {},
  });

  expect(body.rows.slice(4).map(({ source_row, outcome, code }) => [source_row, outcome, code])).toEqual([
    [0, 'expanded', null],
    [1, 'expansion_failed', 'source_reviewed'],
    [2, 'expansion_failed', 'source_reviewed'],
    [3, 'expanded', null],
  ]);
  expect((await world.store.datasets.find(dataset.dataset_id))?.output_row_count).toBe(5);
  expect(await world.store.datasets.find(dataset.dataset_id)).toMatchObject({
    state: 'succeeded',
    run_id: null,
  });

  // Now more than half of them are missing.
  await review(await reload(world, dataset), { 0: 'best 0' });
  expect((await reload(world, dataset)).result?.warnings).toMatchObject([
    {
      code: 'languages_incomplete',
      message: expect.stringMatching(/^Only 1 of 4 rows in es are left: .*have another text now/),
    },
  ]);
});

test('a row that its reviewers call right is doubted no longer in the version that is made', async () => {
  const dataset = await ingestVersion(world, owner, 4);
  const { run } = await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  await leaveDoubts(world, { ...dataset, run_id: run.run_id }, [doubted(0, 0.9), doubted(1, 0.9)]);
  const by = reviewer(world, owner, dataset);
  await by.say([{ row: 0, content_hash: await by.hashOf(0), verdict: 'right' }]);
  await review(dataset, { 2: 'best 2' });

  const { body } = await world.call(listRows, {
    as: owner,
    params: { dataset_id: dataset.dataset_id },
    query: { doubted: 'true' },
  });

  expect(body.rows.map(({ row }) => row)).toEqual([1]);
});
