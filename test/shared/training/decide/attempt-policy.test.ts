import { expect, test } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { attemptPolicy } from '#shared/training/decide/attempt-policy.ts';
import type { AttemptId } from '#shared/training/decide/repository.ts';
import { isAllowedBy, type Statement } from '#test/helpers/session-policy.ts';

const BUCKET = 'arn:aws:s3:::data';
const TABLE = 'arn:aws:dynamodb:eu-west-1:111122223333:table/t';
const mine: AttemptId = { experiment_id: 'mine', iteration: 2, attempt: 2 };
const partitionOf = ({ experiment_id, iteration, attempt }: AttemptId): string =>
  keys.trainerAttempt(experiment_id, iteration, attempt).pk;
const policyOf = (id: AttemptId): string =>
  attemptPolicy(id, { bucketArn: BUCKET, itemPartition: partitionOf(id) });
const statements = (): Statement[] => (JSON.parse(policyOf(mine)) as { Statement: Statement[] }).Statement;
const mayObject = (verb: string, key: string): boolean =>
  isAllowedBy(statements(), { action: `s3:${verb}`, resource: `${BUCKET}/${key}` });
const mayUpdate = (id: AttemptId): boolean =>
  isAllowedBy(statements(), {
    action: 'dynamodb:UpdateItem',
    resource: TABLE,
    partition: partitionOf(id),
  });
const outputOf = ({ experiment_id, iteration, attempt }: AttemptId): string =>
  objectKeys.trainerOutput(experiment_id, iteration, attempt);
const jobOf = ({ experiment_id, iteration, attempt }: AttemptId): string =>
  objectKeys.trainingJob(experiment_id, iteration, attempt);

const others: readonly (readonly [string, AttemptId])[] = [
  ['another training', { ...mine, experiment_id: 'other' }],
  ['a training whose id begins alike', { ...mine, experiment_id: 'mine-too' }],
  ['an earlier attempt', { ...mine, attempt: 1 }],
  ['a later attempt', { ...mine, attempt: 3 }],
  ['an attempt whose number begins alike', { ...mine, attempt: 20 }],
  ['another iteration', { ...mine, iteration: 1 }],
];

test('the credentials of an attempt read the data of its training, its job and its output, write that output, and update its item', () => {
  for (const key of [
    objectKeys.trainingRows('mine', 3),
    objectKeys.heldOutRows('mine'),
    jobOf(mine),
    `${outputOf(mine)}checkpoints/latest.json`,
  ]) {
    expect(mayObject('GetObject', key), key).toBe(true);
  }
  for (const verb of ['PutObject', 'AbortMultipartUpload', 'DeleteObject']) {
    expect(mayObject(verb, `${outputOf(mine)}checkpoints/0-000025.tar`)).toBe(true);
  }
  expect(mayUpdate(mine)).toBe(true);
});

test('the credentials of an attempt read the checkpoints of other attempts at the iteration, and nothing else of them', () => {
  const earlier = { ...mine, attempt: 1 };
  const before = { ...mine, iteration: 1 };

  expect(mayObject('GetObject', `${outputOf(earlier)}checkpoints/latest.json`)).toBe(true);
  expect(mayObject('GetObject', `${outputOf(earlier)}artifact.tar.gz`)).toBe(false);
  expect(mayObject('GetObject', jobOf(earlier))).toBe(false);
  expect(mayObject('GetObject', `${outputOf(before)}checkpoints/latest.json`)).toBe(false);
});

test.each(others)('the credentials of an attempt cannot touch the item or the outputs of %s', (_, other) => {
  expect(mayUpdate(other)).toBe(false);
  for (const verb of ['PutObject', 'AbortMultipartUpload', 'DeleteObject']) {
    expect(mayObject(verb, `${outputOf(other)}report.json`)).toBe(false);
    expect(mayObject(verb, `${outputOf(other)}checkpoints/latest.json`)).toBe(false);
  }
  // Its task token is in it.
  expect(mayObject('GetObject', jobOf(other))).toBe(false);
});

test('the credentials of an attempt cannot change what the loop decides by', () => {
  for (const verb of ['PutObject', 'DeleteObject']) {
    expect(mayObject(verb, objectKeys.heldOutRows('mine'))).toBe(false);
    expect(mayObject(verb, objectKeys.iterationOutcome('mine', 2))).toBe(false);
  }
});

test('the credentials of an attempt list no bucket, and neither read nor write other items', () => {
  expect(isAllowedBy(statements(), { action: 's3:ListBucket', resource: BUCKET })).toBe(false);
  for (const verb of ['GetItem', 'Query', 'PutItem', 'DeleteItem']) {
    expect(
      isAllowedBy(statements(), {
        action: `dynamodb:${verb}`,
        resource: TABLE,
        partition: partitionOf(mine),
      }),
    ).toBe(false);
  }
});

test('the credentials of an attempt have a policy of under 800 characters, which does not grow from one attempt to the next', () => {
  const id = { experiment_id: '5a3f9a54-9d0c-4d3e-8f0b-1d7f6f0c2b11', iteration: 10, attempt: 1 };
  const bucketArn = 'arn:aws:s3:::tunesmith-production-data-bucket83908e77-1a2b3c4d5e6f';
  const lengthOf = (attempt: number): number =>
    attemptPolicy({ ...id, attempt }, { bucketArn, itemPartition: partitionOf({ ...id, attempt }) }).length;

  expect(lengthOf(1)).toBeLessThan(800);
  expect(lengthOf(9)).toBe(lengthOf(1));
});
