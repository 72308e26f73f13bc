import { beforeEach, expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/uploads/initiate.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { makeCaller } from '#test/helpers/records.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

beforeEach(() => {
  world = createWorld();
  owner = makeCaller();
});

const initiate = (body: unknown) => world.call(handler, { as: owner, body });

test('the request of an upload answers a URL for an hour whose path is the key, and the key itself', async () => {
  const { body } = await initiate({ name: 'my tickets.csv', file_format: 'csv' });

  const url = new URL(body.upload_url);
  expect(body.s3_key).toMatch(new RegExp(`^uploads/${owner.team_id}/[0-9a-f-]{36}/my_tickets\\.csv$`));
  expect(url.pathname.slice(1)).toBe(body.s3_key);
  expect(url.searchParams.get('expires')).toBe('3600');
});

test('the request of an upload gives every upload a key of its own', async () => {
  const upload = { name: 'tickets', file_format: 'jsonl' };

  expect((await initiate(upload)).body.s3_key).not.toBe((await initiate(upload)).body.s3_key);
});

test.each([
  ['name', { file_format: 'csv' }],
  ['name', { name: '', file_format: 'csv' }],
  ['file_format', { name: 'tickets.csv' }],
  ['file_format', { name: 'tickets', file_format: 'exe' }],
  ['size', { name: 'tickets', file_format: 'csv', size: 1 }],
])('a 400 names %s of %j', async (path, body) => {
  const { problem } = await initiate(body);

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.details.map((detail) => detail.path)).toContain(path);
});

test.each(['pdf', 'docx', 'pptx', 'xlsx', 'html', 'zip', 'txt'])(
  'a document gets a URL like a table: %s',
  async (file_format) => {
    const { status, body } = await initiate({ name: 'report', file_format });

    expect(status).toBe(200);
    expect(body.s3_key).toMatch(new RegExp(`/report\\.${file_format}$`));
  },
);
