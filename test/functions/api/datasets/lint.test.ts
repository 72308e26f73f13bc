import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/lint.ts';
import { lintDataset } from '#shared/answers/lint-dataset.ts';
import { loadCodeCheck } from '#shared/answers/wire.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { writeRows } from '#test/helpers/active-run.ts';
import { seedRows } from '#test/helpers/combining.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const column_mapping = { prompt: 'question', completion: 'answer' };
type Row = readonly [question: string, answer: string];

async function seed(rows: readonly Row[], fields: Partial<DatasetRecord> = {}): Promise<DatasetRecord> {
  const dataset = await seedDataset(world.store, owner, { row_count: rows.length, ...fields });
  const lines = rows.map(([question, answer]) => JSON.stringify({ question, answer }));
  await writeRows(world, dataset.dataset_id, lines, 4);
  return dataset;
}

const lint = ({ dataset_id }: DatasetRecord, body: object = { column_mapping }) =>
  world.call(handler, { as: owner, params: { dataset_id }, body });

const good = (n: number): Row => [`What is thing number ${n}?`, `It is the ${n}th thing of all things.`];
const BAD: readonly Row[] = [
  ['Why?', ''],
  ['What is 6 * 7?', '41'],
  ['Who?', 'Ask ann@mail.acme.de.'],
  ['Print one', '```python\nprint(1\n```'],
  ['What is thing number 0?', 'It has another answer.'],
];

test('rows with the same system prompt and other contexts repeat nothing, nor do rows with other system prompts', async () => {
  const long = Array.from({ length: 150 }, (_, n) => `rule${n} says what to do in case${n}`).join(', ');
  const context = (n: number) => `Thing ${n} is made by ${n} people in the town of Place${n}.`;
  const rows = [0, 1, 2, 3].map((n) => ({
    instruction: 'Sum it up in one sentence.',
    input: context(n),
    output: '',
    system: long,
  }));
  const others = [1, 2].map((n) => ({ ...rows[0], system: `You are pirate ${n}. ${long}` }));
  const lines = [...rows, ...others, rows[0]].map((row) => JSON.stringify(row));
  const types = { instruction: 'VARCHAR', input: 'VARCHAR', output: 'VARCHAR', system: 'VARCHAR' };
  const dataset = await seedRows(world, owner, types, lines);
  const mapping = { prompt: 'instruction', completion: 'output', context: ['input'] };

  const { body } = await lint(dataset, { column_mapping: mapping, checks: ['near_duplicate'] });

  expect(body.findings).toMatchObject([{ row: 6, similar_to_row: 0 }]);
});

test('every finding is listed with its row, and counted, and nothing is changed', async () => {
  const dataset = await seed([good(0), ...BAD, good(1)]);
  const before = [world.objects.keys(), await world.store.datasets.find(dataset.dataset_id)];

  const { status, body } = await lint(dataset);

  expect(status).toBe(200);
  expect(body).toMatchObject({
    dataset_id: dataset.dataset_id,
    row_count: 7,
    first_row: 0,
    checked_rows: 7,
    next_row: null,
    omitted_findings: 0,
    counts: {
      completion_empty: 1,
      completion_degenerate: 0,
      arithmetic_wrong: 1,
      personal_data: 1,
      code_unparsable: 1,
      near_duplicate: 1,
    },
  });
  expect(body.findings.map(({ row, check }) => [row, check])).toEqual([
    [1, 'completion_empty'],
    [2, 'arithmetic_wrong'],
    [3, 'personal_data'],
    [4, 'code_unparsable'],
    [5, 'near_duplicate'],
  ]);
  expect(body.findings[4]?.similar_to_row).toBe(0);
  expect([world.objects.keys(), await world.store.datasets.find(dataset.dataset_id)]).toEqual(before);
  expect(world.executions.started.size).toBe(0);
});

test('only the checks that are asked for are made', async () => {
  const dataset = await seed(BAD);

  const { body } = await lint(dataset, { column_mapping, checks: ['personal_data'] });

  expect(body.counts).toEqual({ personal_data: 1 });
  expect(body.findings.map(({ row }) => row)).toEqual([2]);
});

test('the next call goes on where the last one ended, by rows or by time', async () => {
  const dataset = await seed(Array.from({ length: 11 }, (_, n) => good(n)));
  const first = (await lint(dataset, { column_mapping, max_rows: 6 })).body;
  expect([first.checked_rows, first.next_row]).toEqual([6, 6]);
  const second = (await lint(dataset, { column_mapping, first_row: 6 })).body;
  expect([second.first_row, second.checked_rows, second.next_row]).toEqual([6, 5, null]);

  let now = 0;
  const clock = { now: () => now++ };
  const report = await lintDataset(
    { objects: world.objects, clock, milliseconds: 5, loadCodeCheck },
    (await world.store.datasets.find(dataset.dataset_id)) as DatasetRecord,
    { column_mapping },
  );
  expect(report.checked_rows).toBeGreaterThan(0);
  expect(report.next_row).toBe(report.checked_rows);
});

