import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/diff.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { buildDiff } from '#shared/exports/build-diff.ts';
import type { DiffRow } from '#shared/exports/schema/diff.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { RunResult } from '#shared/runs/schema/run-result.ts';
import { startRunOn } from '#test/helpers/active-run.ts';
import { seedTeam } from '#test/helpers/records.ts';
import {
  adaptVersion,
  answered,
  appendVersion,
  ingestVersion,
  makeDiffs,
  reload,
} from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, 4);
  world.invoked.splice(0);
});

const ask = (query: Record<string, string>, as = owner) =>
  world.call(handler, { as, params: { dataset_id: dataset.dataset_id }, query });

/** The comparison once it is made. */
async function compare(from: number, to: number, query: Record<string, string> = {}) {
  const asked = { from: String(from), to: String(to), ...query };
  if ((await ask(asked)).status === 202) await makeDiffs(world);
  return (await ask(asked)).body;
}

const cell = (column: string, text: string) => ({ column, text, truncated: false });
const dropped = (row: number): RunResult => ({
  row,
  outcome: 'dropped',
  reason: { code: 'duplicate', message: 'It repeats a row.', similar_to_row: 0 },
  tokens: { input: 0, output: 0 },
  calls: 0,
});
/** What became of each row, by its number. */
const kinds = (rows: readonly DiffRow[]) => rows.map(({ kind, row }) => `${kind} ${row}`);

test('two versions are compared in the background, once, and then read at once', async () => {
  await appendVersion(world, owner, dataset, [{ question: 'new?', answer: 'yes' }]);
  world.invoked.splice(0);

  const [first, second] = await Promise.all([ask({ from: '1', to: '2' }), ask({ from: '1', to: '2' })]);

  expect([first.status, second.status]).toEqual([202, 202]);
  expect(first.headers).toMatchObject({
    'retry-after': '5',
    location: `/api/v1/datasets/${dataset.dataset_id}/diff?from=1&to=2`,
  });
  expect(first.body).toEqual({
    dataset_id: dataset.dataset_id,
    from: 1,
    to: 2,
    status: 'pending',
    counts: null,
    columns: [],
    rows: [],
    next_after: null,
  });
  const { dataset_id } = dataset;
  expect(world.invoked).toEqual([
    {
      functionId: 'tasks/exports/build-diff',
      payload: { dataset_id, team_id: owner.team_id, from: 1, to: 2 },
    },
  ]);
  await makeDiffs(world);

  const ready = await ask({ from: '1', to: '2' });
  expect(ready.status).toBe(200);
  expect(ready.body).toEqual({
    dataset_id,
    from: 1,
    to: 2,
    status: 'ready',
    counts: { added: 1, removed: 0, changed: 0, unchanged: 4 },
    columns: ['question', 'answer'],
    rows: [
      {
        kind: 'added',
        row: 4,
        target: null,
        before: null,
        after: { cells: [cell('question', 'new?'), cell('answer', 'yes')] },
      },
    ],
    next_after: null,
  });
  expect(world.invoked).toEqual([]);
});

test('two versions in the other order have what was added as removed', async () => {
  await appendVersion(world, owner, dataset, [{ question: 'new?', answer: 'yes' }]);

  const { counts, rows } = await compare(2, 1);

  expect(counts).toEqual({ added: 0, removed: 1, changed: 0, unchanged: 4 });
  expect(rows[0]).toMatchObject({ kind: 'removed', row: 4, after: null });
});

test('an adaptation and the rows that it read differ in the texts that it changed, not in those that it kept, and without what it dropped', async () => {
  await adaptVersion(world, owner, dataset, (row) =>
    row === 3 ? dropped(3) : answered(row, row === 1 ? 'better 1' : undefined),
  );

  const { counts, columns, rows } = await compare(1, 2);

  expect(counts).toEqual({ added: 0, removed: 1, changed: 1, unchanged: 2 });
  expect(columns).toEqual([
    'question',
    'answer',
    'enhanced_prompt',
    'enhanced_completion',
    'prompt_safety_issues',
    'response_safety_issues',
  ]);
  expect(rows[0]).toEqual({
    kind: 'changed',
    row: 1,
    target: null,
    before: { cells: [cell('enhanced_completion', 'answer 1')] },
    after: { cells: [cell('enhanced_completion', 'better 1')] },
  });
  expect(kinds(rows)).toEqual(['changed 1', 'removed 3']);
  expect((await compare(2, 1)).counts).toEqual({ added: 1, removed: 0, changed: 1, unchanged: 2 });
});

