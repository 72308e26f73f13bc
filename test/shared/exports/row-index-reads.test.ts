import { beforeAll, describe, expect, test, vi } from 'vitest';
import { TextCache } from '#shared/exports/decide/row-index/text-cache.ts';
import { indexRows } from '#shared/exports/index-rows.ts';
import { listRows, type ReadRowsPorts, readRow } from '#shared/exports/read-rows.ts';
import type { RowsPage, RowsQuery } from '#shared/exports/schema/rows.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { type ActiveRun, adaptRows, resultOf } from '#test/helpers/active-run.ts';
import { rowPorts } from '#test/helpers/row-index.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

/**
 * What a page, a filter and a search read of 100,000 rows. S3 answers an object, or a part of one, after about 30 ms, and
 * a function of two gigabytes reads some 75 MB a second: what is read decides how long an answer takes.
 */
const ROWS = 100_000;
const MEGABYTE = 1e6;

let world: World;
let active: ActiveRun;
let textBytes: number;
const reads = { count: 0, bytes: 0, inTurn: 0 };

const words = (row: number): string =>
  Array.from({ length: 24 }, (_, n) => `word${(Math.imul(row * 24 + n, 2654435761) >>> 0) % 5000}`).join(' ');

beforeAll(async () => {
  world = createWorld();
  const answer = (row: number) => `${words(row)}${row === 77_777 ? ' zymurgy' : ''}`;
  const line = (row: number) =>
    JSON.stringify({ note: row, question: `question ${row}`, answer: answer(row) });
  active = await adaptRows(world, { rows: ROWS, chunkRows: 5000, line }, (row) => {
    const isChanged = row % 10 === 0;
    const text = isChanged ? `${answer(row)} and more` : answer(row);
    return {
      ...resultOf(row, isChanged ? 'changed' : 'kept'),
      cells: { enhanced_prompt: `question ${row}`, enhanced_completion: text },
    };
  });
  const { run_id, dataset_id, team_id } = active.run;
  const ports = { ...world.store, objects: world.objects, loadDetector: async () => () => 'en' };
  await indexRows(ports, { dataset_id, team_id, run_id });
  textBytes = world.objects.stored.get(objectKeys.indexedTexts(dataset_id, run_id))?.body.length ?? 0;
}, 240_000);

/** Counts what is read; `inTurn` counts the reads that waited for an earlier one to end. */
function counted(): ReadRowsPorts['objects'] {
  let open = 0;
  const count = async <T extends Buffer | null>(reading: Promise<T>): Promise<T> => {
    if (open === 0) reads.inTurn += 1;
    open += 1;
    const body = await reading;
    open -= 1;
    reads.count += 1;
    reads.bytes += body?.length ?? 0;
    return body;
  };
  return {
    read: (key) => count(world.objects.read(key)),
    readRange: (key, from, to) => count(world.objects.readRange(key, from, to)),
    presignGet: world.objects.presignGet,
  };
}

function portsOf(searchBytesMax: number, texts = new TextCache(2 ** 30)): ReadRowsPorts {
  Object.assign(reads, { count: 0, bytes: 0, inTurn: 0 });
  return rowPorts(world, { objects: counted(), searchBytesMax, texts });
}

const record = async () => {
  const dataset = await world.store.datasets.find(active.dataset.dataset_id);
  if (dataset === null) throw new Error('The dataset is gone.');
  return dataset;
};
const list = async (
  query: RowsQuery,
  searchBytesMax = 192 * 2 ** 20,
  texts = new TextCache(2 ** 30),
  signal = new AbortController().signal,
): Promise<RowsPage> =>
  listRows({ ...portsOf(searchBytesMax, texts), startLook: async () => {} }, await record(), query, {
    signal,
    now: 0,
  });

