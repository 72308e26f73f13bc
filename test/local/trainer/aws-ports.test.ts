import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createQueue } from '#local/trainer/aws-ports.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the queue of the trainer', () => {
  it('is asked at the endpoint of the environment, whatever port the URL of the queue names', async () => {
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
});
