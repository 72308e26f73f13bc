import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendTaskFailureCommand, SendTaskSuccessCommand, SFNClient } from '@aws-sdk/client-sfn';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { answerOf } from '#shared/training/decide/request-of.ts';
import { tarEntry } from '#shared/training/decide/tar-entry.ts';
import {
  type HeldOutAnswer,
  type TrainerCurve,
  TrainerMessage,
  TrainingExample,
  TrainingJob,
} from '#shared/training/schema/training-job.ts';
import { AttemptOverError } from '#trainer/embedded/errors.ts';
import { lentCredentials } from '#trainer/embedded/lent-credentials.ts';
import type { TestCloud } from './cloud-setup.ts';
import { reportOf } from './trainer-report.ts';

/** What a scripted trainer makes of a job. */
export type Behaviour =
  | {
      readonly does: 'complete';
      /** Rows that are held out on which the tuned model is the likelier, and answers better. */
      readonly wins: number;
      /** How often it reports; once by default. */
      readonly reports?: number;
      /** The files of its artifact, of which an `adapter_config.json` is enough for those who load none. */
      readonly files?: Readonly<Record<string, string | Buffer>>;
    }
  | { readonly does: 'diverge' | 'die' | 'linger' | 'hand over' }
  | { readonly does: 'fail'; readonly error: string; readonly cause: string }
  | { readonly does: 'leave'; readonly report: string };

type Completion = Extract<Behaviour, { readonly does: 'complete' }>;

export interface ScriptedTrainer {
  /** How the next jobs are done, one after the other; the last behaviour stays. */
  script(...behaviours: readonly Behaviour[]): void;
  /** The jobs that were claimed, in order. */
  readonly jobs: readonly TrainingJob[];
  /** Their messages. */
  readonly messages: readonly TrainerMessage[];
  /** Experiments whose heartbeats were refused. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

const HEARTBEAT_MILLISECONDS = 150;

/** What the credentials of an attempt open. */
interface Lent {
  readonly s3: S3Client;
  readonly table: DynamoDBDocumentClient;
}

/** A trainer that speaks the protocol, and makes up what it reports: no model is trained. */
export function startScriptedTrainer(cloud: TestCloud): ScriptedTrainer {
  const aws = { endpoint: cloud.endpoint, region: 'us-east-1' };
  const sqs = new SQSClient(aws);
  const functions = new LambdaClient(aws);
  const stepFunctions = new SFNClient(aws);
  const lent = new Map<string, Lent>();
  const queueUrl = cloud.environment.TRAINER_QUEUE_URL ?? '';
  const jobs: TrainingJob[] = [];
  const messages: TrainerMessage[] = [];
  const refused: string[] = [];
  let behaviours: readonly Behaviour[] = [{ does: 'complete', wins: Number.POSITIVE_INFINITY }];
  let isStopped = false;

  /** Clients that have what is lent for the attempt of a message, and no other rights. */
  const borrow = (message: TrainerMessage): Lent => {
    const credentials = lentCredentials(message, functions);
    return {
      s3: new S3Client({ ...aws, credentials, forcePathStyle: true }),
      table: DynamoDBDocumentClient.from(new DynamoDBClient({ ...aws, credentials })),
    };
  };
  const lentFor = (job: TrainingJob): Lent => {
    const found = lent.get(job.output_prefix);
    if (found === undefined) throw new Error('Nothing is lent for this job.');
    return found;
  };

  const read = async ({ s3 }: Lent, bucket: string, key: string): Promise<string> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return (await Body?.transformToString()) ?? '';
  };
  const write = (job: TrainingJob, name: string, body: string | Buffer): Promise<unknown> =>
    lentFor(job).s3.send(
      new PutObjectCommand({ Bucket: job.bucket, Key: `${job.output_prefix}${name}`, Body: body }),
    );

