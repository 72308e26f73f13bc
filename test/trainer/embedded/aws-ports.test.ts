import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, expect, it, vi } from 'vitest';
import { ATTEMPT_ATTRIBUTES } from '#shared/training/schema/training-job.ts';
import { borrow, createQueue } from '#trainer/embedded/aws-ports.ts';
import type { TrainingProgress } from '#trainer/embedded/run-job.ts';

afterEach(() => vi.unstubAllEnvs());

it('the queue of the trainer is asked at the endpoint of the environment, whatever port the URL of the queue names', async () => {
  const server = createServer((_request, response) => {
    const MD5OfBody = createHash('md5').update('a job').digest('hex');
    const Messages = [{ Body: 'a job', ReceiptHandle: 'r', MD5OfBody }];
    response
      .writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ Messages }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');

  const queue = createQueue('http://localhost:9/000000000000/jobs');
  const message = await queue.receive(AbortSignal.timeout(5_000));
  server.close();

  expect(message).toEqual({ body: 'a job', receipt: 'r' });
});

it('the item of an attempt is updated by the attributes that the role of the attempts allows', async () => {
  const documents = mockClient(DynamoDBDocumentClient);
  documents.on(UpdateCommand).resolves({});
  const { attempts } = borrow({ bucket: 'data', job_key: 'job.json', lender: 'lender', secret: 'secret' });
  const item = { table: 'table', pk: 'pk', sk: 'sk' };
  const progress: Required<TrainingProgress> = { phase: 'training', method: 'sft', step: 1, steps: 2 };

  await attempts.claim(item, 'me', new Date());
  await attempts.beat(item, 'me', new Date(), progress);
  await attempts.end(item, 'me');

  const named = documents
    .commandCalls(UpdateCommand)
    .flatMap(({ args: [{ input }] }) => [
      ...Object.keys(input.Key ?? {}),
      ...Object.values(input.ExpressionAttributeNames ?? {}),
    ]);
  expect(new Set(named)).toEqual(new Set(ATTEMPT_ATTRIBUTES));
  documents.restore();
});
