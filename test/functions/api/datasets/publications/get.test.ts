import { expect, test } from 'vitest';
import { handler } from '#functions/api/datasets/publications/get.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { PublicationRecord } from '#shared/publishing/decide/record.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test.each([
  [50, 'running'],
  [70, 'failed'],
])('a publication that has said nothing for %i minutes is %s', async (minutes, status) => {
  const world = createWorld();
  const owner = await seedTeam(world.store, 0);
  const { dataset_id } = await seedDataset(world.store, owner);
  const at = timestamp(Date.now() - minutes * 60_000);
  const record: PublicationRecord = {
    publish_id: 'p1',
    dataset_id,
    team_id: owner.team_id,
    target: 'huggingface',
    status: 'running',
    message: null,
    repository: 'acme/rows',
    is_private: true,
    license: null,
    title: null,
    uploads: [],
    commit_message: null,
    run_id: null,
    attempts: 1,
    progress_percent: 20,
    url: null,
    commit: null,
    created_at: at,
    updated_at: at,
  };
  await createPublicationRepository(world.table).create(record);

  const { body } = await world.call(handler, { as: owner, params: { dataset_id, publish_id: 'p1' } });

  expect(body).toMatchObject({ status, progress_percent: 20 });
  expect(body.message === undefined).toBe(status === 'running');
});
