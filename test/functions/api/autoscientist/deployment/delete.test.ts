import { beforeEach, expect, test } from 'vitest';
import { ADVANCE, startDeploying } from '#test/helpers/deploying.ts';
import { strangerTo } from '#test/helpers/world.ts';

type Deploying = Awaited<ReturnType<typeof startDeploying>>;
let active: Deploying;

beforeEach(async () => {
  active = await startDeploying();
});

test('deleting a deployment has the platform delete its copy, and without one nothing happens', async () => {
  expect((await active.end()).body).toMatchObject({ status: 'not_deployed' });
  expect(active.world.invoked).toEqual([]);
  await active.deploy();
  active.world.invoked.length = 0;

  expect((await active.end()).body).toMatchObject({ status: 'deleting' });
  expect((await active.end()).body).toMatchObject({ status: 'deleting' });
  expect(active.world.invoked[0]).toEqual({
    functionId: ADVANCE,
    payload: { experiment_id: active.training.experiment_id },
  });
});

test('another team neither sees, deploys nor deletes a deployment', async () => {
  await active.deploy();
  const stranger = strangerTo(active.owner);

  for (const answer of [
    await active.deploy(active.training.experiment_id, stranger),
    await active.read(active.training.experiment_id, stranger),
    await active.end(active.training.experiment_id, stranger),
  ]) {
    expect([answer.status, answer.problem.code]).toEqual([404, 'training_not_found']);
  }
  expect((await active.read()).body.status).toBe('queued');
});
