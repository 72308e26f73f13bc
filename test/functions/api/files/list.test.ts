import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/files/list.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { LIST_PAGES_MAX, LIST_PAGES_WITHOUT_MATCH_MAX } from '#shared/datasets/store/datasets.ts';
import { fileIdOf } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { endlessList } from '#test/helpers/endless-list.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
let ids: string[];

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
  const purposes: DatasetRecord['file_purpose'][] = [
    'fine-tune',
    undefined,
    'evals',
    'user_data',
    'fine-tune',
  ];
  ids = [];
  for (const [n, file_purpose] of purposes.entries()) {
    const { dataset_id } = await seedDataset(world.store, owner, {
      created_at: `2026-11-22T10:00:0${n}.000Z`,
      ...(file_purpose === undefined ? {} : { file_purpose, file_bytes: n }),
    });
    ids.push(fileIdOf(dataset_id));
  }
});

const list = async (query: Record<string, string> = {}, as = owner) =>
  (await world.call(handler, { as, query })).body;
const listed = async (query: Record<string, string>) =>
  (await list(query)).data.map(({ id }) => ids.indexOf(id));

test('files are listed newest first, page by page', async () => {
  const first = await list({ limit: '2' });
  expect(first).toMatchObject({ object: 'list', has_more: true, first_id: ids[4], last_id: ids[3] });

  const rest = await list({ limit: '10000', after: first.last_id ?? '' });
  expect(rest.data.map(({ id }) => id)).toEqual([ids[2], ids[1], ids[0]]);
  expect(rest.has_more).toBe(false);
});

test.each([
  [{ order: 'asc' }, [0, 1, 2, 3, 4]],
  [{ purpose: 'fine-tune' }, [4, 0]],
  [{ purpose: 'evals' }, [2]],
  [{ purpose: 'batch' }, []],
  // A dataset that did not come by this API has no purpose.
  [{ purpose: 'user_data' }, [3, 1]],
])('a list of files takes %o', async (query, expected) => {
  expect(await listed(query)).toEqual(expected);
});

test('the files of another team are not listed, and do not place a page', async () => {
  expect((await list({}, strangerTo(owner))).data).toEqual([]);
  const { status, problem } = await world.call(handler, {
    as: strangerTo(owner),
    query: { after: ids[0] ?? '' },
  });
  expect([status, problem.code]).toEqual([404, 'dataset_not_found']);
});

test('a purpose that no file has lets a bounded part of the list be read, and what is read further counts as scans', async () => {
  const caller = { ...owner, plan: { ...owner.plan, scans_per_hour: 9 } };
  const pages = endlessList(world);
  const ask = async () => (await world.call(handler, { as: caller, query: { purpose: 'batch' } })).problem;

  expect((await ask()).code).toBe('invalid_request');
  expect(pages()).toBe(LIST_PAGES_WITHOUT_MATCH_MAX);
  expect((await ask()).message).toContain('scans_per_hour');
  expect(pages()).toBe(LIST_PAGES_WITHOUT_MATCH_MAX + LIST_PAGES_MAX);
});
