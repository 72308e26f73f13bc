import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SendTaskHeartbeatCommand, SendTaskSuccessCommand, SFNClient } from '@aws-sdk/client-sfn';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createTaskTokens, wasAwaited } from '#shared/training/adapters/task-tokens.ts';
import type { TrainerMessage, TrainingJob } from '#shared/training/schema/training-job.ts';
import type { AttemptStore, Tasks } from './attempt.ts';
import { createBucket } from './bucket.ts';
import { AttemptOverError } from './errors.ts';
import { type LentProvider, lentCredentials } from './lent-credentials.ts';
import type { LentPorts, QueuePorts } from './take-messages.ts';
import { trainApart } from './train-apart.ts';

const longPollSeconds = 20;

/** An S3 client as the environment says. Names of buckets are no names of hosts where an endpoint stands in for AWS. */
export function createS3Client(credentials: LentProvider): S3Client {
  return new S3Client({ credentials, forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined });
}

/** The queue, by the trainer's own credentials. */
export function createQueue(queueUrl: string): Pick<QueuePorts, 'receive' | 'remove'> {
  // The URL of a queue may name an emulator by another address than the one where it is reached.
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  return {
    receive: async (signal) => {
      const { Messages } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: 1,
          WaitTimeSeconds: longPollSeconds,
        }),
        { abortSignal: signal },
      );
      const [message] = Messages ?? [];
      if (message?.Body === undefined || message.ReceiptHandle === undefined) return undefined;
      return { body: message.Body, receipt: message.ReceiptHandle };
    },
    remove: async (receipt) => {
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: receipt }));
    },
  };
}

/** What the credentials of an attempt open to the worker. */
export function borrow(message: TrainerMessage): LentPorts {
  const credentials = lentCredentials(message);
  const s3 = createS3Client(credentials);
  return {
    attempts: createAttemptStore(DynamoDBDocumentClient.from(new DynamoDBClient({ credentials }))),
    readObject: async (bucket, key) => (await createBucket(s3, bucket).read(key)).toString('utf8'),
    startTraining: (job) => trainApart(job, message),
  };
}

/** The items of attempts, by a client with the credentials of the attempt. */
export function createAttemptStore(documents: Pick<DynamoDBDocumentClient, 'send'>): AttemptStore {
  /** Sets attributes where the condition holds; says whether it did. */
  const update = async (
    { table, pk, sk }: TrainingJob['attempt_item'],
    attributes: Readonly<Record<string, unknown>>,
    condition: string,
    values: Readonly<Record<string, unknown>>,
  ): Promise<boolean> => {
    const names = Object.keys(attributes);
    const used = new Set([...names, ...(condition.match(/(?<=#)\w+/g) ?? [])]);
    try {
      await documents.send(
        new UpdateCommand({
          TableName: table,
          Key: { pk, sk },
          UpdateExpression: `SET ${names.map((name) => `#${name} = :new_${name}`).join(', ')}`,
          ConditionExpression: condition,
          ExpressionAttributeNames: Object.fromEntries([...used].map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: {
            ...values,
            ...Object.fromEntries(names.map((name) => [`:new_${name}`, attributes[name]])),
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException || error instanceof AttemptOverError) return false;
      throw error;
    }
  };
  const isMine = '#state = :claimed AND #claimed_by = :owner';
  const mine = (owner: string) => ({ ':claimed': 'claimed', ':owner': owner });
  return {
    claim: (item, owner, at) =>
      update(
        item,
        { state: 'claimed', claimed_by: owner, heartbeat_at: at.toISOString(), phase: 'starting' },
        '#state = :queued',
        { ':queued': 'queued' },
      ),
    beat: (item, owner, at, progress) =>
      update(item, { heartbeat_at: at.toISOString(), ...progress }, isMine, mine(owner)),
    end: (item, owner) => update(item, { state: 'ended' }, isMine, mine(owner)),
  };
}

export function createTasks(): Tasks {
  const states = new SFNClient();
  return {
    ...createTaskTokens(states),
    heartbeat: (taskToken) => wasAwaited(states.send(new SendTaskHeartbeatCommand({ taskToken }))),
    succeed: (taskToken, output) =>
      wasAwaited(states.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }))),
  };
}
