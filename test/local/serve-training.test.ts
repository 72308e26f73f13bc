import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { silentProgress } from '#local/progress.ts';
import { serveTraining } from '#local/serve-training.ts';

let server: Server | undefined;
afterEach(() => server?.close());

const id = '8b1c6f0e-6d53-4e58-9a3b-6f2d1c5b7a40';

/** Asks for a training of which the API says this, with a model server beside it. */
async function serve(status: number, body: object): Promise<unknown> {
  server = createServer((request, response) => {
    const isTraining = request.url === `/local/api/v1/autoscientist/${id}`;
    const isMine = request.headers.authorization === 'Bearer key';
    response.writeHead(isTraining ? (isMine ? status : 401) : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const url = `http://127.0.0.1:${address.port}`;
  return serveTraining(
    id,
    { TUNESMITH_MODEL_URL: `${url}/v1`, ADAPTION_BASE_URL: `${url}/local`, ADAPTION_API_KEY: 'key' },
    { adaptersDirectory: '/nowhere', progress: silentProgress },
  );
}

it.each([
  ['running', {}, /goes on \(1 of at most 3 iterations done\)\. Try again/],
  ['pending', {}, /goes on/],
  ['failed', { error: 'No trainer was there.' }, /failed and has no model: No trainer was there\./],
  ['cancelled', {}, /was cancelled and has no model/],
])('the command says why a training that is %s has no model', async (status, more, message) => {
  const run = { id, status, iterations_completed: 1, max_iterations: 3, error: null, ...more };
  await expect(serve(200, run)).rejects.toThrow(message);
});

it('the command says how to find the trainings that there are', async () => {
  await expect(serve(404, { code: 'training_not_found' })).rejects.toThrow(
    new RegExp(`no training "${id}" here\\. List them: GET http.*/api/v1/autoscientist$`),
  );
});

it('the command says what it needs where no model server is run here, or none answers', async () => {
  const options = { adaptersDirectory: '/nowhere', progress: silentProgress };
  await expect(serveTraining(id, {}, options)).rejects.toThrow('without MODEL_BASE_URL');
  await expect(serveTraining(id, { TUNESMITH_MODEL_URL: 'http://127.0.0.1:9/v1' }, options)).rejects.toThrow(
    /No model server answers at .*npm run local/,
  );
});
