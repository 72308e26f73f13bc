import { beforeEach, describe, expect, test } from 'vitest';
import { handler as getDataset } from '#functions/api/datasets/get.ts';
import { handler as report } from '#functions/api/datasets/report.ts';
import { handler as getRow } from '#functions/api/datasets/rows/get.ts';
import { handler as listRows } from '#functions/api/datasets/rows/list.ts';
import { handler as deleteVersion } from '#functions/api/datasets/versions/delete.ts';
import { handler as versions } from '#functions/api/datasets/versions/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { contentHash } from '#shared/review/decide/verdict.ts';
import { startRunOn } from '#test/helpers/active-run.ts';
import { createFromFile } from '#test/helpers/ingesting.ts';
import {
  applyVerdicts,
  endInterruptedRun,
  endReview,
  eraseDataset,
  eraseVersion,
} from '#test/helpers/operations.ts';
import { NOW, seedTeam } from '#test/helpers/records.ts';
import { doubted, leaveDoubts, reviewer, runReview } from '#test/helpers/reviewing.ts';
import { adaptVersion, answered, appendVersion, ingestVersion, reload } from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ROWS = 40;
const RAW = {
  processing_mode: 'raw',
  raw_column_mapping: { prompt: 'question', completion: 'answer' },
} as const;

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let by: ReturnType<typeof reviewer>;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
});

const as = () => ({ as: owner, params: { dataset_id: dataset.dataset_id } });
const rowOf = async (row: number, query: Record<string, string> = {}) => {
  const params = { dataset_id: dataset.dataset_id, row: String(row) };
  const { body } = await world.call(getRow, { as: owner, params, query });
  return body.row;
};
const completionOf = async (row: number, query: Record<string, string> = {}) =>
  (await rowOf(row, query)).after?.find(({ column }) => column === 'enhanced_completion')?.text;

/** Applies the verdicts, as the state machine does. */
async function applied(body: Parameters<typeof by.apply>[0] = {}) {
  const response = await by.apply(body);
  if (response.status === 202) await runReview(world, dataset.dataset_id, response.body.run_id);
  return response;
}

const mend = async (row: number, completion: string) =>
  by.say([{ row, content_hash: await by.hashOf(row), verdict: 'mended', completion }]);
const say = async (row: number, verdict: 'right' | 'wrong', who?: string) =>
  by.say([{ row, content_hash: await by.hashOf(row), verdict }], who);

