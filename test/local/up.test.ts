import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock } from '#local/lock.ts';
import { findFreePort } from '#local/ports.ts';
import { silentProgress } from '#local/progress.ts';
import { choosePort, chosenEndpoint, startLocalCloud } from '#local/up.ts';

const model = { baseUrl: 'http://127.0.0.1:9/v1', modelId: 'any' };
let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'tunesmith-cloud-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(stateDir, { recursive: true });
});

it('starting the local cloud asks for the model of an endpoint before it starts anything', async () => {
  vi.stubEnv('MODEL_BASE_URL', 'http://127.0.0.1:9/v1');

  await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(
    'MODEL_BASE_URL needs MODEL_ID',
  );
});

it('starting the local cloud refuses to start twice from one checkout, naming the process that runs', async () => {
  acquireLock(join(stateDir, 'running.lock'), new Date());

  await expect(startLocalCloud({ model, stateDir, quiet: true })).rejects.toThrow(
    new RegExp(`runs already: process ${process.pid}.*kill ${process.pid}`),
  );
});

it('starting the local cloud uses no other emulator in silence: where AWS_ENDPOINT_URL does not answer it says so', async () => {
  const endpoint = `http://127.0.0.1:${await findFreePort()}`;
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);

  await expect(startLocalCloud({ model, stateDir, quiet: true })).rejects.toThrow(
    `AWS_ENDPOINT_URL is ${endpoint}, and nothing answers there`,
  );
});

it('starting the local cloud fails where the chosen model does not answer, and lets go of the checkout', async () => {
  vi.stubEnv('MODEL_ID', 'any');
  vi.stubEnv('MODEL_BASE_URL', `http://127.0.0.1:${await findFreePort()}/v1`);

  await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(
    /No model answers at/,
  );
  expect(existsSync(join(stateDir, 'running.lock'))).toBe(false);
});

it('starting the local cloud fails where the chosen model refuses the key', async () => {
  const port = await findFreePort();
  const refusing = createServer((_request, response) => response.writeHead(401).end()).listen(
    port,
    '127.0.0.1',
  );
  vi.stubEnv('MODEL_ID', 'any');
  vi.stubEnv('MODEL_BASE_URL', `http://127.0.0.1:${port}/v1`);

  await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(
    /answers with 401\. Check MODEL_BASE_URL .* and MODEL_API_KEY/,
  );
  refusing.close();
});

it('starting the local cloud warns of a model that the endpoint does not list', async () => {
  const port = await findFreePort();
  const listing = createServer((_request, response) => response.end('{"data":[{"id":"small"}]}')).listen(
    port,
    '127.0.0.1',
  );
  vi.stubEnv('MODEL_ID', 'smal');
  vi.stubEnv('MODEL_BASE_URL', `http://127.0.0.1:${port}/v1`);
  // Ends the start behind the model.
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${await findFreePort()}`);
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

  await expect(startLocalCloud({ model: 'real', stateDir })).rejects.toThrow('nothing answers there');

  expect(written.mock.calls.join('')).toContain('does not list MODEL_ID=smal');
  written.mockRestore();
  listing.close();
});

it.each([
  ['no-such-model', 'No local model is called "no-such-model"'],
  ['all-minilm-l6-v2-int8', 'is a model for embeddings'],
])('starting the local cloud refuses LOCAL_MODEL=%s', async (localModel, message) => {
  vi.stubEnv('LOCAL_MODEL', localModel);

  await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(message);
});

describe('the emulator that is used', () => {
  const url = 'http://127.0.0.1:4566';

  it.each([
    ['none is named', {}, null],
    ['one is named', { AWS_ENDPOINT_URL: `${url}/` }, url],
    [
      'the shell has read the env of a local cloud',
      { AWS_ENDPOINT_URL: url, TUNESMITH_LOCAL_ENDPOINT: url },
      null,
    ],
    [
      'another one was named since',
      { AWS_ENDPOINT_URL: url, TUNESMITH_LOCAL_ENDPOINT: 'http://127.0.0.1:1' },
      url,
    ],
  ])('the emulator that is used where %s', (_, environment, used) => {
    expect(chosenEndpoint(environment)).toBe(used);
  });
});

describe('the port that is used', () => {
  const variable = 'TUNESMITH_TEST_PORT';
  const listen = async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => server.close() };
  };

  it('the port that is used is a free one where the usual one is taken, which is told', async () => {
    const taken = await listen();
    const notes: string[] = [];
    const progress = { ...silentProgress, note: (text: string) => notes.push(text) };

    const port = await choosePort(undefined, variable, taken.port, progress);
    taken.close();

    expect(port).not.toBe(taken.port);
    expect(notes).toEqual([expect.stringMatching(`Port ${taken.port} is taken; ${port} is used instead`)]);
  });

  it('the port that is used stays the one that was asked for, taken or not', async () => {
    const taken = await listen();
    vi.stubEnv(variable, String(taken.port));

    const port = await choosePort(undefined, variable, 1, silentProgress);
    taken.close();

    expect(port).toBe(taken.port);
  });
});
