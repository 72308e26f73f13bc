import { beforeEach, describe, expect, test } from 'vitest';
import { handler as review } from '#functions/api/datasets/review/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { keyOfMapping } from '#shared/exports/decide/form-columns.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { VERDICT_ROWS_MAX } from '#shared/review/schema/verdict.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { doubted, leaveDoubts, reviewer } from '#test/helpers/reviewing.ts';
import { startStopwatch } from '#test/helpers/stopwatch.ts';
import { adaptVersion, answered, appendVersion, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ROWS = 40;
const NONE = { right: 0, wrong: 0, mended: 0, disputed: 0, stale: 0 };

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let runId: string;
let by: ReturnType<typeof reviewer>;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, ROWS);
  const { run } = await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  runId = run.run_id;
  by = reviewer(world, owner, dataset);
});

const stored = () => world.store.verdicts.list(dataset.dataset_id);
const items = () => world.table.items().filter(({ pk }) => String(pk).startsWith('VERDICTS#'));

test('a verdict is kept with what its reviewer saw, and counted', async () => {
  const hash = await by.hashOf(5);

  const { status, body } = await by.say([{ row: 5, content_hash: hash, verdict: 'wrong' }]);

  expect(status).toBe(200);
  expect(body).toMatchObject({ recorded: 1, stale: [], verdicts: { ...NONE, wrong: 1 } });
  expect(body.grade?.verdicts).toBe(1);
  expect(await stored()).toEqual([
    expect.objectContaining({
      row: 5,
      reviewer: owner.key_id,
      verdict: 'wrong',
      content_hash: hash,
      seen_in: runId,
      version: 2,
      user_id: owner.user_id,
    }),
  ]);
});

test('the later verdict of a reviewer takes the place of the earlier one, with its text', async () => {
  const hash = await by.hashOf(5);
  await by.say([{ row: 5, content_hash: hash, verdict: 'mended', completion: 'first' }]);
  await by.say([{ row: 5, content_hash: hash, verdict: 'mended', completion: 'second' }]);
  const { body } = await by.list();
  const texts = items().filter(({ sk }) => String(sk).startsWith('TEXT#'));
  await by.say([{ row: 5, content_hash: hash, verdict: 'right' }]);

  expect(body.verdicts.map(({ completion }) => completion)).toEqual(['second']);
  expect(texts).toHaveLength(1);
  expect(items().map(({ verdict }) => verdict)).toEqual(['right']);
});

test('none takes the own verdict back, also of a row that has changed since, and leaves those of others', async () => {
  const hash = await by.hashOf(5);
  await by.say([{ row: 5, content_hash: hash, verdict: 'mended', completion: 'mine' }], 'ada');
  await by.say([{ row: 5, content_hash: hash, verdict: 'wrong' }], 'ben');
  await adaptVersion(world, owner, dataset, (row) => answered(row, `best ${row}`));

  const { body } = await by.say([{ row: 5, verdict: 'none' }], 'ada');

  expect(body).toMatchObject({ recorded: 1, stale: [] });
  expect(items().map(({ reviewer: who }) => who)).toEqual(['ben']);
});

test('two people at once never lose a verdict, and those who disagree are disputed', async () => {
  const { rows } = (await by.look()).body;
  const of = (verdict: 'right' | 'wrong') =>
    rows.map(({ row, content_hash }) => ({ row, content_hash, verdict }));

  await Promise.all([by.say(of('right'), 'ada'), by.say(of('wrong').slice(0, 7), 'ben')]);

  const { body } = await by.look();
  expect(await stored()).toHaveLength(ROWS + 7);
  expect(body.verdicts).toEqual({ ...NONE, right: ROWS - 7, disputed: 7 });
});