test('an adaptation and the rows that it read that failed has the rows that were finished', async () => {
  await adaptVersion(world, owner, dataset, (row) => (row === 0 ? answered(0, 'x') : null), {
    status: 'failed',
  });

  expect((await compare(1, 2)).counts).toEqual({ added: 0, removed: 3, changed: 1, unchanged: 0 });
});

test('an adaptation and the rows that it read differ in every column that it writes besides', async () => {
  await adaptVersion(
    world,
    owner,
    dataset,
    (row) => ({ ...answered(row), cells: { ...answered(row).cells, reasoning_trace: `because ${row}` } }),
    { request: { recipe_specification: { recipes: { reasoning_traces: true } } } },
  );

  const { rows, counts } = await compare(1, 2);

  expect(counts?.changed).toBe(4);
  expect(rows[0]).toMatchObject({
    before: { cells: [] },
    after: { cells: [cell('reasoning_trace', 'because 0')] },
  });
});

test('two adaptations are compared by their own texts, and rows that came between are added', async () => {
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  await appendVersion(world, owner, dataset, [{ question: 'question 4', answer: 'answer 4' }]);
  await adaptVersion(world, owner, dataset, (row) => answered(row, row === 2 ? 'best 2' : `better ${row}`));

  const { counts, rows } = await compare(2, 4);

  expect(counts).toEqual({ added: 1, removed: 0, changed: 1, unchanged: 3 });
  expect(rows[0]?.before?.cells).toEqual([cell('enhanced_completion', 'better 2')]);
  expect(rows[0]?.after?.cells).toEqual([cell('enhanced_completion', 'best 2')]);
  expect(kinds(rows)).toEqual(['changed 2', 'added 4']);
});

describe('the rows of a comparison', () => {
  beforeEach(async () => {
    dataset = await ingestVersion(world, owner, 300);
    await adaptVersion(world, owner, dataset, (row) =>
      row % 3 === 0
        ? dropped(row)
        : answered(row, row % 3 === 1 ? `better ${row} ${'x'.repeat(900)}` : undefined),
    );
  });

  test('the rows of a comparison come page by page, each once, changed ones first', async () => {
    const seen: string[] = [];
    let pages = 0;
    for (let after: string | null = ''; after !== null; pages += 1) {
      const page = await compare(1, 2, { limit: '70', ...(after === '' ? {} : { after }) });
      seen.push(...kinds(page.rows));
      after = page.next_after;
    }

    const rows = Array.from({ length: 300 }, (_, row) => row);
    expect(seen).toEqual([
      ...rows.filter((row) => row % 3 === 1).map((row) => `changed ${row}`),
      ...rows.filter((row) => row % 3 === 0).map((row) => `removed ${row}`),
    ]);
    expect(pages).toBe(3);
  });

  test('the rows of a comparison are those of one kind where that is asked for', async () => {
    const page = await compare(1, 2, { kind: 'removed', limit: '2' });
    expect([kinds(page.rows), page.next_after]).toEqual([['removed 0', 'removed 3'], 'removed.1']);

    const next = await compare(1, 2, { kind: 'removed', limit: '200', after: 'removed.1' });
    expect([next.rows.length, next.next_after]).toEqual([98, null]);
    expect((await compare(1, 2, { kind: 'added' })).rows).toEqual([]);
  });

  test('the rows of a comparison have the beginnings of long texts', async () => {
    const { rows } = await compare(1, 2, { limit: '1' });

    expect(rows[0]?.after?.cells[0]).toMatchObject({ truncated: true });
    expect(rows[0]?.after?.cells[0]?.text).toHaveLength(800);
  });
});

