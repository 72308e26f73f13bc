import { beforeEach, describe, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { startRunOn } from '#test/helpers/active-run.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { doubted, leaveDoubts, reviewer } from '#test/helpers/reviewing.ts';
import { adaptVersion, answered, appendVersion, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ROWS = 60;

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

test('the rows that are most worth a look are doubtful ones by falling probability, and at every third place one drawn at random', async () => {
  await leaveDoubts(world, { ...dataset, run_id: runId }, [
    doubted(3, 0.4),
    doubted(20, 0.9, 'best 20'),
    doubted(41, 0.7),
  ]);

  const { body } = await by.look(6);

  expect(body).toMatchObject({ dataset_id: dataset.dataset_id, run_id: runId, version: 2 });
  expect(body.rows.map(({ drawn_as }) => drawn_as)).toEqual([
    'doubtful',
    'doubtful',
    'audit',
    'doubtful',
    'audit',
    'audit',
  ]);
  expect(body.rows.filter(({ drawn_as }) => drawn_as === 'doubtful').map(({ row }) => row)).toEqual([
    20, 41, 3,
  ]);
  expect(body.rows[0]).toEqual({
    row: 20,
    content_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    prompt: 'question 20',
    original: 'answer 20',
    completion: 'better 20',
    proposal: 'best 20',
    doubt: expect.objectContaining({ probability: 0.9 }),
    drawn_as: 'doubtful',
  });
  expect(body.rows[2]?.doubt).toBeNull();
  // Three doubtful rows, and thirty that are drawn.
  expect(body.worth_a_look).toBe(33);
});

test('a row with a verdict of anyone is left out, and the next one takes its place', async () => {
  await leaveDoubts(world, { ...dataset, run_id: runId }, [doubted(3, 0.4), doubted(20, 0.9)]);
  const { body: before } = await by.look();
  const [first, second, audit] = before.rows;
  await by.say([{ row: 20, content_hash: first?.content_hash, verdict: 'right' }], 'ada');
  await by.say(
    [{ row: audit?.row ?? -1, content_hash: audit?.content_hash, verdict: 'wrong', drawn_as: 'audit' }],
    'ben',
  );

  const { body } = await by.look();

  expect(second?.row).toBe(3);
  expect(body.rows.map(({ row }) => row).filter((row) => row === 20 || row === audit?.row)).toEqual([]);
  expect(body.worth_a_look).toBe(before.worth_a_look - 2);
  expect(body.verdicts).toEqual({ right: 1, wrong: 1, mended: 0, disputed: 0, stale: 0 });
});

test('the order stays the same from request to request', async () => {
  await leaveDoubts(world, { ...dataset, run_id: runId }, [doubted(3, 0.4), doubted(20, 0.4)]);

  const [one, two] = [await by.look(), await by.look()];

  expect(one.body).toEqual(two.body);
});

test('the grade says nothing before anyone has, then what witnesses say, and narrows with verdicts', async () => {
  const { body: silent } = await by.look();
  await leaveDoubts(world, { ...dataset, run_id: runId }, [doubted(3, 0.9)], 0.05);
  const { body: told } = await by.look();
  for (const { row, content_hash, drawn_as } of (await by.look(40)).body.rows) {
    await by.say([{ row, content_hash, drawn_as, verdict: row % 10 === 3 ? 'wrong' : 'right' }]);
  }
  const { body: reviewed } = await by.look();

  expect(silent.grade).toBeNull();
  expect(told.grade).toMatchObject({ grade: 'A', score: 9.6, verdicts: 0 });
  expect(told.grade?.without_verdicts?.score_interval[0]).toBeLessThan(9);
  expect(reviewed.grade).toMatchObject({ verdicts: 40, without_verdicts: { score: 9.6 } });
  const width = ({ grade }: typeof told) =>
    (grade?.score_interval[1] ?? Number.NaN) - (grade?.score_interval[0] ?? Number.NaN);
  expect(width(reviewed)).toBeLessThan(width(told));
});

test('verdicts tell how often a witness is right, and correct what it says of other rows', async () => {
  await leaveDoubts(
    world,
    { ...dataset, run_id: runId },
    Array.from({ length: 31 }, (_, row) => doubted(row, 0.8)),
  );
  const { body: before } = await by.look(50);
  const seen = before.rows.filter(({ drawn_as }) => drawn_as === 'doubtful').slice(0, 30);
  const said = await by.say(
    seen.map(({ row, content_hash }) => ({ row, content_hash, verdict: row === 0 ? 'wrong' : 'right' })),
  );

  const { body } = await by.look(50);

  expect(before.witnesses).toEqual([]);
  expect(body.witnesses).toEqual(said.body.witnesses);
  expect(body.witnesses).toEqual([
    expect.objectContaining({ rows: 30, share_wrong: 0.03, share_stated: 0.8 }),
  ]);
  const left = body.rows.find(({ doubt }) => doubt !== null);
  expect(left).toMatchObject({ drawn_as: 'doubtful', doubt: { probability: 0.22 } });
});

test('a row that the version does not deliver is never looked at', async () => {
  const { run } = await adaptVersion(world, owner, dataset, (row) =>
    row % 2 === 0
      ? answered(row, `best ${row}`)
      : {
          row,
          outcome: 'dropped',
          reason: { code: 'duplicate', message: 'It repeats another.' },
          tokens: { input: 0, output: 0 },
          calls: 0,
        },
  );
  await leaveDoubts(world, run, [doubted(3, 0.9), doubted(4, 0.8)]);

  const { body } = await by.look();

  expect(body.rows).toHaveLength(ROWS / 2);
  expect(body.rows.every(({ row }) => row % 2 === 0)).toBe(true);
  expect(body.rows[0]?.row).toBe(4);
});

describe('of a dataset without a run', () => {
  const raw = (rows: number) =>
    ingestVersion(world, owner, rows, {
      processing_mode: 'raw',
      raw_column_mapping: { prompt: 'question', completion: 'answer' },
    });

  test('rows are looked at as they came, drawn at random', async () => {
    by = reviewer(world, owner, await raw(12));

    const { body } = await by.look();

    expect(body).toMatchObject({ run_id: null, version: 1, grade: null, worth_a_look: 12 });
    expect(body.rows.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, row) => row),
    );
    expect(body.rows.every(({ drawn_as }) => drawn_as === 'audit')).toBe(true);
    expect(body.rows.find(({ row }) => row === 7)).toMatchObject({
      prompt: 'question 7',
      original: 'answer 7',
      completion: 'answer 7',
    });
  });

  test('a single row is looked at, and then nothing is left', async () => {
    by = reviewer(world, owner, await raw(1));
    const { body } = await by.look();
    await by.say([{ row: 0, content_hash: body.rows[0]?.content_hash, verdict: 'right' }]);

    const { body: after } = await by.look();

    expect(body.rows).toHaveLength(1);
    expect(after).toMatchObject({ rows: [], worth_a_look: 0, grade: { score: 10, verdicts: 1 } });
  });

  test('a request about columns that nobody has mapped is refused with what to do', async () => {
    by = reviewer(world, owner, await ingestVersion(world, owner, 3));

    const { status, problem } = await by.look();

    expect([status, problem.code]).toEqual([400, 'column_mapping_required']);
    expect(problem.message).toContain('Adapt the dataset');
    expect(problem.message).toContain("The dataset's columns are");
    expect(problem.message).toContain('send {"prompt":');
    expect(problem.details[0]).toHaveProperty('available');
  });
});

test('while an adaptation is active the rows of the version before are looked at', async () => {
  await startRunOn(world, owner, await reload(world, dataset));

  const { status, body } = await by.look();

  expect([status, body.run_id, body.rows.length]).toEqual([200, runId, 50]);
});

test('rows that were appended since are looked at once a version delivers them', async () => {
  await appendVersion(world, owner, dataset, [{ question: 'question 60', answer: 'answer 60' }]);
  const { body: before } = await by.look();
  await adaptVersion(world, owner, dataset, (row) => answered(row, `best ${row}`));
  const { body: after } = await by.look();

  expect([before.version, before.worth_a_look]).toEqual([2, 30]);
  expect(after.version).toBe(4);
});

test('a dataset without rows, and one of another team, are refused', async () => {
  const empty = await seedDataset(world.store, owner, { row_count: null, manifest_key: null });

  const { problem } = await reviewer(world, owner, empty).look();
  const { status } = await reviewer(world, strangerTo(owner), dataset).look();

  expect([problem.code, status]).toEqual(['no_data_yet', 404]);
});
