import { beforeEach, describe, expect, test } from 'vitest';
import { handler as listRows } from '#functions/api/datasets/rows/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { listRows as contract } from '#shared/exports/contracts.ts';
import { type FindRowDoubtsPorts, findRowDoubts } from '#shared/exports/find-row-doubts.ts';
import type { RowsQuery } from '#shared/exports/schema/rows.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { createFromFile } from '#test/helpers/ingesting.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { reviewer, runReview } from '#test/helpers/reviewing.ts';
import { appendVersion, reload } from '#test/helpers/versions.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

const LOOK = 'tasks/exports/look-at-rows';
const ROWS = 30;
const [FALSE_SUM, CUT_OFF, EMPTY] = [4, 11, 20];

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let by: ReturnType<typeof reviewer>;
let failed: string[];

const answerOf = (row: number): string => {
  if (row === FALSE_SUM) return 'They sold 12 + 30 = 45 lamps in the two weeks together.';
  if (row === CUT_OFF) return 'The merchant took the lamps to the market, and then he went to the';
  if (row === EMPTY) return '';
  return `The merchant sold ${row + 3} lamps at the market of the town in that week.`;
};
const line = (row: number): string =>
  `"How many lamps did merchant ${row} sell in that week?","${answerOf(row)}"\n`;
const upload = (fields: Partial<DatasetRecord> = {}): Promise<DatasetRecord> =>
  createFromFile(
    world,
    owner,
    `question,answer\n${Array.from({ length: ROWS }, (_, row) => line(row)).join('')}`,
    { processing_mode: 'raw', raw_column_mapping: { prompt: 'question', completion: 'answer' }, ...fields },
  );

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await upload();
  by = reviewer(world, owner, dataset);
  failed = [];
});

const looks = (): unknown[] =>
  world.invoked.filter(({ functionId }) => functionId === LOOK).map(({ payload }) => payload);

/** Does what the function does that was last set off. */
function look(ports: Partial<FindRowDoubtsPorts> = {}): Promise<{ doubted: number }> {
  const of = looks().at(-1);
  if (of === undefined) throw new Error('Nobody was asked to look at rows.');
  return findRowDoubts(
    {
      datasets: world.store.datasets,
      runs: world.store.runs,
      objects: world.objects,
      claims: world.store.claims,
      loadDetector: async () => () => null,
      embedder: null,
      callsMax: 1,
      clock: createVirtualClock(),
      random: Math.random,
      runCode: async () => {
        throw new Error('No row has code.');
      },
      onFailure: (witness) => failed.push(witness),
      ...ports,
    },
    of as Parameters<typeof findRowDoubts>[1],
  );
}

const page = (query: Record<string, string> = {}, of: DatasetRecord = dataset) =>
  world.call(listRows, { as: owner, params: { dataset_id: of.dataset_id }, query });

test('the first review of rows that no run has adapted has them looked at once, and says so meanwhile', async () => {
  const [first, second] = [await by.look(), await by.look()];

  expect(looks()).toEqual([{ dataset_id: dataset.dataset_id, team_id: owner.team_id }]);
  for (const { body } of [first, second]) {
    expect(body.looked_at).toEqual({
      status: 'looking',
      ...{ program: 0, execution: 0, neighbours: 0 },
      not_looked_at: ROWS,
      not_listed: 0,
      silent: [],
    });
    expect(body.rows.every(({ doubt }) => doubt === null)).toBe(true);
  }
});

test('what witnesses without a model see in them comes first, in their words, and the others were looked at', async () => {
  await by.look();
  await look();

  const { body } = await by.look();

  expect(body.looked_at).toEqual({
    status: 'done',
    ...{ program: ROWS, execution: 0, neighbours: 0 },
    not_looked_at: 0,
    not_listed: 0,
    silent: [{ witness: 'neighbours', code: 'no_embedding_model', message: expect.any(String) }],
  });
  const doubtful = body.rows.filter(({ drawn_as }) => drawn_as === 'doubtful');
  expect(doubtful[0]).toMatchObject({
    row: EMPTY,
    doubt: { reasons: [{ witness: 'program', kind: 'empty' }] },
  });
  expect(doubtful.map(({ row }) => row).toSorted((a, b) => a - b)).toEqual([FALSE_SUM, CUT_OFF, EMPTY]);
  expect(doubtful.find(({ row }) => row === FALSE_SUM)?.doubt).toMatchObject({
    probability: expect.any(Number),
    reasons: [{ witness: 'program', kind: 'doubtful', message: expect.stringContaining('12 + 30') }],
  });
  expect(looks()).toHaveLength(1);
  expect(failed).toEqual([]);
});