test('people who mend a row in the same way agree, also with who says that it is wrong', async () => {
  const [a, b, c] = [await by.hashOf(1), await by.hashOf(2), await by.hashOf(3)];
  const mended = (row: number, content_hash: string, completion: string) =>
    ({ row, content_hash, verdict: 'mended', completion }) as const;
  await by.say([mended(1, a, 'x'), mended(2, b, 'x'), mended(3, c, 'x')], 'ada');
  await by.say([mended(1, a, 'x'), mended(2, b, 'y'), { row: 3, content_hash: c, verdict: 'wrong' }], 'ben');

  expect((await by.look()).body.verdicts).toEqual({ ...NONE, mended: 2, disputed: 1 });
});

test('a row that has changed since it was shown is stale: its verdict is not recorded, the others are', async () => {
  const [five, six] = [await by.hashOf(5), await by.hashOf(6)];
  await adaptVersion(world, owner, dataset, (row) => answered(row, row === 5 ? 'best 5' : `better ${row}`));

  const { body } = await by.say([
    { row: 5, content_hash: five, verdict: 'right' },
    { row: 6, content_hash: six, verdict: 'right' },
  ]);

  expect(body).toMatchObject({ recorded: 1, stale: [5], verdicts: { ...NONE, right: 1 } });
});

test('a verdict counts while the row has what was seen, also in later versions, and is stale after that', async () => {
  const [five, six] = [await by.hashOf(5), await by.hashOf(6)];
  await by.say([
    { row: 5, content_hash: five, verdict: 'right' },
    { row: 6, content_hash: six, verdict: 'right' },
  ]);
  await adaptVersion(world, owner, dataset, (row) => answered(row, row === 5 ? 'best 5' : `better ${row}`));

  const { body } = await by.look();

  expect(body.verdicts).toEqual({ ...NONE, right: 1, stale: 1 });
  expect(body.rows.map(({ row }) => row)).toContain(5);
  expect(body.grade?.verdicts).toBe(1);
});

test('a row that was dropped is stale', async () => {
  const hash = await by.hashOf(5);
  await adaptVersion(world, owner, dataset, (row) =>
    row === 5
      ? {
          row,
          outcome: 'dropped',
          reason: { code: 'duplicate', message: 'It repeats another.' },
          tokens: { input: 0, output: 0 },
          calls: 0,
        }
      : answered(row, `better ${row}`),
  );

  const { body } = await by.say([{ row: 5, content_hash: hash, verdict: 'right' }]);

  expect(body).toMatchObject({ recorded: 0, stale: [5] });
});

test('verdicts survive an append, since rows keep their numbers', async () => {
  const raw = await ingestVersion(world, owner, 6, {
    processing_mode: 'raw',
    raw_column_mapping: { prompt: 'question', completion: 'answer' },
  });
  const review = reviewer(world, owner, raw);
  await review.say([{ row: 2, content_hash: await review.hashOf(2), verdict: 'right' }]);
  await appendVersion(world, owner, raw, [{ question: 'question 6', answer: 'answer 6' }]);

  const { body } = await review.look();

  expect((await world.store.verdicts.list(raw.dataset_id)).map(({ rows }) => rows)).toEqual([6]);
  expect(body).toMatchObject({ version: 2, verdicts: { ...NONE, right: 1 } });
  expect(body.rows).toHaveLength(6);
});

test('a thousand verdicts at once are recorded in a few seconds, and one more is refused with what to do', async () => {
  const many = await ingestVersion(world, owner, 1001, {
    processing_mode: 'raw',
    raw_column_mapping: { prompt: 'question', completion: 'answer' },
  });
  const review = reviewer(world, owner, many);
  const { contentHash } = await import('#shared/review/decide/verdict.ts');
  const given = Array.from({ length: 1001 }, (_, row) => ({
    row,
    content_hash: contentHash({ prompt: `question ${row}`, completion: `answer ${row}` }),
    verdict: 'right' as const,
  }));

  const elapsed = startStopwatch();
  const { body } = await review.say(given.slice(1));
  const seconds = elapsed() / 1000;
  const { status, problem } = await review.say(given);

  expect(body.recorded).toBe(1000);
  expect(seconds).toBeLessThan(4);
  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.message).toContain('at most 1000 entries');
});

