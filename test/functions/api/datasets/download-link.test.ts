import { expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/download-link.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test('a page gets a link to the file, which works for fifteen minutes', async () => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const dataset = await seedDataset(world.store, owner, {
    name: 'My tickets.csv',
    state: 'succeeded',
    last_run_id: 'run-1',
  });
  const key = `exports/${dataset.dataset_id}/run-1/data.jsonl`;
  await world.objects.write(key, 'content', 'text/plain');
  const before = Date.now();

  const { status, body } = await world.call(handler, {
    as: owner,
    params: { dataset_id: dataset.dataset_id },
    query: { fileFormat: 'jsonl' },
  });

  expect(status).toBe(200);
  expect(new URL(body.url).pathname).toBe(`/${key}`);
  expect(body.file_name).toBe('My_tickets.jsonl');
  expect(Date.parse(body.expires_at)).toBeGreaterThanOrEqual(before + 900_000);
  expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now() + 900_000);
});
