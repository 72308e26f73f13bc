import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectOpenAi, type OpenAiEndpoint } from '#shared/models/adapters/openai-compatible.ts';
import { createServedTrainings } from '#shared/responses/adapters/served-trainings.ts';
import { answering, type ModelEndpoint, startModelEndpoint } from '#test/helpers/model-endpoint.ts';

const TRAINING = '5f0c3f5e-8d0b-4b6e-9a55-1f2d3c4b5a69';

let server: ModelEndpoint;
let endpoint: OpenAiEndpoint;
let now = 0;

beforeEach(async () => {
  server = await startModelEndpoint();
  endpoint = connectOpenAi({ baseUrl: server.url, apiKey: 'k', connectionsMax: 1, timeoutSeconds: 1 });
});

afterEach(async () => {
  await endpoint.close();
  await server.close();
});

const serving = (...ids: string[]) => answering(200, { object: 'list', data: ids.map((id) => ({ id })) });

it('the service knows the models of trainings by the ids that end with theirs', async () => {
  server.reply(serving('smollm2-135m', `smollm2-135m:${TRAINING}`, 'qwen3:8b'));
  const served = createServedTrainings(endpoint, { now: () => now });

  expect(await served.list()).toEqual({ ids: [TRAINING], failure: null });
  expect(await served.find(TRAINING)).toBe(`smollm2-135m:${TRAINING}`);
  expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/v1/models' });
  expect(server.requests[0]?.headers.authorization).toBe('Bearer k');
});

it('the service believes for a minute that a model is served, and looks each time for one that it does not know', async () => {
  server.reply(serving(), serving(`m:${TRAINING}`), serving());
  const served = createServedTrainings(endpoint, { now: () => now });

  expect(await served.find(TRAINING)).toBeNull();
  expect(await served.find(TRAINING)).toBe(`m:${TRAINING}`);
  expect(await served.find(TRAINING)).toBe(`m:${TRAINING}`);
  expect(server.requests).toHaveLength(2);
  now += 60_000;
  expect(await served.find(TRAINING)).toBeNull();
});

it('the service knows none of an endpoint that has no list', async () => {
  server.reply(answering(404, { error: { message: 'Not found' } }));

  expect(await createServedTrainings(endpoint, { now: () => now }).list()).toEqual({
    ids: [],
    failure: null,
  });
});

it('the service says that the endpoint answers no list', async () => {
  server.reply(answering(200, { models: [] }), answering(200, { models: [] }));
  const served = createServedTrainings(endpoint, { now: () => now });

  expect(await served.list()).toMatchObject({ ids: [], failure: { name: 'ModelError', kind: 'garbage' } });
  await expect(served.find(TRAINING)).rejects.toMatchObject({ name: 'ModelError', kind: 'garbage' });
});
