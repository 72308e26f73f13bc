import { beforeEach, expect, test } from 'vitest';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { reviewer } from '#test/helpers/reviewing.ts';
import { adaptVersion, answered, ingestVersion } from '#test/helpers/versions.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let dataset: DatasetRecord;
let by: ReturnType<typeof reviewer>;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 1000);
  dataset = await ingestVersion(world, owner, 40);
  await adaptVersion(world, owner, dataset, (row) => answered(row, `better ${row}`));
  by = reviewer(world, owner, dataset);
});

test('all verdicts come page by page, by row and reviewer, with their texts', async () => {
  const hash = await by.hashOf(5);
  await by.say([{ row: 5, content_hash: hash, verdict: 'mended', completion: 'best 5' }], 'ben. #1');
  await by.say([{ row: 5, content_hash: hash, verdict: 'wrong' }], 'ada');
  await by.say([{ row: 3, content_hash: await by.hashOf(3), verdict: 'right' }], 'ada');

  const seen: string[] = [];
  let after: string | null = null;
  do {
    const { body } = await by.list({ limit: '1', ...(after === null ? {} : { after }) });
    seen.push(...body.verdicts.map((each) => `${each.row} ${each.reviewer} ${each.completion}`));
    after = body.next_after;
  } while (after !== null);

  expect(seen).toEqual(['3 ada null', '5 ada null', '5 ben. #1 best 5']);
});

test('a verdict says whether the row is still as it was seen', async () => {
  const hashes = await Promise.all([5, 6, 7].map((row) => by.hashOf(row)));
  await by.say([
    { row: 5, content_hash: hashes[0], verdict: 'right' },
    { row: 6, content_hash: hashes[1], verdict: 'right' },
    { row: 7, content_hash: hashes[2], verdict: 'mended', completion: 'best 7' },
  ]);
  await adaptVersion(world, owner, dataset, (row) =>
    answered(row, row === 5 ? 'other' : row === 7 ? 'best 7' : `better ${row}`),
  );

  const { body } = await by.list();

  expect(body.verdicts.map(({ status }) => status)).toEqual(['stale', 'current', 'applied']);
  expect((await by.look()).body.verdicts).toEqual({ right: 2, wrong: 0, mended: 0, disputed: 0, stale: 1 });
});

test('a page with much text ends early, and nothing is left out', async () => {
  const { rows } = (await by.look()).body;
  for (const { row, content_hash } of rows.slice(0, 8)) {
    const completion = `${row} ${'字'.repeat(99_000)}`;
    await by.say([{ row, content_hash, verdict: 'mended', completion }]);
  }

  const pages: number[][] = [];
  let after: string | null = null;
  do {
    const { body, text } = await by.list(after === null ? {} : { after });
    expect(Buffer.byteLength(text)).toBeLessThan(1.1 * 1024 * 1024);
    pages.push(body.verdicts.map(({ row }) => row));
    after = body.next_after;
  } while (after !== null);

  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toHaveLength(8);
});

test('a dataset without verdicts has an empty page, and that of another team none', async () => {
  const { body } = await by.list();
  const { status } = await reviewer(world, strangerTo(owner), dataset).list();

  expect(body).toEqual({ dataset_id: dataset.dataset_id, verdicts: [], next_after: null });
  expect(status).toBe(404);
});