test.each<[string, Record<string, string>]>([
  ['with itself', { from: '1', to: '1' }],
  ['without its second version', { from: '1' }],
  ['of no version', { from: '0', to: '1' }],
  ['of an unknown kind', { from: '1', to: '2', kind: 'moved' }],
  ['of a page that is too long', { from: '1', to: '2', limit: '201' }],
  ['after what no page has said', { from: '1', to: '2', after: '7' }],
  ['after a row of another kind', { from: '1', to: '2', kind: 'added', after: 'changed.1' }],
])('a comparison is refused: %s', async (_, query) => {
  expect((await ask(query)).status).toBe(400);
  expect(world.invoked).toEqual([]);
});

test('a comparison is refused with a version that the dataset does not have', async () => {
  expect((await ask({ from: '1', to: '2' })).problem.code).toBe('version_not_found');
});

test('a comparison is refused with a version whose run is active', async () => {
  await startRunOn(world, owner, await reload(world, dataset));

  expect((await ask({ from: '1', to: '2' })).problem.code).toBe('no_data_yet');
});

test('a comparison is refused to another team', async () => {
  expect((await ask({ from: '1', to: '2' }, strangerTo(owner))).problem.code).toBe('dataset_not_found');
});

test('a comparison is refused of more rows than one function compares', async () => {
  await appendVersion(world, owner, dataset, [{ question: 'q', answer: 'a' }]);
  world.invoked.splice(0);
  const key = objectKeys.manifest(dataset.dataset_id);
  const manifest = JSON.parse(world.objects.text(key));
  manifest.chunks[0].bytes = 2 ** 31;
  await world.objects.write(key, JSON.stringify(manifest), 'application/json');

  expect((await ask({ from: '1', to: '2' })).problem.code).toBe('dataset_too_large');
  expect(world.invoked).toEqual([]);
});

describe('a comparison that fails', () => {
  let now: number;

  beforeEach(async () => {
    now = Date.now();
    await adaptVersion(world, owner, dataset, (row) => answered(row, 'x'));
    world.invoked.splice(0);
    await ask({ from: '1', to: '2' });
  });

  const of = () => ({ dataset_id: dataset.dataset_id, team_id: owner.team_id, from: 1, to: 2 });
  const build = (read: World['objects']['read']) =>
    buildDiff({ ...world.store, objects: { ...world.objects, read } }, of());

  test('a comparison that fails is reported for a minute, and then made anew', async () => {
    const failing = build(async (key) => {
      if (key.includes('/results/')) throw new Error('the bucket is gone');
      return world.objects.read(key);
    });
    await expect(failing).rejects.toThrow('the bucket is gone');

    const { status, headers, problem } = await ask({ from: '1', to: '2' });
    expect([status, problem.code]).toEqual([503, 'service_unavailable']);
    expect(headers['retry-after']).toBe('60');
    expect(world.invoked).toHaveLength(1);

    const failure = objectKeys.diffFailure(dataset.dataset_id, 1, 2);
    const stored = world.objects.stored.get(failure);
    if (stored !== undefined) Object.assign(stored, { modifiedMs: now - 61_000 });
    expect((await ask({ from: '1', to: '2' })).status).toBe(202);
    expect(world.invoked).toHaveLength(2);
    await makeDiffs(world);
    expect((await ask({ from: '1', to: '2' })).status).toBe(200);
  });

  test('a comparison that fails because a version was deleted meanwhile leaves nothing', async () => {
    await adaptVersion(world, owner, dataset, (row) => answered(row, 'y'));
    const version = await world.store.versions.find(dataset.dataset_id, 2);
    const { rows } = await build(async (key) => {
      if (key.includes('/results/') && version !== null) await world.store.versions.delete(version, now);
      return world.objects.read(key);
    });

    expect(rows).toBe(0);
    const below = objectKeys.diffs(dataset.dataset_id);
    expect(world.objects.keys().filter((key) => key.startsWith(below))).toEqual([]);
  });
});

test('a comparison of which the bucket has expired a part is made anew', async () => {
  await adaptVersion(world, owner, dataset, (row) => answered(row, 'x'));
  await compare(1, 2);
  await world.objects.remove([objectKeys.diffRows(dataset.dataset_id, 1, 2, 'changed')]);

  expect((await ask({ from: '1', to: '2' })).status).toBe(202);
  await makeDiffs(world);
  expect((await ask({ from: '1', to: '2' })).body.rows).toHaveLength(4);
});