  /** Answers whether the attempt is still this trainer's. */
  const update = async (
    job: TrainingJob,
    worker: string,
    fields: Record<string, string>,
    from = 'claimed',
  ) => {
    const { table: TableName, pk, sk } = job.attempt_item;
    const all = { ...fields, heartbeat_at: new Date().toISOString() };
    try {
      await lentFor(job).table.send(
        new UpdateCommand({
          TableName,
          Key: { pk, sk },
          UpdateExpression: `SET ${Object.keys(all)
            .map((name) => `#${name} = :${name}`)
            .join(', ')}`,
          ConditionExpression: from === 'queued' ? '#s = :from' : '#s = :from AND claimed_by = :me',
          ExpressionAttributeNames: {
            ...Object.fromEntries(Object.keys(all).map((name) => [`#${name}`, name])),
            '#s': 'state',
          },
          ExpressionAttributeValues: {
            ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`:${name}`, value])),
            ':from': from,
            ...(from === 'queued' ? {} : { ':me': worker }),
          },
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  };

  const linger = async (job: TrainingJob, worker: string, phase: string): Promise<void> => {
    while (!isStopped) {
      if (!(await update(job, worker, { phase }))) {
        refused.push(job.experiment_id);
        return;
      }
      await sleep(HEARTBEAT_MILLISECONDS);
    }
  };

  const finish = async (job: TrainingJob, times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      await stepFunctions
        .send(
          new SendTaskSuccessCommand({
            taskToken: job.task_token,
            output: JSON.stringify({ report_key: `${job.output_prefix}report.json` }),
          }),
        )
        // A second report, or one that comes too late, is refused.
        .catch((error: unknown) => {
          if (n === 0 && !(error as Error).name.startsWith('Task')) throw error;
        });
    }
  };

  const complete = async (
    job: TrainingJob,
    worker: string,
    { wins, reports = 1, files = { 'adapter_config.json': '{}' } }: Completion,
  ): Promise<void> => {
    const held = (await read(lentFor(job), job.bucket, job.data.held_out_key))
      .split('\n')
      .filter((line) => line !== '');
    const answers = held.map((line, index): HeldOutAnswer => {
      const { row, messages, completion, chosen } = TrainingExample.parse(JSON.parse(line));
      const reference = answerOf(completion ?? chosen ?? '');
      const isWon = index < wins;
      return {
        row,
        messages,
        reference,
        base: { answer: isWon ? 'no' : reference, reference_logprob: -2 },
        tuned: { answer: isWon ? reference : 'no', reference_logprob: isWon ? -1 : -3 },
      };
    });
    const artifact = gzipSync(
      Buffer.concat([
        ...Object.entries(files).map(([name, body]) => tarEntry(name, Buffer.from(body))),
        Buffer.alloc(1024),
      ]),
    );
    await write(job, 'answers.jsonl', answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
    await write(job, 'artifact.tar.gz', artifact);
    await write(job, 'report.json', JSON.stringify(reportOf(job, 'completed', artifact.length)));
    if (!(await update(job, worker, { phase: 'packing' }))) {
      refused.push(job.experiment_id);
      return;
    }
    await finish(job, reports);
    await update(job, worker, { state: 'ended' });
  };

  const work = async (job: TrainingJob, worker: string, behaviour: Behaviour): Promise<void> => {
    switch (behaviour.does) {
      case 'complete':
        return complete(job, worker, behaviour);
      case 'diverge':
        await write(job, 'report.json', JSON.stringify(reportOf(job, 'diverged', 0)));
        return finish(job, 1);
      case 'leave':
        await write(job, 'report.json', behaviour.report);
        return finish(job, 1);
      case 'fail': {
        const { error, cause } = behaviour;
        await stepFunctions.send(new SendTaskFailureCommand({ taskToken: job.task_token, error, cause }));
        return;
      }
      case 'linger': {
        const { version, stages } = reportOf(job, 'completed', 0);
        await write(job, 'curve.json', JSON.stringify({ version, stages } satisfies TrainerCurve));
        return linger(job, worker, 'training');
      }
      case 'hand over':
        return linger(job, worker, 'handing_over');
      case 'die':
    }
  };

  /** The job of a message; null where its attempt is over. */
  const take = async (message: TrainerMessage): Promise<TrainingJob | null> => {
    const clients = borrow(message);
    try {
      const job = TrainingJob.parse(JSON.parse(await read(clients, message.bucket, message.job_key)));
      lent.set(job.output_prefix, clients);
      return job;
    } catch (error) {
      if (error instanceof AttemptOverError) return null;
      throw error;
    }
  };

  const running: Promise<void>[] = [];
  const poll = async (): Promise<void> => {
    while (!isStopped) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 1, MaxNumberOfMessages: 1 }),
      );
      for (const { Body = '', ReceiptHandle } of Messages) {
        const message = TrainerMessage.parse(JSON.parse(Body));
        const job = await take(message);
        if (job === null) {
          await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
          continue;
        }
        const worker = randomUUID();
        const isClaimed = await update(
          job,
          worker,
          { state: 'claimed', claimed_by: worker, phase: 'starting' },
          'queued',
        );
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
        if (!isClaimed) continue;
        const [behaviour, ...rest] = behaviours;
        if (rest.length > 0) behaviours = rest;
        jobs.push(job);
        messages.push(message);
        if (behaviour !== undefined) running.push(work(job, worker, behaviour));
      }
    }
  };
  const polling = poll();

  return {
    jobs,
    messages,
    refused,
    script: (...next) => {
      behaviours = next;
    },
    async stop() {
      isStopped = true;
      await polling;
      await Promise.all(running);
      for (const client of [sqs, functions, stepFunctions]) client.destroy();
      for (const { s3, table } of lent.values()) {
        s3.destroy();
        table.destroy();
      }
    },
  };
}
