import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBaseModelHub } from '#shared/deployments/adapters/base-model-hub.ts';
import type { BaseModelHub } from '#shared/deployments/decide/ports.ts';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';

const MODEL = 'meta-llama/Llama-3.2-3B-Instruct';
const WEIGHTS = Buffer.from('0123456789');

let server: Server;
let hub: BaseModelHub;
let asked: { path: string; range: string | null; authorization: string | null }[];
let ignoresRanges: boolean;

beforeEach(async () => {
  asked = [];
  ignoresRanges = false;
  server = createServer((request, response) => {
    const { range = null, authorization = null } = request.headers;
    const path = request.url ?? '';
    asked.push({ path, range, authorization });
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path.startsWith('/store/')) {
      const [, from = '0', to = ''] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
      if (ignoresRanges) return response.writeHead(200).end(WEIGHTS);
      return response.writeHead(206).end(WEIGHTS.subarray(Number(from), Number(to) + 1));
    }
    if (path.includes('gone')) return json(404, { error: 'Repository not found' });
    if (path.includes('broken')) return json(503, {});
    // What the hub answers for a gated repository (`x-error-code: GatedRepo`).
    if (authorization !== 'Bearer hf_token')
      return json(401, { error: `Access to model ${MODEL} is restricted.` });
    if (path === `/api/models/${MODEL}/revision/main`) return json(200, { sha: 'c0ffee', siblings: [] });
    if (path === `/api/models/${MODEL}/tree/c0ffee`) {
      return json(200, [
        { type: 'directory', path: 'original', size: 0 },
        { type: 'file', path: 'model.safetensors', size: WEIGHTS.length, lfs: {} },
      ]);
    }
    return response.writeHead(302, { location: '/store/object?signature=1' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hub = createBaseModelHub(`http://${host}`, createGuardedFetch({ allowed: [host], denied: [] }));
});

afterEach(() => new Promise((resolve) => server.close(resolve)));

const at = { model: MODEL, revision: 'c0ffee', token: 'hf_token' };

describe('the hub of base models', () => {
  test('the hub of base models tells the commit of a model and the files of its first folder', async () => {
    expect(await hub.find(MODEL, 'hf_token')).toEqual({
      revision: 'c0ffee',
      files: [{ name: 'model.safetensors', bytes: 10 }],
    });
  });

  test('the hub of base models gives out a part of a file at that commit, by a redirect', async () => {
    expect((await hub.read(at, 'model.safetensors', 2, 5)).toString()).toBe('234');

    expect(asked.map(({ path, range }) => [path, range])).toEqual([
      [`/${MODEL}/resolve/c0ffee/model.safetensors`, 'bytes=2-4'],
      ['/store/object?signature=1', 'bytes=2-4'],
    ]);
  });

  test('the hub of base models that ignores ranges is read up to the part', async () => {
    ignoresRanges = true;

    expect((await hub.read(at, 'model.safetensors', 2, 5)).toString()).toBe('234');
  });

  test('the hub of base models that sends less than was asked for fails the read', async () => {
    await expect(hub.read(at, 'model.safetensors', 8, 20)).rejects.toThrow('2 bytes of 12');
  });

  test.each([null, 'hf_other'])(
    'the hub of base models refuses a model whose terms were not accepted, with the token %s',
    async (token) => {
      await expect(hub.find(MODEL, token)).rejects.toMatchObject({
        name: 'DeploymentRefused',
        message: expect.stringMatching(/accepted its terms.*connection of your team/),
      });
    },
  );

  test('the hub of base models says of a model that is gone that another one has to be trained', async () => {
    await expect(hub.find('acme/gone', 'hf_token')).rejects.toMatchObject({ name: 'DeploymentRefused' });
  });

  test('the hub of base models that fails is asked again later', async () => {
    await expect(hub.find('acme/broken', 'hf_token')).rejects.toMatchObject({
      name: 'Error',
      message: 'The hub answered 503.',
    });
  });
});
