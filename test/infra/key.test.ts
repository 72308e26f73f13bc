import { expect, it } from 'vitest';
import { accessPolicy } from '#infra/access-policies.ts';
import { configFor, EVERYTHING, flatten, resourcesOf, synthesize, type Template } from './synthesize.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/0f000000-0000-4000-8000-000000000000';
const stage = synthesize('dev', { ...EVERYTHING, KMS_KEY_ARN: KEY });
const without = synthesize('dev', EVERYTHING);
const templates = ({ data, pipelines, api, operations }: typeof stage): Template[] => [
  data,
  pipelines,
  api,
  operations,
];

const propertiesOf = (type: string, of = stage): [string, Record<string, unknown>][] =>
  templates(of).flatMap((template) =>
    resourcesOf(template, type).map(([id, { Properties }]): [string, Record<string, unknown>] => [
      id,
      Properties,
    ]),
  );

it('the table, the bucket, logs, queues and the topic of a stage are encrypted with the operator’s key', () => {
  const encryptions = {
    'AWS::DynamoDB::Table': 'SSESpecification',
    'AWS::S3::Bucket': 'BucketEncryption',
    'AWS::Logs::LogGroup': 'KmsKeyId',
    'AWS::SQS::Queue': 'KmsMasterKeyId',
    'AWS::SNS::Topic': 'KmsMasterKeyId',
  };

  const open = Object.entries(encryptions).flatMap(([type, name]) =>
    propertiesOf(type)
      .filter(([, properties]) => !JSON.stringify(properties[name] ?? null).includes(KEY))
      .map(([id]) => id.replace(/[0-9A-F]{8}$/, '')),
  );

  // S3 writes access logs to no bucket with a key of KMS.
  expect(open).toEqual(['AccessLogs']);
  for (const type of Object.keys(encryptions)) expect(propertiesOf(type).length).toBeGreaterThan(0);
});

it('each role that reads or writes what is stored may use the key, and only through the services that store it', () => {
  const policies = propertiesOf('AWS::IAM::ManagedPolicy').filter(([id]) => id.startsWith('KeyPolicy'));
  const statements = policies.flatMap(
    ([, { PolicyDocument }]) => (PolicyDocument as { Statement: Record<string, unknown>[] }).Statement,
  );
  const users = propertiesOf('AWS::IAM::Role').filter(([, { Policies }]) =>
    /"(?:dynamodb:(?:GetItem|UpdateItem|PutItem)|s3:(?:GetObject|PutObject)|sqs:(?:SendMessage|ReceiveMessage))"/.test(
      JSON.stringify(Policies ?? []),
    ),
  );
  const lacking = users
    .filter(([, { ManagedPolicyArns }]) => !flatten(ManagedPolicyArns ?? []).includes('KeyPolicy'))
    .map(([id]) => id);

  expect(users.length).toBeGreaterThan(150);
  expect(lacking).toEqual([]);
  // One in each stack that has such roles: what another one exports could not be removed with the setting.
  expect(statements).toHaveLength(2);
  for (const statement of statements) expect(statement).toMatchObject({ Resource: KEY });
  expect(JSON.stringify(statements[0]?.Condition)).toMatch(
    /kms:ViaService.*dynamodb\..*"\.amazonaws\.com\*".*s3\..*sqs\./,
  );
});

it('a machine that takes training jobs from the queue may use the key', () => {
  const [, trainer] =
    propertiesOf('AWS::IAM::ManagedPolicy').find(([id]) => id.startsWith('TrainerPolicy')) ?? [];

  expect(JSON.stringify(trainer?.PolicyDocument)).toContain('"Sid":"UseKey"');
});

it('the services encrypt with keys of their own where the operator gives none', () => {
  const text = JSON.stringify(templates(without).map((template) => Object.values(template.Resources)));

  expect(text).not.toContain('KeyPolicy');
  expect(text).not.toContain('"Sid":"UseKey"');
});

it.each([
  [{ KMS_KEY_ARN: 'alias/ours' }, 'must be the ARN of a key of AWS KMS'],
  [{ KMS_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:alias/ours' }, 'not of an alias'],
  [
    { KMS_KEY_ARN: KEY, STAGE: 'local', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' },
    'an emulator encrypts nothing',
  ],
])('the setting %j of a key is refused by name', (settings, message) => {
  expect(() => configFor('dev', settings as unknown as Record<string, string>)).toThrow(message);
});

it('those who deploy and operate may use the key of a stage, if their policy is printed with it', () => {
  const place = { partition: 'aws', region: 'eu-west-1', account: '123456789012', stage: 'dev' };
  const sids = (key?: string): string[] =>
    accessPolicy('operate', { ...place, ...(key === undefined ? {} : { key }) }).Statement.map(
      ({ Sid }) => Sid,
    );

  expect(sids(KEY)).toEqual([...sids(), 'UseKey']);
});