test('more rows than a dataset keeps verdicts on are refused, and nothing of the request is recorded', async () => {
  const hash = await by.hashOf(5);
  const verdicts = Array.from({ length: VERDICT_ROWS_MAX }, (_, place) => ({
    dataset_id: dataset.dataset_id,
    row: 1000 + place,
    reviewer: 'ada',
    verdict: 'right' as const,
    content_hash: hash,
    seen_in: runId,
    version: 2,
    drawn_as: 'chosen' as const,
    user_id: owner.user_id,
    recorded_at: new Date(NOW).toISOString(),
  }));
  const full = { ...world.store.verdicts, list: async () => verdicts };

  const { handler } = await import('#functions/api/datasets/verdicts/record.ts');
  const { status, problem } = await world.call(
    handler,
    {
      as: owner,
      params: { dataset_id: dataset.dataset_id },
      body: { verdicts: [{ row: 5, content_hash: hash, verdict: 'right' }] },
    },
    { verdicts: full },
  );

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.message).toContain('on 100000 rows');
  expect(items()).toEqual([]);
});

describe('what is not taken', () => {
  const refused = async (verdicts: Parameters<typeof by.say>[0]) => {
    const { status, problem } = await by.say(verdicts);
    expect(items()).toEqual([]);
    return [status, problem.code, problem.details[0]?.path ?? problem.message];
  };

  test('a request with a row that does not exist is refused, and records nothing', async () => {
    const hash = await by.hashOf(5);
    const [status, code, message] = await refused([
      { row: 5, content_hash: hash, verdict: 'right' },
      { row: 40, content_hash: hash, verdict: 'right' },
    ]);

    expect([status, code]).toEqual([404, 'row_not_found']);
    expect(message).toContain('0 to 39');
  });

  test('a request with two verdicts about one row is refused, and records nothing', async () => {
    const hash = await by.hashOf(5);
    const verdict = { row: 5, content_hash: hash, verdict: 'right' as const };

    expect(await refused([verdict, verdict])).toEqual([400, 'invalid_request', 'verdicts[1].row']);
  });

  test('a request that mends a row to the text that it has is refused, and records nothing', async () => {
    const hash = await by.hashOf(5);

    expect(
      await refused([
        { row: 4, content_hash: await by.hashOf(4), verdict: 'right' },
        { row: 5, content_hash: hash, verdict: 'mended', completion: 'better 5' },
      ]),
    ).toEqual([400, 'invalid_request', 'verdicts[1].completion']);
  });

  test.each([
    ['no hash', { row: 5, verdict: 'right' }, 'verdicts[0].content_hash'],
    ['a hash of another kind', { row: 5, content_hash: 'x', verdict: 'right' }, 'verdicts[0].content_hash'],
    ['a text without mending', { row: 5, verdict: 'none', completion: 'x' }, 'verdicts[0].completion'],
    ['an empty text', { row: 5, verdict: 'mended', completion: '' }, 'verdicts[0].completion'],
    [
      'a text that is too long',
      { row: 5, verdict: 'mended', completion: 'x'.repeat(100_001) },
      'verdicts[0].completion',
    ],
    [
      'half of a surrogate pair',
      { row: 5, verdict: 'mended', completion: 'x\ud800' },
      'verdicts[0].completion',
    ],
  ] as const)('a request with %s is refused, and records nothing', async (_, verdict, path) => {
    const hash = 'content_hash' in verdict || path.endsWith('hash') ? {} : { content_hash: 'a'.repeat(32) };

    expect(await refused([{ ...hash, ...verdict }])).toEqual([400, 'invalid_request', path]);
  });

  test('a request that is larger than a body may be is refused, and records nothing', async () => {
    const verdicts = Array.from({ length: 20 }, (_, row) => ({
      row,
      content_hash: 'a'.repeat(32),
      verdict: 'mended' as const,
      completion: '字'.repeat(100_000),
    }));

    expect((await refused(verdicts)).slice(0, 2)).toEqual([413, 'payload_too_large']);
  });

  test('a request about the dataset of another team is refused, and records nothing', async () => {
    const hash = await by.hashOf(5);
    const { status } = await reviewer(world, strangerTo(owner), dataset).say([
      { row: 5, content_hash: hash, verdict: 'right' },
    ]);

    expect([status, items()]).toEqual([404, []]);
  });
});

