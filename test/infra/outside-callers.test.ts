import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionName } from '#infra/names.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { lendCredentials } from '#shared/training/background.ts';
import { attemptPolicy } from '#shared/training/decide/attempt-policy.ts';
import { ATTEMPT_ATTRIBUTES } from '#shared/training/schema/training-job.ts';
import { isAllowedBy, type Statement } from '#test/helpers/session-policy.ts';
import { EVERYTHING, flatten, grantsOf, resourcesOf, synthesize } from './synthesize.ts';

const { pipelines } = synthesize('dev', EVERYTHING);

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
  'functions.invoke': ['lambda:InvokeFunction'],
};

function resourceNamed(type: string, prefix: string) {
  const found = resourcesOf(pipelines, type).find(([id]) => id.startsWith(prefix));
  if (found === undefined) throw new Error(`no ${type} ${prefix}`);
  return found[1];
}

const trainerGrants = grantsOf(resourceNamed('AWS::IAM::ManagedPolicy', 'TrainerPolicy'));
const jobGrants = grantsOf(resourceNamed('AWS::IAM::Role', 'TrainingJobsRole'));
const attemptRole = resourceNamed('AWS::IAM::Role', 'AttemptRole');

const BUCKET = 'arn:aws:s3:::data';
const TABLE = 'arn:aws:dynamodb:eu-west-1:111122223333:table/t';

/** The statements of the role whose sessions are lent, for a bucket and a table. */
const roleStatements = (
  attemptRole.Properties.Policies as { PolicyDocument: { Statement: Statement[] } }[]
).flatMap(({ PolicyDocument }) =>
  PolicyDocument.Statement.map((statement) => ({
    ...statement,
    Resource: [statement.Resource].flat().map((resource) =>
      flatten(resource)
        .replace(/^BUCKET/, BUCKET)
        .replace(/^TABLE$/, TABLE),
    ),
  })),
);

/** Whether the session of an attempt may do it. An update names these attributes. */
function maySession(
  n: number,
  action: string,
  resource: string,
  partition?: string,
  attributes: readonly string[] = ATTEMPT_ATTRIBUTES,
): boolean {
  const { Statement: own } = JSON.parse(
    attemptPolicy(
      { experiment_id: 'e', iteration: 1, attempt: n },
      { bucketArn: BUCKET, itemPartition: keys.trainerAttempt('e', 1, n).pk },
    ),
  ) as { Statement: Statement[] };
  const request = { action, resource, ...(partition === undefined ? {} : { partition, attributes }) };
  return isAllowedBy(own, request) && isAllowedBy(roleStatements, request);
}