test('the parsers of code are loaded once, by the first row with a block of code, which is checked', async () => {
  const bad: Row = ['Print one', 'Here:\n\n```python\nprint(1\n```'];
  const loads: string[] = [];
  const find = async (rows: readonly Row[], checks?: 'personal_data'[]) => {
    const { findings } = await lintDataset(
      {
        objects: world.objects,
        clock: { now: () => 0 },
        milliseconds: 5,
        loadCodeCheck: () => {
          loads.push('loaded');
          return loadCodeCheck();
        },
      },
      await seed(rows),
      { column_mapping, ...(checks === undefined ? {} : { checks }) },
    );
    return findings.map(({ row, check }) => [row, check]);
  };

  expect(await find([good(0), good(1)])).toEqual([]);
  expect(await find([good(0), bad], ['personal_data'])).toEqual([]);
  expect(loads).toEqual([]);
  expect(await find([good(0), bad, good(1), ['Print two', bad[1].replace('1', '2')]])).toEqual([
    [1, 'code_unparsable'],
    [3, 'code_unparsable'],
  ]);
  expect(loads).toEqual(['loaded']);
});

test('no more than a thousand findings are listed, and all are counted', async () => {
  const dataset = await seed(Array.from({ length: 1003 }, (_, n): Row => [`Why is it ${n}?`, '']));

  const { body } = await lint(dataset, { column_mapping, checks: ['completion_empty'] });

  expect([body.findings.length, body.omitted_findings]).toEqual([1000, 3]);
  expect(body.counts).toEqual({ completion_empty: 1003 });
});

test('without a mapping, the rows are read as the dataset was mapped before', async () => {
  const configured = { prompt: 'question', chosen: 'answer', rejected: 'note', context: [] };
  const dataset = await seed(BAD, { configured_column_mapping: configured });

  const { body } = await lint(dataset, { checks: ['completion_empty'] });

  expect(body.counts).toEqual({ completion_empty: 1 });
});

test.each<[string, object, string, string]>([
  ['without a mapping', {}, 'invalid_request', 'column_mapping'],
  [
    'with a column that is not there',
    { column_mapping: { prompt: 'nowhere' } },
    'column_unknown',
    'column_mapping.prompt',
  ],
  ['from beyond the last row', { column_mapping, first_row: 6 }, 'invalid_request', 'first_row'],
  ['for an unknown check', { column_mapping, checks: ['taste'] }, 'invalid_request', 'checks[0]'],
  ['for no check', { column_mapping, checks: [] }, 'invalid_request', 'checks'],
  [
    'for contamination by nothing',
    { column_mapping, checks: ['contaminated'] },
    'invalid_request',
    'benchmarks',
  ],
  [
    'with a schema that has regular expressions',
    { column_mapping, answer_schema: { type: 'string', pattern: 'a*' } },
    'invalid_request',
    'answer_schema.pattern',
  ],
  [
    'for completions that are not mapped',
    { column_mapping: { prompt: 'question' }, checks: ['completion_empty'] },
    'invalid_request',
    'checks',
  ],
])('a request is refused: %s', async (_, body, code, path) => {
  const { status, problem } = await lint(await seed(BAD), body);

  expect([status, problem.code, problem.details[0]?.path]).toEqual([400, code, path]);
});

test('a request is refused before there are rows', async () => {
  const dataset = await seed(BAD, { manifest_key: null, row_count: null });

  expect((await lint(dataset)).problem.code).toBe('no_data_yet');
});

test('a team reads through rows as often in an hour as its plan says, and a request that is refused is not counted', async () => {
  const dataset = await seed(BAD);
  const caller = { ...owner, plan: { ...owner.plan, scans_per_hour: 1 } };
  const { rateLimiter } = world.store;
  const ask = (body: object) =>
    world.call(handler, { as: caller, params: { dataset_id: dataset.dataset_id }, body }, { rateLimiter });
  expect((await ask({ unknown: 1 })).status).toBe(400);
  expect((await ask({ column_mapping })).status).toBe(200);

  const { problem } = await ask({ column_mapping });

  expect(problem).toMatchObject({ statusCode: 429, code: 'rate_limited' });
  expect(problem.message).toContain('1 requests that read through rows an hour (scans_per_hour)');
});

test('calls of tools that the tools of their rows do not take are found in conversations', async () => {
  const call = (given: string) => [
    { role: 'user', content: 'Warm?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'weather', arguments: given } }],
    },
  ];
  const tools = [{ name: 'weather', parameters: { type: 'object', required: ['city'] } }];
  const row = (given: string) => JSON.stringify({ messages: call(given), tools });
  const dataset = await seedRows(world, owner, { messages: 'JSON', tools: 'JSON' }, [
    row('{"city":"Bonn"}'),
    row('{}'),
    row('{"city"'),
  ]);

  const { body } = await lint(dataset, { column_mapping: { chat: 'messages' } });

  expect(body.counts.call_invalid).toBe(2);
  expect(body.findings.map(({ row: at, check }) => [at, check])).toEqual([
    [1, 'call_invalid'],
    [2, 'call_invalid'],
  ]);
  const { problem } = await lint(dataset, {
    column_mapping: { prompt: 'messages' },
    checks: ['call_invalid'],
  });
  expect(problem.message).toContain('map chat');
});