test('the longest text that is taken fits an item, whatever its characters are', async () => {
  const hash = await by.hashOf(5);
  const completion = '字'.repeat(100_000);

  const { status } = await by.say([{ row: 5, content_hash: hash, verdict: 'mended', completion }]);
  const { body } = await by.list();

  expect(status).toBe(200);
  expect(body.verdicts[0]?.completion).toBe(completion);
});

test('verdicts that come while their dataset is deleted do not stay', async () => {
  const hash = await by.hashOf(5);
  const { handler } = await import('#functions/api/datasets/verdicts/record.ts');
  const datasets = { ...world.store.datasets, find: async () => null };

  await world.call(
    handler,
    {
      as: owner,
      params: { dataset_id: dataset.dataset_id },
      body: { verdicts: [{ row: 5, content_hash: hash, verdict: 'mended', completion: 'best 5' }] },
    },
    { datasets },
  );

  expect(items()).toEqual([]);
});

test('rows with verdicts on an earlier version are read once for a version', async () => {
  await by.say([{ row: 5, content_hash: await by.hashOf(5), verdict: 'right' }]);
  const { run } = await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  const { configured_column_mapping: mapping } = await reload(world, dataset);
  const key = objectKeys.rowHashes(dataset.dataset_id, run.run_id, keyOfMapping(mapping));
  await by.look(1);
  const known = JSON.parse(world.objects.text(key));
  await world.objects.write(key, JSON.stringify({ 5: 'another hash' }), 'application/json');

  const { body } = await by.look(1);

  expect(Object.keys(known)).toEqual(['5']);
  expect(body.verdicts).toEqual({ ...NONE, stale: 1 });
});

test('a verdict on a row as it came is stale where another mapping reads other texts of it', async () => {
  const mapping = { prompt: 'question', completion: 'answer', context: [] };
  const fresh = await ingestVersion(world, owner, ROWS, { configured_column_mapping: mapping });
  const on = reviewer(world, owner, fresh);
  await on.say([{ row: 5, content_hash: await on.hashOf(5), verdict: 'right' }]);
  const { datasets } = world.store;
  const listBy = async (completion: string) => {
    const require: typeof datasets.require = async (...of) => ({
      ...(await datasets.require(...of)),
      configured_column_mapping: {
        ...mapping,
        completion,
        prompt: completion === 'answer' ? 'question' : 'answer',
      },
    });
    const request = { as: owner, params: { dataset_id: fresh.dataset_id }, query: { limit: '1' } };
    return (await world.call(review, request, { datasets: { ...datasets, require } })).body.verdicts;
  };

  expect(await listBy('answer')).toEqual({ ...NONE, right: 1 });
  expect(await listBy('question')).toEqual({ ...NONE, stale: 1 });
  expect(await listBy('answer')).toEqual({ ...NONE, right: 1 });
});

test('a row that its reviewer chose says nothing of the others, and one that was drawn does', async () => {
  await leaveDoubts(world, { ...dataset, run_id: runId }, [doubted(20, 0.9)]);
  const { rows } = (await by.look()).body;
  const [drawn, chosen] = rows.filter(({ drawn_as }) => drawn_as === 'audit');
  await by.say([
    { row: 20, content_hash: rows[0]?.content_hash, verdict: 'wrong' },
    { row: drawn?.row ?? -1, content_hash: drawn?.content_hash, verdict: 'right', drawn_as: 'audit' },
    // Its reviewer came there by another way, though it comes next.
    { row: chosen?.row ?? -1, content_hash: chosen?.content_hash, verdict: 'right' },
  ]);

  const reasons = new Map((await stored()).map(({ row, drawn_as }) => [row, drawn_as]));

  expect(reasons.get(20)).toBe('doubtful');
  expect(reasons.get(drawn?.row ?? -1)).toBe('audit');
  expect(reasons.get(chosen?.row ?? -1)).toBe('chosen');
});