describe('of a dataset that was adapted', () => {
  let runId: string;

  beforeEach(async () => {
    dataset = await ingestVersion(world, owner, ROWS);
    const { run } = await adaptVersion(world, owner, dataset, (row) =>
      answered(row, row < 20 ? `better ${row}` : `answer ${row}`),
    );
    runId = run.run_id;
    by = reviewer(world, owner, dataset);
  });

  test.each(['mended', 'wrong'] as const)(
    'the grade of the next version says of the rows that nobody saw what it said before, where those drawn were %s',
    async (verdict) => {
      const { rows } = (await by.look(20)).body;
      const { body: before } = await by.say(
        rows.map(({ row, content_hash }, n) => ({
          row,
          content_hash,
          drawn_as: 'audit',
          ...(n % 2 === 0
            ? { verdict: 'right' }
            : { verdict, ...(verdict === 'mended' ? { completion: `best ${row}` } : {}) }),
        })),
      );

      await applied({ wrong: 'drop' });

      const { body: after } = await by.look();
      // Ten of the 20 that were seen are right, and half of the 20 others; then 20, or 10 of 10, and the same half.
      expect(before.grade?.score).toBeCloseTo(5, 1);
      expect(after.grade?.score).toBeCloseTo(verdict === 'mended' ? 7.5 : 20 / 3, 1);
      expect(after.grade?.score_interval[1]).toBeLessThan(9.5);
    },
  );

  test('a row that was wrong when it was drawn tells of the others after its mended text is called right', async () => {
    const { rows } = (await by.look(20)).body;
    await by.say(
      rows.map(({ row, content_hash }) => ({
        row,
        content_hash,
        drawn_as: 'audit',
        verdict: 'mended',
        completion: `best ${row}`,
      })),
    );
    await applied();
    const { body: before } = await by.look();

    await by.say(
      rows.map(({ row }) => ({
        row,
        content_hash: contentHash({ prompt: `question ${row}`, completion: `best ${row}` }),
        verdict: 'right',
      })),
    );

    const { body: after } = await by.look();
    expect(after.verdicts).toMatchObject({ right: 20, stale: 0 });
    expect(after.grade).toEqual(before.grade);
    expect(after.grade?.score).toBeLessThan(6);
  });

  test('the next version has the mended texts, and everything else as it was', async () => {
    await mend(5, 'best 5');
    await mend(25, 'best 25');
    await say(6, 'right');

    const { status, body } = await applied();

    expect(status).toBe(202);
    expect(body).toMatchObject({ version: 3, status: 'running' });
    expect(await rowOf(5)).toMatchObject({
      outcome: 'changed',
      edit: { kind: 'reviewed', evidence: 'reviewed' },
    });
    expect(await Promise.all([5, 25, 6, 26].map((row) => completionOf(row)))).toEqual([
      'best 5',
      'best 25',
      'better 6',
      'answer 26',
    ]);
    expect(await completionOf(5, { version: '2' })).toBe('better 5');
    const { body: shown } = await world.call(getDataset, as());
    expect(shown).toMatchObject({ status: 'succeeded', row_count: ROWS, error_data: null });
    const { body: page } = await world.call(listRows, { ...as(), query: {} });
    expect(page).toMatchObject({ run_id: body.run_id, total: ROWS, matching: ROWS });
    expect(page.facets.outcome).toEqual([
      { value: 'changed', rows: 21 },
      { value: 'kept', rows: 19 },
    ]);
  });

  test('it is free, is listed as made by a review of the version before, and its report counts the edits', async () => {
    const before = await world.store.ledger.findBalance(owner.team_id);
    await mend(5, 'best 5');
    await say(7, 'wrong');
    await applied();

    const { body } = await world.call(versions, { ...as(), query: {} });
    const { body: told } = await world.call(report, { ...as(), query: {} });

    expect(body.versions[0]).toMatchObject({
      version: 3,
      status: 'succeeded',
      made_by: 'review',
      parent_version: 2,
    });
    expect(await world.store.ledger.findBalance(owner.team_id)).toEqual({
      ...before,
      revision: expect.any(Number),
    });
    expect(told).toMatchObject({
      rows: { total: ROWS, changed: 20, kept: 20, dropped: 0, not_selected: 0 },
      tokens: { input: 0, output: 0, calls: 0 },
      credits: { reserved: 0, settled: 0 },
    });
    expect(told.edits).toEqual([expect.objectContaining({ kind: 'reviewed', rows: 1 })]);
    expect(told.reported_rows.filter(({ row }) => row === 7)).toEqual([
      expect.objectContaining({ code: 'said_wrong', outcome: 'changed' }),
    ]);
  });

  test('wrong rows are dropped if that is asked for, and stay otherwise', async () => {
    await say(7, 'wrong');
    await mend(5, 'best 5');
    await applied();
    const kept = await rowOf(7);
    await applied({ wrong: 'drop' });

    expect(kept.outcome).toBe('changed');
    expect(await rowOf(7)).toMatchObject({ outcome: 'dropped', code: 'said_wrong', after: null });
    expect((await world.call(getDataset, as())).body.row_count).toBe(ROWS - 1);
    expect((await by.list()).body.verdicts.map(({ status }) => status)).toEqual(['applied', 'applied']);
  });

  test('verdicts that were applied say that the row is right by now, and the doubt about it is gone', async () => {
    await leaveDoubts(world, { ...dataset, run_id: runId }, [doubted(5, 0.9), doubted(9, 0.8)]);
    await mend(5, 'best 5');
    const { body: before } = await by.look();
    await applied();

    const { body: after } = await by.look();

    expect([before.verdicts.mended, after.verdicts.mended, after.verdicts.right]).toEqual([1, 0, 1]);
    expect(after.grade?.score).toBeGreaterThan(before.grade?.score ?? 10);
    expect(after).toMatchObject({ version: 3, rows: expect.anything() });
    expect(after.rows.filter(({ doubt }) => doubt !== null).map(({ row }) => row)).toEqual([9]);
  });

  test('rows of which reviewers say different things, or that have changed since, stay as they are, and the report says so', async () => {
    const [four, five] = [await by.hashOf(4), await by.hashOf(5)];
    await by.say([{ row: 4, content_hash: four, verdict: 'mended', completion: 'best 4' }], 'ada');
    await by.say([{ row: 4, content_hash: four, verdict: 'right' }], 'ben');
    await by.say([{ row: 5, content_hash: five, verdict: 'mended', completion: 'best 5' }]);
    await mend(8, 'best 8');
    await adaptVersion(world, owner, dataset, (row) =>
      answered(row, row === 5 ? 'other 5' : row < 20 ? `better ${row}` : `answer ${row}`),
    );
    await applied();

    const { body } = await world.call(report, { ...as(), query: {} });

    expect(await Promise.all([4, 5, 8].map((row) => completionOf(row)))).toEqual([
      'better 4',
      'other 5',
      'best 8',
    ]);
    const codes = new Map(body.reported_rows.map(({ row, code }) => [row, code]));
    expect([codes.get(4), codes.get(5), codes.get(8)]).toEqual([
      'verdicts_disagree',
      'verdict_stale',
      undefined,
    ]);
  });

  test('an original that is put back is kept, and not changed', async () => {
    await mend(5, 'answer 5');
    await applied();

    expect(await rowOf(5)).toMatchObject({ outcome: 'kept', code: 'reviewed' });
  });

  test('a request with the same key starts nothing, and gets the first answer', async () => {
    await mend(5, 'best 5');
    const { body: first } = await applied({ idempotency_key: 'once' });

    const { status, body } = await by.apply({ idempotency_key: 'once' });
    const other = await by.apply({ idempotency_key: 'once', wrong: 'drop' });

    expect([status, body]).toEqual([202, first]);
    expect([other.status, other.problem.code]).toEqual([422, 'idempotency_mismatch']);
  });

  test('two requests at once start one review', async () => {
    await mend(5, 'best 5');

    const answers = await Promise.all([by.apply(), by.apply()]);

    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  });

  test.each([
    ['no verdict', async () => {}],
    ['right rows alone', () => say(5, 'right')],
    ['wrong rows that are kept', () => say(5, 'wrong')],
  ])('nothing is launched for %s, and the answer says what to do', async (_, prepare) => {
    await prepare();

    const { status, problem } = await by.apply();

    expect([status, problem.code]).toEqual([422, 'nothing_to_apply']);
    expect(problem.message).toMatch(/mend rows/i);
  });

  test('nothing is launched while an adaptation is active, nor for another team', async () => {
    await mend(5, 'best 5');
    const stranger = await by.apply({}, strangerTo(owner));
    await startRunOn(world, owner, await reload(world, dataset));

    const { status, problem } = await by.apply();

    expect([status, problem.code, stranger.status]).toEqual([409, 'dataset_running', 404]);
  });

  test('rows that were appended since are in the version as they came', async () => {
    await mend(5, 'best 5');
    await appendVersion(world, owner, dataset, [{ question: 'question 40', answer: 'answer 40' }]);
    await applied();

    expect(await completionOf(5)).toBe('best 5');
    expect(await rowOf(40)).toMatchObject({ outcome: 'not_selected', after: null });
    expect((await by.look()).body.version).toBe(4);
  });

  test('a version that a review made is deleted as one of an adaptation is', async () => {
    await mend(5, 'best 5');
    const { body } = await applied();
    await adaptVersion(world, owner, dataset, (row) => answered(row, `best ${row}`));

    const { status } = await world.call(deleteVersion, {
      as: owner,
      params: { dataset_id: dataset.dataset_id, version: '3' },
    });
    await world.use(eraseVersion)({ dataset_id: dataset.dataset_id, version: 3 });

    expect(status).toBe(200);
    const left: string[] = [];
    for await (const key of world.objects.list(objectKeys.run(body.run_id))) left.push(key);
    expect(left).toEqual([]);
  });

  test('verdicts and their texts are erased with the dataset', async () => {
    await mend(5, 'best 5');
    await say(6, 'right');
    await world.store.datasets.delete(owner, dataset.dataset_id, NOW);
    await world.use(eraseDataset)(dataset.dataset_id, NOW);

    expect(world.table.items().filter(({ pk }) => String(pk).startsWith('VERDICTS#'))).toEqual([]);
  });

  test('a review that fails delivers nothing, and the version before stays', async () => {
    await mend(5, 'best 5');
    const { body } = await by.apply();
    const context = { run_id: body.run_id, dataset_id: dataset.dataset_id, team_id: owner.team_id };
    await world.use(endReview)(context, { code: 'run_interrupted', message: 'm', level: 'error' }, NOW);

    expect(await completionOf(5)).toBe('better 5');
    expect(await world.use(endReview)(context, null, NOW)).toMatchObject({ status: 'failed' });
    await expect(
      world.use(applyVerdicts)(context, { deadlineMs: Date.now() + 900_000, now: NOW }),
    ).rejects.toMatchObject({ code: 'run_interrupted' });
    const again = await applied();
    expect([again.status, await completionOf(5)]).toEqual([202, 'best 5']);
  });
});

