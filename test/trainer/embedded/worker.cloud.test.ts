import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { functionName } from '#infra/names.ts';
import type { Service } from '#local/child.ts';
import { emulatorIdentity } from '#local/emulator.ts';
import { setUpModels } from '#local/model/setup.ts';
import { silentProgress } from '#local/progress.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { lendCredentials } from '#shared/training/background.ts';
import { attemptSecret } from '#shared/training/decide/attempt-secret.ts';
import type { TrainerAttempt, TrainingJob } from '#shared/training/schema/training-job.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';
import { trainerPoliciesFor } from '#test/infra/trainer-policy.ts';
import { provideTrainerUser } from '#trainer/embedded/identity.ts';
import { trainerModelIds } from '#trainer/embedded/models.ts';
import { startTrainer } from '#trainer/embedded/start.ts';
import { createJob } from './training-job.ts';

const folder = mkdtempSync(join(tmpdir(), 'trainer-test-'));
const logFile = join(folder, 'trainer.log');
const name = `trainer-test-${Date.now()}`;
const { environment, tableName, bucketName } = testCloud();
const lender = functionName('local', lendCredentials.id);
const clients = {
  sqs: new SQSClient(),
  s3: new S3Client({ forcePathStyle: true }),
  states: new SFNClient(),
  items: DynamoDBDocumentClient.from(new DynamoDBClient()),
};
let trainer: Service;
let queueUrl: string;

beforeAll(async () => {
  // The process that trains loads what serves models, which `npm run local` installs with them.
  await setUpModels(trainerModelIds, silentProgress);
  queueUrl = await createQueue(name);
  const arn = (service: string, resource: string): string =>
    `arn:aws:${service}:${environment.AWS_REGION}:${emulatorIdentity.account}:${resource}`;
  const { trainer: policy } = trainerPoliciesFor({
    bucketArn: `arn:aws:s3:::${bucketName}`,
    tableArn: arn('dynamodb', `table/${tableName}`),
    queueArn: arn('sqs', name),
    lenderArn: arn('lambda', `function:${lender}`),
  });
  const credentials = await provideTrainerUser(name, policy, {});
  trainer = await startTrainer({ queueUrl, logFile, awsEnvironment: { ...environment, ...credentials } });
});

afterAll(async () => {
  await trainer?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('The trainer of the local cloud tells the state machine of a job that it refuses, and ends its attempt', async () => {
  const { executionArn, token } = await waitForTask();
  const job = await enqueue({ task_token: token });
  const execution = await until(async () => {
    const found = await clients.states.send(new DescribeExecutionCommand({ executionArn }));
    return found.status === 'RUNNING' ? undefined : found;
  });
  expect(execution).toMatchObject({ status: 'FAILED', error: 'trainer_refused' });
  expect(execution.cause).toContain('does not know tiny');
  const attempt = await until(async () => {
    const found = await attemptOf(job);
    return found?.state === 'ended' ? found : undefined;
  });
  expect(attempt.claimed_by).toMatch(/^embedded:/);
  expect(readFileSync(logFile, 'utf8')).not.toContain(token);
  expect(await messagesLeft()).toBe(0);
});

test.each([
  ['was revoked', 'revoked', 'credentials_refused'],
  ['another trainer has claimed', 'claimed', 'claim_refused'],
] as const)(
  'The trainer of the local cloud leaves an attempt that %s, and takes its message from the queue',
  async (_, state, logged) => {
    const job = await enqueue({}, state);
    await until(async () => (readFileSync(logFile, 'utf8').includes(logged) ? true : undefined));
    await until(async () => ((await messagesLeft()) === 0 ? true : undefined));
    expect(await attemptOf(job)).toMatchObject({ state });
    expect(readFileSync(logFile, 'utf8')).not.toContain(attemptSecret(job.task_token));
  },
);

async function createQueue(queueName: string): Promise<string> {
  return (await clients.sqs.send(new CreateQueueCommand({ QueueName: queueName }))).QueueUrl ?? '';
}

/** Starts an execution that waits for a task, whose token comes by a queue. */
async function waitForTask() {
  const tokensUrl = await createQueue(`${name}-tokens`);
  const { stateMachines: [machine] = [] } = await clients.states.send(new ListStateMachinesCommand());
  const { roleArn } = await clients.states.send(
    new DescribeStateMachineCommand({ stateMachineArn: machine?.stateMachineArn }),
  );
  const { stateMachineArn } = await clients.states.send(
    new CreateStateMachineCommand({
      name,
      roleArn,
      definition: JSON.stringify({
        StartAt: 'Wait',
        States: {
          Wait: {
            Type: 'Task',
            Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken',
            Parameters: { QueueUrl: tokensUrl, 'MessageBody.$': '$$.Task.Token' },
            End: true,
          },
        },
      }),
    }),
  );
  const { executionArn = '' } = await clients.states.send(new StartExecutionCommand({ stateMachineArn }));
  const token = await until(async () => {
    const { Messages } = await clients.sqs.send(new ReceiveMessageCommand({ QueueUrl: tokensUrl }));
    return Messages?.[0]?.Body;
  });
  return { executionArn, token };
}

/** Queues a job as the service does, whose attempt's item is in this state. */
async function enqueue(
  changes: Partial<TrainingJob>,
  state: TrainerAttempt['state'] = 'queued',
): Promise<TrainingJob> {
  const id = { experiment_id: randomUUID(), iteration: 1, attempt: 1 };
  const queued_at = new Date().toISOString();
  const item = keys.trainerAttempt(id.experiment_id, 1, 1);
  const job = createJob({
    ...id,
    output_prefix: objectKeys.trainerOutput(id.experiment_id, 1, 1),
    ...changes,
    bucket: bucketName,
    attempt_item: { table: tableName, ...item },
  });
  const key = objectKeys.trainingJob(id.experiment_id, 1, 1);
  const training = { status: 'running', attempt: { iteration: 1, attempt: 1, queued_at } };
  for (const Item of [
    { ...keys.training(id.experiment_id), ...training },
    { ...item, state, job_key: key, queued_at },
  ]) {
    await clients.items.send(new PutCommand({ TableName: tableName, Item }));
  }
  await clients.s3.send(new PutObjectCommand({ Bucket: bucketName, Key: key, Body: JSON.stringify(job) }));
  const secret = attemptSecret(job.task_token);
  const body = JSON.stringify({ bucket: bucketName, job_key: key, lender, secret });
  await clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
  return job;
}

async function attemptOf({ attempt_item: { pk, sk } }: TrainingJob) {
  const { Item } = await clients.items.send(new GetCommand({ TableName: tableName, Key: { pk, sk } }));
  return Item;
}

async function messagesLeft(): Promise<number> {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes } = await clients.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...names] }),
  );
  return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
}

async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error(`It did not happen in a minute. The trainer's log: ${readFileSync(logFile, 'utf8')}`);
}
