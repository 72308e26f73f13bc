import { beforeEach, expect, test } from 'vitest';
import { keys } from '#shared/platform/store/keys.ts';
import { deleteItem } from '#shared/platform/store/table.ts';
import { ADVANCE, IMPORTING, LLAMA, startDeploying } from '#test/helpers/deploying.ts';
import { bestOf, launchTraining, seedTrainable } from '#test/helpers/training.ts';

type Deploying = Awaited<ReturnType<typeof startDeploying>>;
let active: Deploying;

beforeEach(async () => {
  active = await startDeploying();
});

test('a deployment is queued and started, and a repetition is answered with it', async () => {
  const { status, body } = await active.deploy();

  expect(status).toBe(202);
  expect(body).toMatchObject({
    experiment_id: active.training.experiment_id,
    status: 'queued',
    platform: 'amazon_bedrock',
    progress_percent: 0,
    created_at: expect.any(String),
  });
  expect((await active.deploy()).body).toEqual(body);
  expect((await active.read()).body).toEqual(body);
  expect(active.world.invoked).toEqual([
    { functionId: ADVANCE, payload: { experiment_id: active.training.experiment_id } },
  ]);
});

test('a deployment that failed begins anew under another name', async () => {
  await active.deploy();
  const { store } = active;
  const first = await store.find(active.training.experiment_id);
  if (first === null) throw new Error('no deployment');
  await store.update(first, { status: 'failed', reason: 'It failed.' }, ['queued']);
  expect((await active.read()).body).toMatchObject({ status: 'failed', reason: 'It failed.' });

  expect((await active.deploy()).body).toMatchObject({ status: 'queued', reason: null });
  const second = await store.find(active.training.experiment_id);
  expect(second?.name).not.toBe(first.name);
  expect(second?.name).toMatch(/^tunesmith-dev-[0-9a-f]{32}-[0-9a-f]{6}$/);
});

test.each([
  ['deploys nothing', LLAMA, { ...IMPORTING, platforms: [] }, /deploys no trained models/],
  [
    'is where Amazon Bedrock imports nothing',
    LLAMA,
    { ...IMPORTING, region: 'eu-west-1' },
    /in eu-central-1, us-east-1.* is in eu-west-1/,
  ],
  [
    'is where GPT-OSS is not imported',
    'openai/gpt-oss-20b',
    IMPORTING,
    /in us-east-1, and this installation is in eu-central-1/,
  ],
  [
    'imports no such architecture',
    'google/gemma-3-4b-it',
    IMPORTING,
    /does not import .* It imports those of .*Llama-3\.2-3B/,
  ],
  [
    'has a model server without the form for it',
    LLAMA,
    { ...IMPORTING, platforms: ['model_server'] },
    /form of llama\.cpp/,
  ],
])('an installation that %s says so, and which model or region does', async (_, model, set, message) => {
  const other = await active.seedModel(model);
  active.world.invoked.length = 0;

  const { status, problem } = await active.deploy(other.experiment_id, active.owner, set);

  expect([status, problem.code]).toEqual([422, 'model_not_deployable']);
  expect(problem.message).toMatch(message);
  expect((await active.read(other.experiment_id, active.owner, set)).body).toMatchObject({
    status: 'not_deployed',
    can_be_deployed: false,
    reason: problem.message,
  });
  expect(active.world.invoked).toEqual([]);
});

const BOTH = { ...IMPORTING, platforms: ['amazon_bedrock', 'amazon_sagemaker'] };

test.each([
  ['a model that Amazon Bedrock imports', LLAMA, BOTH, 'amazon_bedrock', null, null],
  [
    'an architecture that it does not import',
    'Qwen/Qwen3.5-9B',
    BOTH,
    'amazon_sagemaker',
    'ml.g6e.xlarge',
    2.61,
  ],
  [
    'a region where it imports nothing',
    LLAMA,
    { ...BOTH, region: 'eu-west-1' },
    'amazon_sagemaker',
    'ml.g6.xlarge',
    1.13,
  ],
])(
  'an installation with both platforms tells before, and deploys, where %s answers',
  async (_, model, set, ...wanted) => {
    const other = await active.seedModel(model);
    const [platform, instance_type, dollars_per_hour] = wanted;
    const costs = { instance_type, dollars_per_hour };

    expect((await active.read(other.experiment_id, active.owner, set)).body).toMatchObject({
      status: 'not_deployed',
      can_be_deployed: true,
      platform,
      costs,
    });
    expect((await active.deploy(other.experiment_id, active.owner, set)).body).toMatchObject({
      platform,
      costs,
    });
  },
);

test('a deployment stays on its platform when the setting changes', async () => {
  await active.deploy();

  expect((await active.read(active.training.experiment_id, active.owner, BOTH)).body).toMatchObject({
    platform: 'amazon_bedrock',
  });
});

test('GPT-OSS is deployed where it is imported', async () => {
  const other = await active.seedModel('openai/gpt-oss-20b');

  expect(
    (await active.deploy(other.experiment_id, active.owner, { ...IMPORTING, region: 'us-east-1' })).status,
  ).toBe(202);
});

test('a training without a model has nothing to deploy', async () => {
  const running = await launchTraining(active.world, await seedTrainable(active.world, active.owner), {
    model: LLAMA,
  });

  expect((await active.deploy(running.experiment_id)).problem.code).toBe('no_artifact');
  expect((await active.read(running.experiment_id)).body).toMatchObject({ can_be_deployed: false });
});

test('a model that was removed is not deployed', async () => {
  await active.world.objects.remove([bestOf(active.training.experiment_id).artifact_key]);

  expect((await active.deploy()).problem.code).toBe('no_artifact');
});

test('a team that requests five deployments at once gets three', async () => {
  const trainings = [active.training, ...(await Promise.all([1, 2, 3, 4].map(() => active.seedModel())))];

  const answers = await Promise.all(trainings.map(({ experiment_id }) => active.deploy(experiment_id)));

  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 409, 409]);
  const stored: string[] = [];
  for await (const { experiment_id } of active.store.list()) stored.push(experiment_id);
  expect(stored).toHaveLength(3);
  expect(active.world.invoked).toHaveLength(3);
});

test('a team with deployments that were stored without a list of them has room for what is left', async () => {
  const others = [await active.seedModel(), await active.seedModel(), await active.seedModel()];
  for (const { experiment_id } of others) await active.deploy(experiment_id);
  await deleteItem(active.world.table, keys.teamDeployments(active.owner.team_id));

  expect((await active.deploy()).problem.code).toBe('deployments_limit_reached');
});

test('a team has three deployed models at most, and a deleted one makes room', async () => {
  const others = [await active.seedModel(), await active.seedModel(), await active.seedModel()];
  for (const { experiment_id } of others) await active.deploy(experiment_id);

  const { status, problem } = await active.deploy();
  expect([status, problem.code]).toEqual([409, 'deployments_limit_reached']);

  const { store } = active;
  const record = await store.find(others[0]?.experiment_id ?? '');
  if (record === null) throw new Error('no deployment');
  await store.remove(record);
  expect((await active.deploy()).status).toBe(202);
});
