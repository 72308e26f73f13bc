import { expect, it } from 'vitest';
import { propertiesOfFirst, synthesize } from './synthesize.ts';

it('messages take two functions at once, which a new account has besides those of callers', () => {
  const { pipelines } = synthesize('dev');

  expect(
    propertiesOfFirst(pipelines, 'AWS::Lambda::EventSourceMapping', 'ConsumersQueueAttempt'),
  ).toMatchObject({
    ScalingConfig: { MaximumConcurrency: 2 },
  });
});

it('a message of an attempt outlasts as long a lack of places for functions as a task of a state machine', () => {
  const { pipelines } = synthesize('dev');
  const { RedrivePolicy, VisibilityTimeout } = propertiesOfFirst(pipelines, 'AWS::SQS::Queue', 'Attempts');

  const { maxReceiveCount } = RedrivePolicy as { readonly maxReceiveCount: number };
  // 76 minutes, which the retries of `throttled` in statemachines/policies.yaml add up to.
  expect(maxReceiveCount * Number(VisibilityTimeout)).toBeGreaterThanOrEqual(76 * 60);
});