describe('of a dataset that was never adapted', () => {
  beforeEach(async () => {
    dataset = await ingestVersion(world, owner, ROWS, RAW);
    by = reviewer(world, owner, dataset);
  });

  test('the next version has the mended texts, and the others as they came', async () => {
    await mend(5, 'best 5');
    await applied();

    expect(await rowOf(5)).toMatchObject({ outcome: 'changed', edit: { kind: 'reviewed' } });
    expect(await rowOf(6)).toMatchObject({ outcome: 'kept', code: 'unchanged' });
    expect([await completionOf(5), await completionOf(6)]).toEqual(['best 5', 'answer 6']);
    expect((await by.look()).body).toMatchObject({ version: 2, verdicts: { right: 1, mended: 0 } });
  });

  test('a review that is cancelled leaves the rows as they came', async () => {
    await mend(5, 'best 5');
    const { body } = await by.apply();
    const context = { run_id: body.run_id, dataset_id: dataset.dataset_id, team_id: owner.team_id };
    await world.use(endReview)(context, { code: 'run_cancelled', message: 'm', level: 'error' }, NOW);

    expect((await by.look()).body).toMatchObject({ run_id: null, version: 1, verdicts: { mended: 1 } });
  });
});

test('a review of an earlier download keeps the reasoning of rows as they came, and leaves out that of a mended one', async () => {
  const lines = Array.from({ length: ROWS }, (_, row) => `question ${row},answer ${row},since ${row}\n`);
  const header = 'enhanced_prompt,enhanced_completion,reasoning_trace\n';
  dataset = await createFromFile(world, owner, `${header}${lines.join('')}`, {
    processing_mode: 'raw',
    raw_column_mapping: { prompt: 'enhanced_prompt', completion: 'enhanced_completion' },
  });
  by = reviewer(world, owner, dataset);
  await mend(5, 'best 5');
  await applied();

  const traceOf = async (row: number) =>
    (await rowOf(row)).after?.find(({ column }) => column === 'reasoning_trace');
  expect(await traceOf(6)).toMatchObject({ text: 'since 6' });
  expect(await traceOf(5)).not.toMatchObject({ text: expect.anything() });
});

