import { beforeEach, expect, test } from 'vitest';
import { startDeploying } from '#test/helpers/deploying.ts';

type Deploying = Awaited<ReturnType<typeof startDeploying>>;
let active: Deploying;

beforeEach(async () => {
  active = await startDeploying();
});

test('what a deployment costs is told before it is requested, and changes nothing', async () => {
  const { status, body } = await active.read();

  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'not_deployed',
    platform: 'amazon_bedrock',
    can_be_deployed: true,
    reason: null,
    created_at: null,
    costs: { deployment_credits: 0, input_credits: 0.005, output_credits: 0.02, units_per_copy: null },
  });
  expect(body.costs.of_the_installation.join(' ')).toMatch(
    /windows of five minutes .* nobody uses for 14 days/,
  );
  expect(active.world.invoked).toEqual([]);
});

test('a deployment that answers says until when it stays without use, and how many units it takes', async () => {
  await active.deploy();
  const { store } = active;
  const record = await store.find(active.training.experiment_id);
  if (record === null) throw new Error('no deployment');
  const ready_at = '2026-11-01T12:20:00.000Z';
  await store.update(record, { status: 'ready', ready_at, units_per_copy: 2, model_arn: 'arn:aws:x' }, [
    'queued',
  ]);

  const { body } = await active.read();

  expect(body).toMatchObject({
    status: 'ready',
    ready_at,
    progress_percent: 100,
    deleted_after: '2026-11-15T12:20:00.000Z',
  });
  expect(body.costs.units_per_copy).toBe(2);
  expect(JSON.stringify(body)).not.toContain('arn:');
});