describe('of 100,000 rows', () => {
  test.each([0, 49_975, 99_950])(
    'a page from %i on reads four objects, and 200 kilobytes',
    async (offset) => {
      const { rows } = await list({ offset });

      expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: 50 }, (_, n) => offset + n));
      expect(reads.count).toBeLessThanOrEqual(5);
      expect(reads.bytes).toBeLessThan(0.2 * MEGABYTE);
    },
  );

  test('a row reads four objects, and 200 kilobytes', async () => {
    const { row } = await readRow(portsOf(1), await record(), { row: 77_777 }, new AbortController().signal);

    expect(row.before[0]?.text).toBe('question 77777');
    expect(reads.count).toBeLessThanOrEqual(4);
    expect(reads.inTurn).toBeLessThanOrEqual(3);
    expect(reads.bytes).toBeLessThan(0.2 * MEGABYTE);
  });

  test('a filter reads six bytes a row besides', async () => {
    const { matching, rows } = await list({ outcome: 'changed', offset: 9_000 });

    expect(matching).toBe(10_000);
    expect(rows[1]?.row).toBe(90_010);
    expect(reads.bytes).toBeLessThan(6 * ROWS + 0.5 * MEGABYTE);
    expect(reads.count).toBeLessThanOrEqual(8);
  });

  test('a page of rows that lie far apart reads a block for each, sixteen at once', async () => {
    const { rows } = await list({ search: 'word4711', limit: 200 });

    expect(rows).toHaveLength(200);
    expect(reads.count).toBeLessThanOrEqual(225 + Math.ceil(textBytes / (4 * 2 ** 20)));
    expect(reads.bytes).toBeLessThan(textBytes + 12 * MEGABYTE);
  });

  test('a search for what few rows have reads the signatures, and the blocks of those rows', async () => {
    const { matching, rows } = await list({ search: 'ZYMURGY' });

    expect([matching, rows.map(({ row }) => row)]).toEqual([1, [77_777]]);
    expect(reads.bytes).toBeLessThan(4 * MEGABYTE);
    expect(reads.count).toBeLessThanOrEqual(10);
  });

  test('a search for what every row has reads the packed text once, a few megabytes at a time', async () => {
    const { matching, next_row: next } = await list({ search: 'word' });

    expect([matching, next]).toEqual([ROWS, null]);
    expect(reads.bytes).toBeLessThan(textBytes + 4 * MEGABYTE);
    expect(reads.count).toBeLessThanOrEqual(10 + Math.ceil(textBytes / (3 * 2 ** 20)));
  });

  test('the next page of a search reads no text again', async () => {
    const texts = new TextCache(2 ** 30);
    await list({ search: 'word' }, 192 * 2 ** 20, texts);
    const { matching, rows } = await list({ search: 'word1', offset: 200 }, 192 * 2 ** 20, texts);

    expect(matching).toBeGreaterThan(200);
    expect(rows).toHaveLength(50);
    expect(reads.bytes).toBeLessThan(4 * MEGABYTE);
    expect(reads.count).toBeLessThanOrEqual(60);
  });

  test('a search stops where it has read enough, and goes on from there until it has met every row', async () => {
    let first: number | null = 0;
    let met = 0;
    let requests = 0;
    while (first !== null) {
      const { matching, next_row, facets } = await list({ search: 'word', first_row: first }, 4 * 2 ** 20);
      expect(reads.bytes).toBeLessThan(6 * MEGABYTE);
      expect(facets.outcome.reduce((sum, { rows }) => sum + rows, 0)).toBe(matching);
      met += matching;
      requests += 1;
      first = next_row;
    }

    expect(met).toBe(ROWS);
    expect(requests).toBeGreaterThan(3);
  });

  test.each([
    ['that nobody waits for any more', AbortSignal.abort()],
    ['that has taken five seconds', new AbortController().signal],
  ])('a search %s stops after one block at least, and goes on from there', async (_, signal) => {
    let milliseconds = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (milliseconds += 1000));
    const texts = new TextCache(2 ** 30);
    const ask = (first_row: number) => list({ search: 'word', first_row }, 2 ** 30, texts, signal);

    const begun = await ask(0);
    const after = await ask(begun.next_row ?? 0);
    const again = await ask(0);

    expect(begun.next_row).toBeGreaterThan(0);
    expect(begun.next_row).toBeLessThan(ROWS / 10);
    expect(begun.matching).toBe(begun.next_row);
    expect(after.next_row).toBe((begun.next_row ?? 0) + after.matching);
    expect(again.next_row).toBeGreaterThanOrEqual(begun.next_row ?? 0);
    vi.restoreAllMocks();
  });
});
