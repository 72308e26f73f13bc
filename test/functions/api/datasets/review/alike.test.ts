import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/review/alike.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { doubted, leaveDoubts, reviewer } from '#test/helpers/reviewing.ts';
import { adaptVersion, answered, ingestVersion } from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const ROWS = 40;

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let runId: string;
let by: ReturnType<typeof reviewer>;

/** Each fifth answer begins with what nobody wants to read; the others are labels. */
const answerOf = (row: number): string =>
  row % 5 === 0 ? `As an AI language model, I say ${row}.` : row % 5 === 1 ? 'refund' : `label ${row}`;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, ROWS);
  const { run } = await adaptVersion(world, owner, dataset, (row) => answered(row, answerOf(row)));
  runId = run.run_id;
  by = reviewer(world, owner, dataset);
});

const alike = (row: number, query: Record<string, string> = {}, as = owner) =>
  world.call(handler, { as, params: { dataset_id: dataset.dataset_id, row: String(row) }, query });
const mend = async (row: number, completion: string) =>
  by.say([{ row, content_hash: await by.hashOf(row), verdict: 'mended', completion }]);

test('a mended row offers the rows in which the removed text occurs, with what the same edit makes of them', async () => {
  await mend(5, 'I say 5.');

  const { body } = await alike(5);

  expect(body.is_complete).toBe(true);
  expect(body.rows.map(({ row }) => row)).toEqual([0, 10, 15, 20, 25, 30, 35]);
  expect(body.rows[1]).toEqual({
    row: 10,
    content_hash: await by.hashOf(10),
    prompt: 'question 10',
    completion: 'As an AI language model, I say 10.',
    proposal: 'I say 10.',
    why: 'same_text',
  });
});

test('what is offered is accepted by sending it as verdicts, and is not offered again', async () => {
  await mend(5, 'I say 5.');
  const { body } = await alike(5);
  const accepted = body.rows.slice(0, 3).map(({ row, content_hash, proposal }) => ({
    row,
    content_hash,
    verdict: 'mended' as const,
    completion: proposal,
  }));

  const { body: recorded } = await by.say(accepted);

  expect(recorded).toMatchObject({ recorded: 3, stale: [], verdicts: { mended: 4 } });
  expect((await alike(5)).body.rows.map(({ row }) => row)).toEqual([20, 25, 30, 35]);
});

test('the text of a query counts before any verdict, and labels are exchanged where a witness doubts them first', async () => {
  await leaveDoubts(world, { ...dataset, run_id: runId }, [
    doubted(21, 0.9, 'billing'),
    doubted(6, 0.5, 'delivery'),
  ]);

  const { body } = await alike(1, { completion: 'billing' });

  expect(body.rows.map(({ row, proposal, why }) => [row, proposal, why])).toEqual([
    [21, 'billing', 'same_label'],
    ...[6, 11, 16, 26, 31, 36].map((row) => [row, 'billing', 'same_label']),
  ]);
});

test('rows of which the same witness says the same are offered with its proposals', async () => {
  await leaveDoubts(world, { ...dataset, run_id: runId }, [
    doubted(2, 0.9, 'x'),
    doubted(3, 0.8, 'y'),
    doubted(4, 0.8),
  ]);

  const { body } = await alike(2, { completion: 'x' });

  expect(body.rows).toEqual([expect.objectContaining({ row: 3, proposal: 'y', why: 'same_doubt' })]);
});

test('rows that somebody has called right are not offered', async () => {
  await by.say([{ row: 10, content_hash: await by.hashOf(10), verdict: 'right' }]);
  await mend(5, 'I say 5.');

  expect((await alike(5)).body.rows.map(({ row }) => row)).not.toContain(10);
});

test('a row that was not mended, one that does not exist, and those of another team are refused', async () => {
  const unmended = await alike(5);
  const beyond = await alike(ROWS, { completion: 'x' });
  const { status } = await alike(5, { completion: 'x' }, strangerTo(owner));

  expect([unmended.status, unmended.problem.details[0]?.path]).toEqual([400, 'query.completion']);
  expect([beyond.status, beyond.problem.code]).toEqual([404, 'row_not_found']);
  expect(status).toBe(404);
});

test('rows alike to a text that the row already has are a 400, as nothing says what was wrong', async () => {
  const { status, problem } = await alike(5, { completion: 'As an AI language model, I say 5.' });

  expect(status).toBe(400);
  expect(problem).toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('already has'),
  });
});
