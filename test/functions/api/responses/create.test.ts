import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/api/responses/create.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { context, eventOf } from '#test/helpers/call.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { createResponding, textOf } from '#test/helpers/responding.ts';
import { makeResponse } from '#test/helpers/responses.ts';
import { createScriptedAnswerer, saying } from '#test/helpers/scripted-answerer.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;
const respond = (text = 'Hello there') =>
  createResponding({ model: createScriptedAnswerer([saying(text)]) }).respond;
const ask = (body: unknown, overrides: Record<string, unknown> = {}) =>
  world.call(handler, { as: owner, body }, { respond: respond(), ...overrides });

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

afterEach(() => {
  vi.useRealTimers();
});

test('the endpoint answers the response where events are not asked for', async () => {
  const { body } = await ask({ model: 'scripted', input: 'Hi' });

  expect(body).toMatchObject({ object: 'response', status: 'completed', model: 'scripted' });
  expect(textOf(body as never)).toBe('Hello there');
});

test('of every field of OpenAI’s request, refuses by name those that would change the answer', async () => {
  const accepted = {
    metadata: { a: 'b' },
    user: 'u',
    safety_identifier: 's',
    prompt_cache_key: 'k',
    service_tier: 'auto',
    truncation: 'disabled',
    parallel_tool_calls: false,
    top_p: 0.9,
    reasoning: { effort: 'low' },
    text: { format: { type: 'json_object' }, verbosity: 'medium' },
    include: ['file_search_call.results'],
    background: false,
    top_logprobs: 0,
    agentic_memory: false,
    conversation: null,
    stream_options: { include_obfuscation: false },
  };
  expect((await ask({ model: 'scripted', input: 'Hi', ...accepted })).body).toMatchObject({
    metadata: { a: 'b' },
    user: 'u',
    top_p: 0.9,
  });

  for (const [field, value] of Object.entries({
    background: true,
    top_logprobs: 3,
    presence_penalty: 1,
    frequency_penalty: 1,
    agentic_memory: true,
    conversation: 'conv_1',
    prompt: { id: 'p' },
    moderation: { model: 'm' },
    context_management: [{ type: 'compaction' }],
  })) {
    const { status, problem } = await ask({ model: 'scripted', input: 'Hi', [field]: value });
    expect([status, problem.details[0]?.path]).toEqual([400, field]);
    expect(problem.error).toMatchObject({ type: 'invalid_request_error', param: field });
  }
});

test.each([
  ['input of another form', { input: 5 }, 'input'],
  ['an item that is none', { input: [{ role: 'robot', content: 'Hi' }] }, 'input[0].role'],
  [
    'an item that lacks what its type needs',
    { input: [{ type: 'function_call', name: 'f' }] },
    'input[0].call_id',
  ],
  [
    'a tool with a connector',
    { input: 'Hi', tools: [{ type: 'mcp', server_label: 'a', connector_id: 'c' }] },
    'tools[0].connector_id',
  ],
  [
    'a server without https or http',
    { input: 'Hi', tools: [{ type: 'mcp', server_label: 'a', server_url: 'file:///x' }] },
    'tools[0].server_url',
  ],
  [
    'a function without a usable name',
    { input: 'Hi', tools: [{ type: 'function', name: 'a b' }] },
    'tools[0].name',
  ],
])('the endpoint refuses %s, and says where', async (_, body, path) => {
  const { problem } = await ask({ model: 'scripted', ...body });

  expect(problem).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  expect(problem.details.map((detail) => detail.path)).toContain(path);
});

test.each(['completed', 'incomplete', 'failed'] as const)(
  'an answer that is %s is sent whatever becomes of the work after it',
  async (status) => {
    const error = vi.spyOn(logger, 'error').mockImplementation(() => {});
    const ending = async function* () {
      yield { type: `response.${status}`, response: makeResponse({ status }), sequence_number: 0 };
      throw new Error('Nothing can be billed.');
    };

    const answered = await ask({ model: 'scripted', input: 'Hi' }, { respond: ending });

    expect([answered.status, answered.body]).toMatchObject([200, { status }]);
    expect(error).toHaveBeenCalledOnce();
    error.mockRestore();
  },
);

test('a failure before the first word is its status', async () => {
  const failing = async function* () {
    yield* [];
    throw new ServiceError('model_busy', 'Busy.', { retryAfterSeconds: 7 });
  };

  const { status, headers } = await ask(
    { model: 'scripted', input: 'Hi', stream: true },
    { respond: failing },
  );

  expect(status).toBe(429);
  expect(headers).toMatchObject({ 'retry-after': '7', 'x-should-retry': 'true' });
});

test.each([true, false])(
  'a refusal after a sign of life is a failed response (stream: %j)',
  async (stream) => {
    vi.useFakeTimers();
    const { ports, respond } = createResponding({ model: createScriptedAnswerer([]) });
    Object.assign(ports.models, {
      choose: async () => {
        await new Promise((resolve) => setTimeout(resolve, 16_000));
        throw new ServiceError('model_not_found', 'There is no such model.');
      },
    });
    const answering = handler.with({ respond } as never)(
      eventOf(handler.contract, { as: owner, body: { model: 'none', input: 'Hi', stream } }),
      context(),
    );
    await vi.advanceTimersByTimeAsync(16_000);

    const { statusCode, body } = await answering;

    expect(statusCode).toBe(200);
    const failed = {
      id: expect.stringMatching(/^resp_/),
      object: 'response',
      status: 'failed',
      error: { code: 'invalid_prompt', message: 'There is no such model.' },
    };
    if (!stream) {
      expect(JSON.parse(body)).toMatchObject(failed);
      return;
    }
    const told = [...body.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data as string));
    expect(body.startsWith(': ping\n\n')).toBe(true);
    expect(told.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.failed',
    ]);
    expect(told.at(-1).response).toMatchObject(failed);
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
  },
);

test('another organization than the key’s is refused', async () => {
  const request = (id: string) =>
    world.call(
      handler,
      { as: owner, body: { model: 'scripted', input: 'Hi' }, headers: { 'X-Organization-Id': id } },
      { respond: respond() },
    );

  expect((await request(owner.organization_id)).status).toBe(200);
  expect((await request('0b6f1d5b-8a10-4f8e-9f0c-5a522c0a4c53')).problem).toMatchObject({
    statusCode: 403,
    code: 'organization_forbidden',
  });
});
