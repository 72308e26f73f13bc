import { expect, test } from 'vitest';
import { handler } from '#functions/api/autoscientist/publications/get.ts';
import { handler as publish } from '#functions/api/autoscientist/publish.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { theConnections } from '#shared/platform/wire.ts';
import { createPublicationRepository } from '#shared/publishing/store/publications.ts';
import { standIn } from '#test/helpers/memory-resources.ts';
import { seedModel } from '#test/helpers/published-model.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createWorld } from '#test/helpers/world.ts';

test.each([
  [50, 'running'],
  [70, 'failed'],
])('a publication of a model that has said nothing for %i minutes is %s', async (minutes, status) => {
  const world = createWorld(Date.now, [standIn(theConnections, async () => 'hf_token')]);
  const owner = await seedTeam(world.store, 0);
  const { dataset, training } = await seedModel(world, owner);
  const params = { experiment_id: training.experiment_id };
  const body = { target: 'huggingface', target_spec: { repo_name: 'model' } };
  const { publish_id } = (await world.call(publish, { as: owner, params, body })).body;
  const publications = createPublicationRepository(world.table);
  const record = await publications.find(dataset.dataset_id, publish_id);
  if (record === null) throw new Error('There is no such publication.');
  const at = timestamp(Date.now() - minutes * 60_000);
  await publications.update(record, {
    status: 'running',
    progress_percent: 20,
    message: null,
    updated_at: at,
  });

  const { body: shown } = await world.call(handler, { as: owner, params: { ...params, publish_id } });

  expect(shown).toMatchObject({ status, progress_percent: 20 });
  expect(shown.message === undefined).toBe(status === 'running');
});
