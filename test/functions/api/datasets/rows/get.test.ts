import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/rows/get.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import {
  type ActiveRun,
  adaptRows,
  answerOf,
  questionOf,
  resultOf,
  startRun,
} from '#test/helpers/active-run.ts';
import { makeCaller } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let active: ActiveRun;

beforeEach(() => {
  world = createWorld();
});

const get = (row: string, query: Record<string, string> = {}, as = active.caller) =>
  world.call(handler, { as, params: { dataset_id: active.dataset.dataset_id, row }, query });

test('a row is complete: long cells, reasoning trace, safety findings, both answers of a pair', async () => {
  const request = {
    training_type: 'preference_pairs' as const,
    recipe_specification: { recipes: { reasoning_traces: true } },
  };
  const long = `${'🦊 long '.repeat(5000)}end`;
  const cells = {
    enhanced_prompt: 'a better question',
    enhanced_completion: long,
    reasoning_trace: 'step by step',
    chosen: long,
    rejected: 'bad',
    prompt_safety_issues: '{"hate":0}',
  };
  active = await adaptRows(world, { rows: 30, request }, (row) => ({ ...resultOf(row), cells }));

  const { body } = await get('17');

  expect(body).toMatchObject({ run_id: active.run.run_id, status: 'succeeded', total: 30, url: null });
  expect(body.row).toMatchObject({ row: 17, outcome: 'changed' });
  expect(body.row.before.map(({ text }) => text)).toEqual([questionOf(17), answerOf(17), '17']);
  expect(Object.fromEntries((body.row.after ?? []).map(({ column, text }) => [column, text]))).toEqual(cells);
  expect(body.row.after?.every(({ truncated }) => !truncated)).toBe(true);
  expect(body.columns.filter(({ side }) => side === 'after').map(({ role }) => role)).toEqual([
    'prompt',
    'completion',
    'reasoning_trace',
    'chosen',
    'rejected',
    'safety',
    'safety',
  ]);
});

test.each([0, 1, 2, 49])('a row is found among rows that are longer than others (%i)', async (row) => {
  const answer = (n: number) => `${n} `.repeat(n % 7 === 1 ? 40_000 : 5);
  active = await adaptRows(
    world,
    { rows: 50, line: (n) => JSON.stringify({ question: questionOf(n), answer: answer(n), note: n }) },
    (n) => ({ ...resultOf(n), cells: { enhanced_prompt: 'p', enhanced_completion: answer(n) } }),
  );

  const { body } = await get(String(row));

  expect(body.row.before[1]?.text).toBe(answer(row));
  expect(body.row.after?.[1]?.text).toBe(answer(row));
});

test('too long for an answer is cut there, and given by a link that works for fifteen minutes', async () => {
  const answer = '"\u0001 long'.repeat(200_000);
  active = await adaptRows(
    world,
    { rows: 3, line: (n) => JSON.stringify({ question: questionOf(n), answer, note: n }) },
    (row) => ({ ...resultOf(row), cells: { enhanced_prompt: 'p', enhanced_completion: `${answer}!` } }),
  );

  const { body, text } = await get('2');

  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(body.row.before[1]).toEqual({ column: 'answer', text: answer.slice(0, 800), truncated: true });
  const url = new URL(body.url ?? '');
  expect(url.searchParams.get('expires')).toBe('900');
  const complete = JSON.parse(world.objects.text(url.pathname.slice(1)));
  expect(complete.before[1]).toEqual({ column: 'answer', text: answer });
  expect(complete.after[1]).toEqual({ column: 'enhanced_completion', text: `${answer}!` });
});

test('a row whose index has to be built again is a 409 that says when to come back', async () => {
  active = await adaptRows(world, { rows: 3 }, (row) => resultOf(row));
  expect((await get('1')).status).toBe(200);
  await world.objects.remove([objectKeys.indexedRows(active.dataset.dataset_id, active.run.run_id)]);

  const { status, headers, problem } = await get('1');

  expect([status, problem.code]).toEqual([409, 'rows_pending']);
  expect(headers).toMatchObject({ 'retry-after': '10', 'x-should-retry': 'true' });
  expect((await get('1')).body.row.row).toBe(1);
});

test('a row has all of many columns, of which a page shows a hundred', async () => {
  const names = Array.from({ length: 300 }, (_, n) => `column ${n}`);
  const cells = Object.fromEntries(names.map((name, n) => [name, `cell ${n}`]));
  active = await startRun(world, { rows: 2, line: () => JSON.stringify(cells) });
  const key = objectKeys.manifest(active.dataset.dataset_id);
  const columns = names.map((name) => ({ name, type: 'VARCHAR' }));
  await world.objects.write(
    key,
    JSON.stringify({ ...JSON.parse(world.objects.text(key)), columns }),
    'application/json',
  );

  const { body } = await get('1');

  expect(body).toMatchObject({ columns_total: 300, url: null });
  expect(body.columns).toHaveLength(100);
  expect(Object.fromEntries(body.row.before.map(({ column, text }) => [column, text]))).toEqual(cells);
});

test('a row that the dataset does not have is a 404 that says which there are', async () => {
  active = await startRun(world, { rows: 4 });

  const { problem } = await get('4');

  expect(problem).toMatchObject({ statusCode: 404, code: 'row_not_found' });
  expect(problem.message).toContain('0 to 3');
});

test.each(['-1', 'x', '1.5', '9999999999'])('a row is a number: %j is a 400', async (row) => {
  active = await startRun(world, { rows: 1 });

  expect((await get(row)).problem.details[0]?.path).toBe('path.row');
});

test('a row is another team’s never', async () => {
  active = await startRun(world, { rows: 1 });

  expect((await get('0', {}, makeCaller())).problem).toMatchObject({
    statusCode: 404,
    code: 'dataset_not_found',
  });
});
