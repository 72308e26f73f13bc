import { expect, test } from 'vitest';
import { theBatchProvider } from '#shared/models/wire-providers.ts';
import { createEnv } from '#shared/platform/runtime/env.ts';
import { createUse } from '#shared/platform/runtime/need.ts';
import { mergeUses } from '#shared/platform/runtime/uses.ts';

const BEDROCK = {
  MODEL_PROVIDER: 'bedrock',
  MODEL_BATCH_JOBS: 'true',
  BUCKET_NAME: 'data-bucket',
  BATCH_JOB_ROLE_ARN: 'arn:aws:iam::123456789012:role/batch-jobs',
  JOB_TAGS: '{"stage":"dev"}',
  AWS_REGION: 'eu-west-1',
};
const providerWith = (settings: Readonly<Record<string, string>>) =>
  createUse(createEnv(settings), (wanted, use) => wanted.connect(use))(theBatchProvider)();

test('batch jobs are made by Amazon Bedrock where the models are its own, and by nobody without the setting', async () => {
  const provider = await providerWith(BEDROCK);
  const request = { messages: [], maxOutputTokens: 1, temperature: 0 };

  expect(Object.keys(JSON.parse(provider?.toLine('id', 'm', request, []) ?? ''))).toEqual([
    'recordId',
    'modelInput',
  ]);
  expect(provider?.limits.callsMin).toBe(100);
  expect(await providerWith({ ...BEDROCK, MODEL_BATCH_JOBS: 'false' })).toBeNull();
});

test('batch jobs of Amazon Bedrock without a role are an error of the deployment', async () => {
  await expect(providerWith({ ...BEDROCK, BATCH_JOB_ROLE_ARN: '' })).rejects.toThrow('BATCH_JOB_ROLE_ARN');
});

test.each([
  ['read', 'cancel', 'cancel'],
  ['cancel', 'write', 'write'],
  ['read', 'write', 'write'],
] as const)('a need that may %s batch jobs and one that may %s them may together %s', (less, more, both) => {
  expect(mergeUses([{ batchJobs: less }, { batchJobs: more }])).toEqual({ batchJobs: both });
  expect(mergeUses([{ batchJobs: more }, { batchJobs: less }])).toEqual({ batchJobs: both });
});
