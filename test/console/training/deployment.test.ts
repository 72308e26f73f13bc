import { expect, test } from 'vitest';
import { Deployment, DeploymentCosts } from '../../../console/src/training/deployment.tsx';
import { renderAnswered } from '../render.ts';

const ID = '5f0c3f5e-8d0b-4b6e-9a55-1f2d3c4b5a69';
const FOUND = {
  experiment_id: ID,
  status: 'not_deployed',
  platform: 'amazon_sagemaker',
  can_be_deployed: true,
  reason: null,
  progress_percent: 0,
  created_at: null,
  ready_at: null,
  last_used_at: null,
  hours_left_today: null,
  deleted_after: null,
  costs: {
    deployment_credits: 0 as const,
    input_credits: 0.005,
    output_credits: 0.02,
    of_the_installation: ['An instance of the type ml.g6.xlarge answers, at 1.13 US dollars an hour.'],
    units_per_copy: null,
    instance_type: 'ml.g6.xlarge',
    dollars_per_hour: 1.13,
  },
};

const shown = (changes: object = {}, status = 200) =>
  renderAnswered(Deployment, { id: ID }, (request) =>
    request === `GET /api/v1/autoscientist/${ID}/deployment`
      ? { status, body: { ...FOUND, ...changes } }
      : undefined,
  );

test('the deployment of a training that can be made has a button for it, and says where it would answer', async () => {
  const { text, html } = await shown();

  expect(text).toContain('not deployed');
  expect(text).toContain('Amazon SageMaker');
  expect(html).toContain('>Deploy</button>');
  expect(html).not.toContain('Delete the deployment');
});

test.each([
  [{ status: 'preparing', progress_percent: 40 }, ['merging', '40 %']],
  [{ status: 'importing', progress_percent: 80 }, ['starting', '80 %']],
  [
    { status: 'ready', ready_at: '2026-11-01T12:00:00Z', hours_left_today: 6.5 },
    ['answers', 'Hours left today', '6.5'],
  ],
])('the deployment of a training that goes on or answers can be deleted: %j', async (changes, words) => {
  const { text, html } = await shown(changes);

  for (const word of words) expect(text).toContain(word);
  expect(html).toContain('>Delete the deployment</button>');
  expect(html).not.toContain('>Deploy</button>');
});

test('the deployment of a training that failed says why, and can be made again', async () => {
  const { text, html } = await shown({ status: 'failed', reason: 'The container did not start.' });

  expect(text).toContain('failed');
  expect(text).toContain('The container did not start.');
  expect(html).toContain('>Deploy</button>');
});

test('the deployment of a training that is not possible here says why, and has no button', async () => {
  const { text, html } = await shown({
    platform: null,
    can_be_deployed: false,
    reason: 'Set TRAINED_MODELS.',
  });

  expect(text).toContain('Set TRAINED_MODELS.');
  expect(html).not.toContain('<button');
});

test('the deployment of a training that is being deleted has no button', async () => {
  expect((await shown({ status: 'deleting' })).html).not.toContain('<button');
});

test('the costs of a deployment are those of answers and of the installation', async () => {
  const { text } = await renderAnswered(DeploymentCosts, { costs: FOUND.costs }, () => undefined);

  expect(text).toContain('costs no credits');
  expect(text).toContain('0.005 credits for 1,000 tokens');
  expect(text).toContain('ml.g6.xlarge answers, at 1.13 US dollars an hour');
});
