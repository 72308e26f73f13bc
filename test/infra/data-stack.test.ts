import { describe, expect, it } from 'vitest';
import { EMULATED, flatten, propertiesOfFirst, resourcesOf, synthesize } from './synthesize.ts';

const dev = synthesize('dev');
const production = synthesize('prod');
const emulated = synthesize('local', EMULATED);

const only = (stack: typeof dev, type: string) => {
  const [first, ...others] = resourcesOf(stack.data, type);
  if (first === undefined || others.length > 0) throw new Error(`expected one ${type}`);
  return first[1];
};

it('the table is on demand, forgets expired items and can be restored to a point in time', () => {
  expect(only(dev, 'AWS::DynamoDB::Table').Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expires_at', Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
  });
});

it('the table lists by creation, update and name', () => {
  const indexes = only(dev, 'AWS::DynamoDB::Table').Properties.GlobalSecondaryIndexes as {
    IndexName: string;
    KeySchema: { AttributeName: string }[];
    Projection: unknown;
  }[];

  expect(
    indexes.map(({ IndexName, KeySchema }) => [IndexName, ...KeySchema.map((key) => key.AttributeName)]),
  ).toEqual([
    ['by_created', 'list_pk', 'list_created'],
    ['by_updated', 'list_pk', 'list_updated'],
    ['by_name', 'list_pk', 'list_name'],
  ]);
  for (const { Projection } of indexes) expect(Projection).toEqual({ ProjectionType: 'ALL' });
});

it('the buckets are private and encrypted everywhere', () => {
  for (const stack of [dev, production, emulated]) {
    const buckets = resourcesOf(stack.data, 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    for (const [, { Properties }] of buckets) {
      expect(Properties).toMatchObject({
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
      });
    }
  }
});

it('the buckets refuse plain http on AWS; an emulator is reached over nothing else', () => {
  const denials = (stack: typeof dev): number =>
    JSON.stringify(resourcesOf(stack.data, 'AWS::S3::BucketPolicy')).split('"aws:SecureTransport":"false"')
      .length - 1;

  expect(denials(dev)).toBe(2);
  expect(denials(production)).toBe(2);
  expect(denials(emulated)).toBe(0);
});

it('the buckets expire the quarantine after two days, exports and stored responses after thirty, and give up unfinished uploads', () => {
  const { LifecycleConfiguration } = propertiesOfFirst(dev.data, 'AWS::S3::Bucket', 'Bucket');

  expect(LifecycleConfiguration).toEqual({
    Rules: [
      expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
      expect.objectContaining({
        NoncurrentVersionExpiration: { NoncurrentDays: 35 },
        ExpiredObjectDeleteMarker: true,
      }),
      expect.objectContaining({ Prefix: 'uploads/', ExpirationInDays: 2 }),
      expect.objectContaining({ Prefix: 'imports/', ExpirationInDays: 2 }),
      expect.objectContaining({ Prefix: 'converted/', ExpirationInDays: 2 }),
      // A day is over once it has passed everywhere.
      expect.objectContaining({ Prefix: 'responses/', ExpirationInDays: 31 }),
      expect.objectContaining({ Prefix: 'batches/', ExpirationInDays: 32 }),
      expect.objectContaining({ Prefix: 'batch-outputs/', ExpirationInDays: 3 }),
      expect.objectContaining({ Prefix: 'exports/', ExpirationInDays: 30 }),
    ],
  });
});

it('the table and the versions of objects can be brought back for as many days as the setting says', () => {
  const { data } = synthesize('dev', { BACKUP_DAYS: '7' });
  const bucket = propertiesOfFirst(data, 'AWS::S3::Bucket', 'Bucket');
  const { Rules } = bucket.LifecycleConfiguration as {
    Rules: { Id: string; Prefix?: string; NoncurrentVersionExpiration?: { NoncurrentDays: number } }[];
  };

  expect(bucket.VersioningConfiguration).toEqual({ Status: 'Enabled' });
  expect(propertiesOfFirst(data, 'AWS::DynamoDB::Table').PointInTimeRecoverySpecification).toEqual({
    PointInTimeRecoveryEnabled: true,
    RecoveryPeriodInDays: 7,
  });
  expect(
    Rules.map(({ Prefix, NoncurrentVersionExpiration }) => [
      Prefix,
      NoncurrentVersionExpiration?.NoncurrentDays,
    ]).filter(([, days]) => days !== undefined),
  ).toEqual([
    [undefined, 7],
    ...['uploads/', 'imports/', 'converted/', 'batch-outputs/', 'exports/'].map((prefix) => [prefix, 1]),
  ]);
});

it('the buckets expire nothing of datasets or runs', () => {
  const text = JSON.stringify(resourcesOf(dev.data, 'AWS::S3::Bucket'));

  expect(text).not.toContain('"datasets/');
  expect(text).not.toContain('"runs/');
});

describe('stateful resources', () => {
  const types = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket'];

  it('stateful resources stay in production when the stack goes, and go with it elsewhere', () => {
    for (const type of types) {
      for (const [, { DeletionPolicy }] of resourcesOf(production.data, type))
        expect(DeletionPolicy).toBe('RetainExceptOnCreate');
      for (const [, { DeletionPolicy }] of resourcesOf(dev.data, type)) expect(DeletionPolicy).toBe('Delete');
    }
    expect(only(production, 'AWS::DynamoDB::Table').Properties.DeletionProtectionEnabled).toBe(true);
  });

  it('stateful resources hold no secret in the template: some are generated there, one is put in by hand', () => {
    const secrets = resourcesOf(production.data, 'AWS::SecretsManager::Secret').map(
      ([, { Properties }]) => Properties,
    );

    expect(secrets).toEqual([
      expect.objectContaining({
        Name: 'tunesmith/prod/cursor-signing',
        GenerateSecretString: expect.objectContaining({ PasswordLength: 64 }),
      }),
      expect.objectContaining({
        Name: 'tunesmith/prod/webhook-signing',
        GenerateSecretString: expect.objectContaining({ PasswordLength: 64 }),
      }),
      expect.objectContaining({ Name: 'tunesmith/prod/model-api-key', SecretString: 'unset' }),
    ]);
  });
});

it('the outputs name the table, the bucket and the secret of the model', () => {
  const outputs = dev.data.Outputs ?? {};

  expect(flatten(outputs.TableName?.Value)).toBe('TABLE');
  expect(flatten(outputs.BucketName?.Value)).toBe('BUCKET');
  expect(outputs.ModelApiKeySecretName?.Value).toBe('tunesmith/dev/model-api-key');
});
