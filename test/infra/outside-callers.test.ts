import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { objectKeys } from '#shared/domain/storage/object-keys.ts';
import { grantsOf, resourcesOf, synthesize } from './synthesize.ts';

const { pipelines } = synthesize('dev', { MODEL_ID: 'vendor.text-model-v1:0' });

/** What the calls of a trainer need, by the services' own names. */
const actionsOfCall: Readonly<Record<string, readonly string[]>> = {
  's3.get_object': ['s3:GetObject'],
  's3.download_file': ['s3:GetObject'],
  's3.put_object': ['s3:PutObject'],
  's3.upload_file': ['s3:PutObject', 's3:AbortMultipartUpload'],
  's3.delete_object': ['s3:DeleteObject'],
  'sqs.receive_message': ['sqs:ReceiveMessage'],
  'sqs.delete_message': ['sqs:DeleteMessage'],
  'sqs.change_message_visibility': ['sqs:ChangeMessageVisibility'],
  'dynamodb.update_item': ['dynamodb:UpdateItem'],
  'stepfunctions.send_task_success': ['states:SendTaskSuccess'],
  'stepfunctions.send_task_failure': ['states:SendTaskFailure'],
  'stepfunctions.send_task_heartbeat': ['states:SendTaskHeartbeat'],
};

describe('The policy of the trainers', () => {
  const [policy] = resourcesOf(pipelines, 'AWS::IAM::ManagedPolicy').map(([, resource]) => resource);
  const allowed = new Set(policy === undefined ? [] : grantsOf(policy).map(({ action }) => action));
  const folder = new URL('../../trainer/tunesmith_trainer/', import.meta.url);
  const source = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const calls = new Set(
    [...source.matchAll(/\b_?(s3|sqs|dynamodb|stepfunctions)\.([a-z]+(?:_[a-z]+)+)\(/g)].map(
      ([, service, call]) => `${service}.${call}`,
    ),
  );

  it('is held against every service that the trainer for GPUs calls', () => {
    expect(new Set([...calls].map((call) => call.split('.')[0]))).toEqual(
      new Set(['s3', 'sqs', 'dynamodb', 'stepfunctions']),
    );
  });

  it.each([...calls].sort())('allows %s', (call) => {
    const needed = actionsOfCall[call];
    expect(needed, `Say in this test which actions ${call} needs`).toBeDefined();
    expect(needed?.filter((action) => !allowed.has(action))).toEqual([]);
  });
});

describe('The role of the machine that maps over chunks', () => {
  const [role] = resourcesOf(pipelines, 'AWS::IAM::Role')
    .map(([, resource]) => resource)
    .filter((resource) => grantsOf(resource).some(({ sid }) => sid === 'ReadPlans'));
  const patterns = (action: string) =>
    (role === undefined ? [] : grantsOf(role))
      .filter((grant) => grant.action === action)
      .map(({ resource }) => /\/([a-z-]+\/)\*$/.exec(resource)?.[1]);
  const keyOf = (name: keyof typeof objectKeys): string =>
    (objectKeys[name] as (...parts: unknown[]) => string)('id', 1, 1);
  const plans = (Object.keys(objectKeys) as (keyof typeof objectKeys)[]).filter((name) =>
    /plan$/i.test(name),
  );

  it.each(plans)('reads %s', (name) => {
    const [folder] = /^[^/]+\//.exec(keyOf(name)) ?? [];
    expect(patterns('s3:GetObject')).toContain(folder);
  });

  it('writes its results', () => {
    const [folder] = /^[^/]+\//.exec(keyOf('mapResults')) ?? [];
    expect(patterns('s3:PutObject')).toContain(folder);
  });
});
