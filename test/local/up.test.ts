import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock } from '#local/lock.ts';
import { findFreePort } from '#local/ports.ts';
import { startLocalCloud } from '#local/up.ts';

const model = { baseUrl: 'http://127.0.0.1:9/v1', modelId: 'any' };
let stateDir: string;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'tunesmith-cloud-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(stateDir, { recursive: true });
});

describe('starting the local cloud', () => {
  it('refuses to start twice from one checkout, naming the process that runs', async () => {
    acquireLock(join(stateDir, 'running.lock'), new Date());

    await expect(startLocalCloud({ model, stateDir, quiet: true })).rejects.toThrow(
      new RegExp(`runs already: process ${process.pid}.*kill ${process.pid}`),
    );
  });

  it('uses no other emulator in silence: where AWS_ENDPOINT_URL does not answer it says so', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}`;
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint);

    await expect(startLocalCloud({ model, stateDir, quiet: true })).rejects.toThrow(
      `AWS_ENDPOINT_URL is ${endpoint}, and nothing answers there`,
    );
  });

  it('fails where the chosen model does not answer, and lets go of the checkout', async () => {
    vi.stubEnv('MODEL_BASE_URL', `http://127.0.0.1:${await findFreePort()}/v1`);

    await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(
      /No model answers at/,
    );
    expect(existsSync(join(stateDir, 'running.lock'))).toBe(false);
  });

  it('fails where the chosen model refuses the key', async () => {
    const port = await findFreePort();
    const refusing = createServer((_request, response) => response.writeHead(401).end()).listen(
      port,
      '127.0.0.1',
    );
    vi.stubEnv('MODEL_BASE_URL', `http://127.0.0.1:${port}/v1`);

    await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(
      /answers with 401\. Check MODEL_BASE_URL and MODEL_API_KEY/,
    );
    refusing.close();
  });

  it.each([
    ['no-such-model', 'No local model is called "no-such-model"'],
    ['all-minilm-l6-v2-int8', 'is a model for embeddings'],
  ])('refuses LOCAL_MODEL=%s', async (localModel, message) => {
    vi.stubEnv('LOCAL_MODEL', localModel);

    await expect(startLocalCloud({ model: 'real', stateDir, quiet: true })).rejects.toThrow(message);
  });
});