test('calls that the tools of their row do not take are seen, also where a conversation ends with one', async () => {
  const tools = [
    {
      type: 'function',
      function: { name: 'count', parameters: { type: 'object', properties: {}, required: ['of'] } },
    },
  ];
  const chatOf = (row: number) => [
    { role: 'user', content: `How many lamps did merchant ${row} sell?` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'count', arguments: row === 3 ? '{}' : '{"of":"lamps"}' },
        },
      ],
    },
  ];
  const cell = (value: unknown): string => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const text = Array.from({ length: 6 }, (_, row) => `${cell(chatOf(row))},${cell(tools)}\n`).join('');
  const calls = await createFromFile(world, owner, `chat,tools\n${text}`, {
    processing_mode: 'raw',
    raw_column_mapping: { chat: 'chat' },
  });
  const byOther = reviewer(world, owner, calls);
  await byOther.look();
  await look();

  const { body } = await byOther.look();

  expect(body.looked_at).toMatchObject({ status: 'done', program: 6, not_looked_at: 0 });
  expect(body.rows.filter(({ doubt }) => doubt !== null)).toMatchObject([
    { row: 3, doubt: { reasons: [{ witness: 'program', kind: 'call_invalid' }] } },
  ]);
});

test('pages of rows show the doubts, count who looked, and are filtered by them', async () => {
  const { body: before } = await page();
  await by.look();
  const { body: meanwhile } = await page();
  await look();

  const { body } = await page({ doubted: 'true' });

  expect([before.looked_at.status, meanwhile.looked_at.status, body.looked_at.status]).toEqual([
    'none',
    'looking',
    'done',
  ]);
  expect(body.rows.map(({ row }) => row)).toEqual([FALSE_SUM, CUT_OFF, EMPTY]);
  expect(body.rows.every(({ doubt }) => doubt !== null)).toBe(true);
  expect((await page({ doubted: 'false' })).body.matching).toBe(ROWS - 3);
});

test('a request for doubted rows has them looked at, and one for any rows does not', async () => {
  await page();
  expect(looks()).toEqual([]);

  const { body } = await page({ doubted: 'true' });

  expect(looks()).toHaveLength(1);
  expect(body).toMatchObject({ rows: [], looked_at: { status: 'looking' } });
});

/** A value of each parameter of a page of rows. */
const PARAMETERS: Readonly<Record<keyof RowsQuery, string>> = {
  run_id: 'unknown',
  version: '1',
  offset: '1',
  limit: '2',
  outcome: 'kept',
  code: 'known',
  language: 'en',
  length_change: 'longer',
  scored: 'false',
  doubted: 'true',
  search: 'lamps',
  first_row: '1',
};

test('each parameter that has rows looked at is counted against the plan, and no other has them looked at', async () => {
  for (const [name, value] of Object.entries(PARAMETERS)) {
    const before = looks().length;
    await page({ [name]: value });
    const isLookedAt = looks().length > before;

    expect([name, isLookedAt && !contract.counts?.given?.includes(name)]).toEqual([name, false]);
  }
  expect(looks()).toHaveLength(1);
});

test('a team asks for doubted rows as often in an hour as its plan lets it read through rows', async () => {
  const as = { ...owner, plan: { ...owner.plan, scans_per_hour: 1 } };
  const { rateLimiter } = world.store;
  const ask = (query: Record<string, string>) =>
    world.call(listRows, { as, params: { dataset_id: dataset.dataset_id }, query }, { rateLimiter });

  const statuses: number[] = [];
  for (const query of [{}, { doubted: 'true' }, { doubted: 'false' }, { search: 'lamps' }, {}]) {
    statuses.push((await ask(query as Record<string, string>)).status);
  }

  expect(statuses).toEqual([200, 200, 429, 429, 200]);
});

test.each([
  ['whose columns are not known', null],
  ['with pairs', { prompt: 'question', chosen: 'answer', rejected: 'answer' }],
])('nobody is asked to look at rows %s, and none says that they look', async (_, raw_column_mapping) => {
  const unread = await upload({ raw_column_mapping });

  for (const doubted of ['true', 'false']) {
    expect((await page({ doubted }, unread)).body.looked_at).toMatchObject({ status: 'none' });
  }

  expect(looks()).toEqual([]);
  world.invoked.push({
    functionId: LOOK,
    payload: { dataset_id: unread.dataset_id, team_id: owner.team_id },
  });
  expect(await look()).toEqual({ doubted: 0 });
});