describe('What a trainer may', () => {
  const folder = new URL('../../trainer/gpu/tunesmith_trainer/', import.meta.url);
  const source = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const calls = new Set(
    [
      ...source.matchAll(
        /\b_?(s3|sqs|dynamodb|stepfunctions)\.([a-z]+(?:_[a-z]+)+)\(|\b_?(functions)\.(invoke)\(/g,
      ),
    ].map(([, service, call, functions, invoke]) => `${service ?? functions}.${call ?? invoke}`),
  );
  const own = new Set(trainerGrants.map(({ action }) => action));
  const lent = new Set(
    roleStatements.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action),
  );

  it('What a trainer may is held against every service that the trainer for GPUs calls', () => {
    expect(new Set([...calls].map((call) => call.split('.')[0]))).toEqual(
      new Set(['s3', 'sqs', 'dynamodb', 'stepfunctions', 'functions']),
    );
  });

  it.each([...calls].sort())('What a trainer may covers %s, by the credentials that call it', (call) => {
    const needed = actionsOfCall[call];
    const allowed = /^(s3|dynamodb)\./.test(call) ? lent : own;

    expect(needed, `Say in this test which actions ${call} needs`).toBeDefined();
    expect(needed?.filter((action) => !allowed.has(action))).toEqual([]);
  });

  it('What a trainer may by itself opens neither the table nor the bucket, and invokes nothing but the lender', () => {
    const lender = functionName('dev', lendCredentials.id);

    for (const grants of [trainerGrants, jobGrants]) {
      expect(grants.filter(({ action }) => action.startsWith('dynamodb:'))).toEqual([]);
      expect(grants.filter(({ action }) => action === 'sts:AssumeRole')).toEqual([]);
      expect(
        grants.filter(({ action }) => action.startsWith('lambda:')).map(({ resource }) => resource),
      ).toEqual([`arn:aws:lambda:REGION:ACCOUNT:function:${lender}`]);
    }
    expect(trainerGrants.filter(({ action }) => action.startsWith('s3:'))).toEqual([]);
    const ofBucket = jobGrants.filter(({ resource }) => resource.startsWith('BUCKET'));
    // What SageMaker itself leaves, and nobody reads.
    expect(new Set(ofBucket.map(({ resource }) => resource))).toEqual(
      new Set(['BUCKET/trainings/*/iterations/*/attempts/*/sagemaker/*']),
    );
    expect(ofBucket.map(({ action }) => action)).not.toContain('s3:GetObject');
  });
});

describe('The session of an attempt', () => {
  const outputOf = (n: number): string => `${BUCKET}/${objectKeys.trainerOutput('e', 1, n)}report.json`;
  const partitionOf = (n: number): string => keys.trainerAttempt('e', 1, n).pk;

  it('The session of an attempt writes the item and the outputs of its attempt', () => {
    expect(maySession(1, 'dynamodb:UpdateItem', TABLE, partitionOf(1))).toBe(true);
    expect(maySession(1, 's3:PutObject', outputOf(1))).toBe(true);
    expect(maySession(1, 's3:GetObject', `${BUCKET}/${objectKeys.heldOutRows('e')}`)).toBe(true);
  });

  it('The session of an attempt touches neither the item nor the outputs of another attempt, whose own session does', () => {
    expect(maySession(1, 'dynamodb:UpdateItem', TABLE, partitionOf(2))).toBe(false);
    expect(maySession(1, 's3:PutObject', outputOf(2))).toBe(false);
    expect(maySession(1, 's3:DeleteObject', outputOf(2))).toBe(false);
    expect(maySession(2, 'dynamodb:UpdateItem', TABLE, partitionOf(2))).toBe(true);
    expect(maySession(2, 's3:PutObject', outputOf(2))).toBe(true);
  });

  it('The session of an attempt writes no job, neither its own nor another', () => {
    for (const n of [1, 2]) {
      const job = `${BUCKET}/${objectKeys.trainingJob('e', 1, n)}`;
      for (const verb of ['PutObject', 'DeleteObject']) expect(maySession(1, `s3:${verb}`, job)).toBe(false);
    }
    expect(maySession(1, 's3:GetObject', `${BUCKET}/${objectKeys.trainingJob('e', 1, 1)}`)).toBe(true);
  });

  it('The session of an attempt does nothing with its own output but read, write and delete objects', () => {
    for (const verb of [
      'PutObjectAcl',
      'PutObjectTagging',
      'DeleteObjectVersion',
      'BypassGovernanceRetention',
    ]) {
      expect(maySession(1, `s3:${verb}`, outputOf(1))).toBe(false);
    }
  });

  it('The session of an attempt names the attributes of its item that trainers name, and no others', () => {
    const source = readFileSync(
      new URL('../../trainer/gpu/tunesmith_trainer/attempt.py', import.meta.url),
      'utf8',
    );
    // Values of items, as in `"state": {"S": …}`, and names in conditions, as in `#state`.
    const named = [...source.matchAll(/"([a-z_]+)": \{"[A-Z]+":|#([a-z_]+) = /g)].map(
      ([, value, condition]) => value ?? condition,
    );

    expect(new Set(named)).toEqual(new Set(ATTEMPT_ATTRIBUTES));
    const update = (...more: string[]): boolean =>
      maySession(1, 'dynamodb:UpdateItem', TABLE, partitionOf(1), ['pk', 'sk', ...more]);
    expect(update(...ATTEMPT_ATTRIBUTES)).toBe(true);
    // Those of lists and of the service.
    for (const name of ['list_pk', 'list_created', 'expires_at', 'job_key', 'queued_at', 'waits_until']) {
      expect(update('heartbeat_at', name), name).toBe(false);
    }
  });

  it('The session of an attempt reaches no table and no item but those of attempts, whatever its own policy says', () => {
    const other = TABLE.replace('/t', '/other');

    expect(maySession(1, 'dynamodb:UpdateItem', other, partitionOf(1))).toBe(false);
    expect(
      isAllowedBy(roleStatements, {
        action: 'dynamodb:UpdateItem',
        resource: TABLE,
        partition: keys.training('e').pk,
        attributes: ATTEMPT_ATTRIBUTES,
      }),
    ).toBe(false);
  });

  it('The session of an attempt is begun by the function that lends, and by no other principal', () => {
    const { Statement: trust } = attemptRole.Properties.AssumeRolePolicyDocument as {
      Statement: { Action: string; Effect: string; Principal: { AWS: unknown } }[];
    };
    const lender = resourcesOf(pipelines, 'AWS::Lambda::Function').find(
      ([, { Properties }]) => Properties.FunctionName === functionName('dev', lendCredentials.id),
    );

    expect(trust.map(({ Action, Effect, Principal }) => [Action, Effect, flatten(Principal.AWS)])).toEqual([
      ['sts:AssumeRole', 'Allow', flatten(lender?.[1].Properties.Role)],
    ]);
    const assuming = resourcesOf(pipelines, 'AWS::IAM::Role').flatMap(([, role]) =>
      grantsOf(role).filter(({ action }) => action === 'sts:AssumeRole'),
    );
    expect(assuming.map(({ resource }) => resource)).toEqual([
      'arn:aws:iam::ACCOUNT:role/tunesmith/dev/attempts/*',
    ]);
    expect(attemptRole.Properties.Path).toBe('/tunesmith/dev/attempts/');
  });
});