test('rows that a failed adaptation has not finished come as they came, and those that it has keep their verdicts', async () => {
  dataset = await ingestVersion(world, owner, ROWS);
  await adaptVersion(world, owner, dataset, (row) => (row < 20 ? answered(row, `better ${row}`) : null), {
    status: 'failed',
  });
  by = reviewer(world, owner, dataset);
  await mend(5, 'best 5');
  await applied();

  expect(await Promise.all([5, 6].map((row) => completionOf(row)))).toEqual(['best 5', 'better 6']);
  expect(await rowOf(25)).toMatchObject({ outcome: 'failed', after: null });
});

test('a review that is interrupted leaves the rows that a failed adaptation had finished, and bills and reports nothing', async () => {
  dataset = await ingestVersion(world, owner, ROWS);
  const { run } = await adaptVersion(
    world,
    owner,
    dataset,
    (row) => (row < 20 ? answered(row, `better ${row}`) : null),
    { status: 'failed' },
  );
  by = reviewer(world, owner, dataset);
  await mend(5, 'best 5');
  const { body } = await by.apply();
  const context = { run_id: body.run_id, dataset_id: dataset.dataset_id, team_id: owner.team_id };
  await world.use(applyVerdicts)(context, { deadlineMs: Date.now(), now: NOW });
  await world.objects.remove([objectKeys.report(body.run_id)]);

  await world.use(endInterruptedRun)({
    name: body.run_id,
    status: 'FAILED',
    input: JSON.stringify(context),
    now: NOW,
  });

  expect(await world.store.runs.find(dataset.dataset_id, body.run_id)).toMatchObject({
    status: 'failed',
    counts: null,
    settled_credits: 0,
  });
  expect(await world.objects.head(objectKeys.report(body.run_id))).toBeNull();
  expect((await by.look()).body).toMatchObject({ run_id: run.run_id, verdicts: { mended: 1 } });
});

test('a review goes on where an invocation has ended, and writes every batch once', async () => {
  dataset = await ingestVersion(world, owner, 2500, RAW);
  by = reviewer(world, owner, dataset);
  const { rows } = (await by.look()).body;
  await by.say(
    rows.map(({ row, content_hash }) => ({
      row,
      content_hash,
      verdict: 'mended' as const,
      completion: `best ${row}`,
    })),
  );
  const { body } = await by.apply();
  const context = { run_id: body.run_id, dataset_id: dataset.dataset_id, team_id: owner.team_id };
  const written: string[] = [];
  const { write } = world.objects;
  world.objects.write = async (key, ...rest) => {
    if (key.includes('/results/')) written.push(key);
    await write.call(world.objects, key, ...rest);
  };

  const statuses: string[] = [];
  for (let invocation = 0; invocation < 10 && statuses.at(-1) !== 'finished'; invocation += 1) {
    // No time is left but for one batch.
    const deadlineMs = statuses.length < 4 ? Date.now() : Date.now() + 900_000;
    statuses.push((await world.use(applyVerdicts)(context, { deadlineMs, now: NOW })).status);
  }
  await world.use(endReview)(context, null, NOW);

  expect(statuses.length).toBeGreaterThan(2);
  expect(new Set(written).size).toBe(written.length);
  expect((await by.look()).body.verdicts).toMatchObject({ right: rows.length, mended: 0, stale: 0 });
});
