import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/uploads/initiate-batch.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 0);
});

const file = (file_name: string, file_format: string, file_size_bytes = 10) => ({
  file_name,
  file_format,
  file_size_bytes,
});
const initiate = (files: object[], fields: object = {}) =>
  world.call(handler, { as: owner, body: { name: 'Tickets', files, ...fields } });

test('every file has an upload of its own, also where two have one name, or a long one', async () => {
  const long = `${'n'.repeat(250)}.csv`;
  const { status, body } = await initiate([
    file('a b.csv', 'csv'),
    file('a b.csv', 'csv'),
    file(long, 'csv'),
    file(long, 'csv'),
  ]);

  expect(status).toBe(200);
  expect(body.uploads.map(({ file_name }) => file_name)).toEqual(['a b.csv', 'a b.csv', long, long]);
  expect(new Set(body.uploads.map(({ s3_key }) => s3_key)).size).toBe(4);
  for (const { s3_key, upload_url } of body.uploads) {
    expect(s3_key.startsWith(`uploads/${owner.team_id}/${body.dataset_id}/`)).toBe(true);
    expect(decodeURIComponent(new URL(upload_url).pathname)).toContain(s3_key);
  }
  expect(await world.store.datasets.find(body.dataset_id)).toMatchObject({
    name: 'Tickets',
    state: 'awaiting_upload',
    team_id: owner.team_id,
    kind: 'uploaded',
  });
});

test.each([
  ['where a document is among tables', [file('a.csv', 'csv'), file('b.pdf', 'pdf')], 'files[1].file_format'],
  [
    'where a table is among documents',
    [file('b.docx', 'docx'), file('a.jsonl', 'jsonl')],
    'files[1].file_format',
  ],
  [
    'where a table is among documents, after text',
    [file('t.txt', 'txt'), file('b.docx', 'docx'), file('a.jsonl', 'jsonl')],
    'files[2].file_format',
  ],
  ['without files', [], 'files'],
  ['of more than 500 files', Array.from({ length: 501 }, (_, n) => file(`${n}.csv`, 'csv')), 'files'],
  ['with a file of an unknown format', [file('a.exe', 'exe')], 'files[0].file_format'],
])('a batch is refused: %s', async (_, files, path) => {
  const { status, problem } = await initiate(files);

  expect([status, problem.code]).toEqual([400, 'invalid_request']);
  expect(problem.details[0]?.path).toBe(path);
});

test('a batch is refused that is larger than a dataset may be', async () => {
  const { problem } = await initiate([file('a.csv', 'csv', 2 ** 31), file('b.csv', 'csv', 1)]);

  expect(problem.code).toBe('file_too_large');
});