test('a look that fails is told, and begins again after five minutes', async () => {
  await by.look();
  await look({
    loadDetector: async () => {
      throw new Error('It does not load.');
    },
    clock: { ...createVirtualClock(), now: () => Date.now() },
  });

  const { body } = await by.look();

  expect(failed).toEqual(['all']);
  expect(body.looked_at).toMatchObject({ status: 'failed', not_looked_at: ROWS });
  expect(looks()).toHaveLength(1);
  const key = objectKeys.rowDoubts(dataset.dataset_id, 'source');
  const stored = JSON.parse(world.objects.text(key));
  await world.objects.write(
    key,
    JSON.stringify({ ...stored, ended_ms: stored.ended_ms - 301_000 }),
    'application/json',
  );
  expect((await by.look()).body.looked_at.status).toBe('looking');
  expect(looks()).toHaveLength(2);
});

test('what was seen by another mapping counts for nothing, and rows are looked at again', async () => {
  await by.look();
  await look();
  const key = objectKeys.rowDoubts(dataset.dataset_id, 'source');
  const stored = JSON.parse(world.objects.text(key));
  await world.objects.write(
    key,
    JSON.stringify({ ...stored, mapping: stored.mapping.replace('answer', 'note') }),
    'application/json',
  );

  const { body } = await by.look();

  expect(body.looked_at.status).toBe('looking');
  expect(body.rows.every(({ doubt }) => doubt === null)).toBe(true);
  expect(looks()).toHaveLength(2);
});

test('rows in a form that is known are reviewed without a mapping', async () => {
  const text = Array.from({ length: 20 }, (_, row) => `Say ${row}.,They are ${row} + 1 = ${row}.\n`).join('');
  const known = await createFromFile(world, owner, `prompt,completion\n${text}`, {});
  const review = reviewer(world, owner, known);
  await review.look();
  await look();

  const { body } = await review.look();

  expect(body.looked_at).toMatchObject({ status: 'done', program: 20 });
  expect(body.rows[0]).toMatchObject({ completion: expect.stringContaining('They are') });
});

test('rows that were appended are looked at with the others', async () => {
  await by.look();
  await look();
  const appended = {
    question: 'How many lamps are 7 and 8?',
    answer: 'They are 7 + 8 = 16 lamps in that week.',
  };
  await appendVersion(world, owner, dataset, [appended]);
  await by.look();

  expect(looks().at(-1)).toMatchObject({ run_id: expect.any(String) });
  await look();

  const { body } = await by.look();
  expect(body.looked_at).toMatchObject({ status: 'done', program: ROWS + 1 });
  expect(body.rows.filter(({ drawn_as }) => drawn_as === 'doubtful').map(({ row }) => row)).toContain(ROWS);
});

test('applied verdicts leave what is said of the other rows', async () => {
  await by.look();
  await look();
  const { body } = await by.look();
  const wrong = body.rows.find(({ row }) => row === FALSE_SUM);
  const [right] = body.rows.filter(({ row }) => row === CUT_OFF);
  await by.say([
    {
      row: FALSE_SUM,
      content_hash: wrong?.content_hash,
      verdict: 'mended',
      completion: 'They sold 12 + 30 = 42 lamps in the two weeks together.',
    },
    { row: CUT_OFF, content_hash: right?.content_hash, verdict: 'right' },
  ]);
  const { body: applied } = await by.apply();
  await runReview(world, dataset.dataset_id, applied.run_id);
  dataset = await reload(world, dataset);

  const { body: after } = await by.look();

  expect(after).toMatchObject({ version: 2, looked_at: { status: 'done', program: ROWS } });
  expect(after.rows.filter(({ doubt }) => doubt !== null).map(({ row }) => row)).toEqual([EMPTY]);
  expect((await page({ doubted: 'true' })).body.rows.map(({ row }) => row)).toEqual([EMPTY]);
});

describe('nothing is left', () => {
  test('of a dataset that is deleted meanwhile', async () => {
    await by.look();
    const key = objectKeys.rowDoubts(dataset.dataset_id, 'source');

    await look({
      datasets: {
        find: async (id) => (world.objects.keys().includes(key) ? null : world.store.datasets.find(id)),
      },
    });

    expect(world.objects.keys()).not.toContain(key);
  });

  test('of rows of another team, and of a run that has adapted them', async () => {
    await by.look();
    const of = looks().at(-1) as { dataset_id: string; team_id: string };
    for (const asked of [
      { ...of, team_id: 'another' },
      { ...of, run_id: 'unknown' },
    ]) {
      world.invoked.push({ functionId: LOOK, payload: asked });
      expect(await look()).toEqual({ doubted: 0 });
    }
    expect(world.objects.keys().filter((key) => key.endsWith('/doubts.json'))).toEqual([]);
  });
});
