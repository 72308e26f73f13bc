import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as cancelBatch } from '#functions/api/batches/cancel.ts';
import { handler as getBatch } from '#functions/api/batches/get.ts';
import { createAccessAdministration } from '#shared/access/store/access.ts';
import { OPEN_BATCHES_MAX } from '#shared/openai/create-batch.ts';
import { ownId } from '#shared/openai/decide/ids.ts';
import type { Batch } from '#shared/openai/schema/batches.ts';
import type { WorkBatchPorts } from '#shared/openai/work-batch.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { keys } from '#shared/platform/store/keys.ts';
import { updateItem } from '#shared/platform/store/table.ts';
import { claims } from '#shared/platform/wire.ts';
import { PASSING } from '#shared/responses/ask-patiently.ts';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';
import { answering, clockOf } from '#test/helpers/evaluating.ts';
import { seedTeam } from '#test/helpers/records.ts';
import { linesOfFile, request, requests, seedBatch, workLastBatch } from '#test/helpers/requesting.ts';
import { createWorld, type World } from '#test/helpers/world.ts';

let world: World;
let owner: Caller;

afterEach(() => vi.restoreAllMocks());

beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 100);
});

const read = async ({ id }: Batch): Promise<Batch> =>
  (await world.call(getBatch, { as: owner, params: { batch_id: id } })).body;

const cancel = ({ id }: Batch) => world.call(cancelBatch, { as: owner, params: { batch_id: id } });

const outputOf = ({ output_file_id }: Batch) => linesOfFile(world, owner, output_file_id);
const errorsOf = ({ error_file_id }: Batch) => linesOfFile(world, owner, error_file_id);
const ids = (lines: readonly { custom_id: string }[]) => lines.map(({ custom_id }) => custom_id);
const all = (count: number) => ids(requests(count));

// biome-ignore lint/correctness/useYield: it answers nothing
async function* failing(error: Error): AsyncGenerator<never> {
  throw error;
}

/** A model that answers, but for some questions; what was asked is in `asked`. */
function model(failing: Readonly<Record<string, Error>> = {}) {
  const asked: string[] = [];
  const respond = answering((question) => {
    const said = /q\d+/.exec(question)?.[0] ?? '';
    asked.push(said);
    return Object.hasOwn(failing, said) ? (failing[said] as Error) : `It is ${said}.`;
  });
  return { asked, respond };
}

test('each request of a batch is answered once, and its answer is a line of the output file, in the order of the requests', async () => {
  const batch = await seedBatch(world, owner, requests(47));
  const { asked, respond } = model();

  expect(await workLastBatch(world, { respond })).toEqual({ status: 'completed' });

  const done = await read(batch);
  expect(done).toMatchObject({
    status: 'completed',
    error_file_id: null,
    errors: null,
    request_counts: { total: 47, completed: 47, failed: 0 },
    usage: {
      input_tokens: 470,
      output_tokens: 235,
      total_tokens: 705,
      input_tokens_details: { cached_tokens: 188 },
    },
  });
  for (const moment of ['in_progress_at', 'finalizing_at', 'completed_at'] as const) {
    expect(done[moment]).toEqual(expect.any(Number));
  }
  expect(ids(outputOf(done))).toEqual(all(47));
  expect(asked.toSorted()).toEqual(
    all(47)
      .map((id) => id.replace('r', 'q'))
      .toSorted(),
  );
  expect(outputOf(done)[3]).toMatchObject({
    custom_id: 'r3',
    error: null,
    response: {
      status_code: 200,
      body: { object: 'chat.completion', choices: [{ message: { content: 'It is q3.' } }] },
    },
  });
  expect([...world.objects.keys()].filter((key) => key.includes('/lines/'))).toEqual([]);
  expect(await workLastBatch(world, { respond })).toEqual({ status: 'completed' });
  expect(asked).toHaveLength(47);
});

test('long answers of a batch are kept one by one, and are whole in its file', async () => {
  const batch = await seedBatch(world, owner, requests(23));
  const long = 'x'.repeat(400_000);
  const sizes: number[] = [];
  const write = world.objects.write.bind(world.objects);
  world.objects.write = async (key, body, type) => {
    if (/lines\/[^/]+\/\d+\.jsonl$/.test(key)) sizes.push(Buffer.byteLength(body));
    return write(key, body, type);
  };

  expect(await workLastBatch(world, { respond: answering((asked) => `${asked} ${long}`) })).toEqual({
    status: 'completed',
  });

  expect(Math.max(...sizes)).toBeLessThan(20_000);
  const done = await read(batch);
  expect(done.usage).toMatchObject({ input_tokens: 230, output_tokens: 115 });
  const lines = outputOf(done);
  expect(ids(lines)).toEqual(all(23));
  for (const { response } of lines) expect(JSON.stringify(response)).toContain(long);
  expect(lines[3]).not.toHaveProperty('is_long');
  expect([...world.objects.keys()].filter((key) => key.includes('/lines/'))).toEqual([]);
});

test('answers of a batch that are long are not held together, and each is whole', async () => {
  const batch = await seedBatch(world, owner, requests(5));
  const part = 'x'.repeat(500_000);
  const held = new Map<string, number>();
  let most = 0;
  const answer = answering((asked) => `${asked} ${part.repeat(12)}`);
  const respond: typeof answer = async function* (asked) {
    const delta = { type: 'response.output_text.delta', delta: part, logprobs: [] };
    const id = JSON.stringify(asked.request.input);
    for (let n = 1; n <= 12; n += 1) {
      held.set(id, n * part.length);
      most = Math.max(
        most,
        [...held.values()].reduce((sum, each) => sum + each, 0),
      );
      yield delta as unknown as ResponseEvent;
      await setImmediate();
    }
    yield* answer(asked);
    held.delete(id);
  };

  expect(await workLastBatch(world, { respond })).toEqual({ status: 'completed' });

  // One is read to its end, and of each other two megabytes and what exceeds them; all of them are thirty.
  expect(most).toBeLessThanOrEqual(6_000_000 + 4 * 2_500_000);
  const lines = outputOf(await read(batch));
  expect(ids(lines)).toEqual(all(5));
  for (const { response } of lines) expect(JSON.stringify(response)).toContain(part.repeat(12));
});

/** A clock that stands unless it is moved, by which timeouts end too. */
function standingClock() {
  let now = Date.now();
  const timeouts: { readonly at: number; readonly controller: AbortController }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    timeouts.push({ at: now + milliseconds, controller });
    return controller.signal;
  });
  const move = (milliseconds: number): void => {
    now += milliseconds;
    const due = timeouts.filter(({ at }) => at <= now);
    for (const { controller } of due) controller.abort(new DOMException('Time is up.', 'TimeoutError'));
  };
  const clock = clockOf(
    async () => undefined,
    () => now,
  );
  return { clock, move };
}

/** A model whose answers are six megabytes, half a megabyte in each five seconds. */
function longAnswers(move: (milliseconds: number) => void) {
  const part = 'x'.repeat(500_000);
  const answer = answering((asked) => asked);
  const begun: string[] = [];
  const respond: typeof answer = async function* (asked) {
    begun.push(JSON.stringify(asked.request.input));
    const delta = { type: 'response.output_text.delta', delta: part, logprobs: [] };
    for (let n = 0; n < 12; n += 1) {
      asked.signal.throwIfAborted();
      move(5000);
      yield delta as unknown as ResponseEvent;
      await setImmediate();
    }
    yield* answer(asked);
  };
  return { begun, respond };
}

test('long answers of a batch wait for each other in none of the time that each may take', async () => {
  const batch = await seedBatch(world, owner, requests(5));
  const { clock, move } = standingClock();
  const { begun, respond } = longAnswers(move);

  // In all they take five minutes, and each may take three.
  expect(await workLastBatch(world, { respond, clock })).toEqual({ status: 'completed' });

  expect(await read(batch)).toMatchObject({
    error_file_id: null,
    request_counts: { completed: 5, failed: 0 },
  });
  expect(begun).toHaveLength(5);
});

test('long answers of a batch that wait when the time of their worker is over are asked for again', async () => {
  const batch = await seedBatch(world, owner, requests(5));
  const { clock, move } = standingClock();
  const { begun, respond } = longAnswers(move);

  expect(await workLastBatch(world, { respond, clock }, clock.now() + 365_000)).toEqual({
    status: 'in_progress',
  });
  const first = (await read(batch)).request_counts.completed;
  expect(await workLastBatch(world, { respond, clock }, clock.now() + 900_000)).toEqual({
    status: 'completed',
  });

  expect(first).toBeGreaterThan(0);
  expect(await read(batch)).toMatchObject({
    error_file_id: null,
    request_counts: { completed: 5, failed: 0 },
  });
  expect(begun).toHaveLength(5 + 5 - first);
});

test('long conversations before the answers of a batch are read one at a time, also where one of them is refused meanwhile', async () => {
  const batch = await seedBatch(world, owner, requests(5));
  const { respond: answer } = model();
  let [open, most] = [0, 0];
  const respond = async function* (asked: Parameters<WorkBatchPorts['respond']>[0]) {
    const reading = asked.beforeLong();
    if (JSON.stringify(asked.request.input).includes('q3')) throw new ServiceError('model_refused', 'No.');
    await reading;
    open += 1;
    most = Math.max(most, open);
    for (let n = 0; n < 10; n += 1) await setImmediate();
    yield* answer(asked);
    open -= 1;
  };

  expect(await workLastBatch(world, { respond })).toEqual({ status: 'completed' });

  expect(most).toBe(1);
  expect((await read(batch)).request_counts).toEqual({ total: 5, completed: 4, failed: 1 });
});

test('a long answer of a batch that broke off holds no memory until it is asked for again', async () => {
  const batch = await seedBatch(world, owner, requests(2));
  const { respond: answer } = longAnswers(() => {});
  let [tries, ended] = [0, false];
  const respond: typeof answer = async function* (asked) {
    const isFirst = JSON.stringify(asked.request.input).includes('q0');
    let parts = 0;
    for await (const event of answer(asked)) {
      yield event;
      parts += 1;
      if (isFirst && tries === 0 && parts === 6) {
        tries += 1;
        throw new ServiceError('model_busy', 'Busy.');
      }
    }
    if (!isFirst) ended = true;
  };
  const seen: boolean[] = [];
  const clock = clockOf(async () => {
    for (let n = 0; n < 500 && !ended; n += 1) await setImmediate();
    seen.push(ended);
  });

  expect(await workLastBatch(world, { respond, clock })).toEqual({ status: 'completed' });

  expect(seen).toEqual([true]);
  expect((await read(batch)).request_counts).toMatchObject({ completed: 2 });
});

test('a request that is refused is a line of the error file with the answer of its endpoint, and keeps no other', async () => {
  const lines = [request(0), request(1, { body: { model: 'qwen3-4b' } }), request(2), request(3)];
  const batch = await seedBatch(world, owner, lines);
  const { respond } = model({
    q2: new ServiceError('model_refused', 'No.'),
    q3: new TypeError('unexpected'),
  });
  const failures: unknown[] = [];

  await workLastBatch(world, { respond, onFailure: (error) => void failures.push(error) });

  const done = await read(batch);
  expect(done).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 1, failed: 3 } });
  expect(ids(outputOf(done))).toEqual(['r0']);
  expect(errorsOf(done)).toMatchObject([
    { custom_id: 'r1', response: { status_code: 400, body: { error: { param: 'messages' } } } },
    { custom_id: 'r2', response: { status_code: 422, body: { error: { message: 'No.' } } } },
    { custom_id: 'r3', response: { status_code: 500, body: { error: { code: 'internal_error' } } } },
  ]);
  expect(failures).toEqual([expect.any(TypeError)]);
});

test('a model that takes longer to start than a request is waited for answers all requests of its batch', async () => {
  const batch = await seedBatch(world, owner, requests(7));
  const { asked, respond } = model();
  const starting = new ServiceError('service_unavailable', 'The model is being started.', {
    retryAfterSeconds: 300,
  });
  let isCold = true;

  await workLastBatch(world, {
    respond: (input) => (isCold ? failing(starting) : respond(input)),
    clock: clockOf(async () => {
      isCold = false;
    }),
  });

  const done = await read(batch);
  expect(done).toMatchObject({ status: 'completed', request_counts: { completed: 7, failed: 0 } });
  expect(asked).toHaveLength(7);
});

test('a request of a batch that takes too long is not sent again because its model was busy before', async () => {
  const batch = await seedBatch(world, owner, requests(1));
  const failures = [
    new ServiceError('model_busy', 'Later.', { retryAfterSeconds: 1 }),
    new DOMException('Time is up.', 'TimeoutError'),
  ];
  let sent = 0;

  await workLastBatch(world, {
    respond: () => failing(failures[Math.min(sent++, 1)] as Error),
    clock: clockOf(async () => undefined),
  });

  const done = await read(batch);
  expect(errorsOf(done)).toMatchObject([{ custom_id: 'r0', error: { code: 'request_timeout' } }]);
  expect(sent).toBe(2);
});

test('a batch of responses has responses as answers', async () => {
  const lines = [request(0, { url: '/v1/responses', body: { model: 'qwen3-4b', input: 'q0' } })];
  const batch = await seedBatch(world, owner, lines, '/v1/responses');

  await workLastBatch(world, { respond: model().respond });

  const done = await read(batch);
  expect(outputOf(done)).toMatchObject([{ response: { body: { output: [{ type: 'message' }] } } }]);
  expect(done.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
});

/** Objects within one another. */
const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

test('a file whose bodies are texts of more values than are read at once fails, and says where', async () => {
  const many = `{"messages":[${'{},'.repeat(1_500_000)}{}]}`;
  const batch = await seedBatch(
    world,
    owner,
    [0, 1, 2].map((n) => request(n, { body: many })),
  );

  await workLastBatch(world, { respond: model().respond });

  const done = await read(batch);
  expect([done.status, done.errors?.data.map(({ line }) => line)]).toEqual(['failed', [2]]);
  expect(done.errors?.data[0]?.message).toContain('4000000 values');
});

test('a file with lines that are no requests fails with each of them, before a model is asked', async () => {
  const { asked, respond } = model();
  const batch = await seedBatch(world, owner, [
    request(0),
    request(0),
    request(1, { method: 'GET' }),
    request(2, { url: '/v1/embeddings' }),
    request(3, { body: 7 }),
    request(4, { body: { stream: true } }),
    request(5, { custom_id: '' }),
    request(6, { body: JSON.stringify({ ...request(6).body, junk: deep(200) }) }),
  ]);

  await workLastBatch(world, { respond });

  const done = await read(batch);
  expect(done).toMatchObject({ status: 'failed', output_file_id: null, error_file_id: null });
  expect(done.errors?.data.map(({ line, param }) => [line, param])).toEqual([
    [2, 'custom_id'],
    [3, 'method'],
    [4, 'url'],
    [5, 'body'],
    [6, 'body.stream'],
    [7, 'custom_id'],
    [8, 'body'],
  ]);
  expect(asked).toEqual([]);
});

test('a cancelled batch keeps what was answered, sends nothing more, and says which requests were not sent', async () => {
  const batch = await seedBatch(world, owner, requests(12));
  const { asked, respond } = model();
  const cancelling: typeof respond = (input) => {
    if (asked.length === 5) void cancel(batch);
    return respond(input);
  };

  expect(await workLastBatch(world, { respond: cancelling })).toEqual({ status: 'cancelled' });

  const done = await read(batch);
  expect(done).toMatchObject({
    status: 'cancelled',
    request_counts: { total: 12, completed: 10, failed: 2 },
  });
  expect(done.cancelled_at).toEqual(expect.any(Number));
  expect([...ids(outputOf(done)), ...ids(errorsOf(done))]).toEqual(all(12));
  expect(errorsOf(done)[0]).toMatchObject({ response: null, error: { code: 'batch_cancelled' } });
  expect(asked).toHaveLength(10);
  expect((await cancel(batch)).body.status).toBe('cancelled');
});

test('a batch whose window is over sends nothing more, and says which requests were not sent', async () => {
  const batch = await seedBatch(world, owner, requests(7));
  const { asked, respond } = model();
  let now = Date.now();
  const clock = clockOf(
    async () => undefined,
    () => now,
  );
  const slow: typeof respond = (input) => {
    if (asked.length === 4) now += 25 * 3_600_000;
    return respond(input);
  };

  await workLastBatch(world, { respond: slow, clock }, now + 100 * 3_600_000);

  const done = await read(batch);
  expect(done).toMatchObject({ status: 'expired', request_counts: { completed: 5, failed: 2 } });
  expect(errorsOf(done)).toMatchObject([
    { custom_id: 'r5', error: { code: 'batch_expired' } },
    { custom_id: 'r6', error: { code: 'batch_expired' } },
  ]);
});

test('a batch without credits fails with the reason, and keeps the answers that were paid for', async () => {
  const batch = await seedBatch(world, owner, requests(12));
  const { asked, respond } = model({ q7: new ServiceError('credits_insufficient', 'Add credits.') });

  await workLastBatch(world, { respond });

  const done = await read(batch);
  expect(done).toMatchObject({ status: 'failed', errors: { data: [{ code: 'credits_insufficient' }] } });
  expect([...ids(outputOf(done)), ...ids(errorsOf(done))].toSorted()).toEqual(all(12).toSorted());
  expect(ids(errorsOf(done))).toEqual(['r7', 'r10', 'r11']);
  expect(asked).toHaveLength(10);
});

test('a request that may cost no more than less credits is refused alone, and the batch goes on', async () => {
  const batch = await seedBatch(world, owner, requests(12));
  const details = [{ path: 'max_credits', message: 'is less than the answer could cost' }];
  const { asked, respond } = model({
    q7: new ServiceError('credits_insufficient', 'Raise it.', { details }),
  });

  await workLastBatch(world, { respond });

  const done = await read(batch);
  expect(done).toMatchObject({ status: 'completed', request_counts: { completed: 11, failed: 1 } });
  expect(errorsOf(done)).toMatchObject([
    { custom_id: 'r7', response: { body: { error: { code: 'credits_insufficient' } } } },
  ]);
  expect(asked).toHaveLength(12);
});

test('a batch whose key was revoked asks no model any more', async () => {
  const batch = await seedBatch(world, owner, requests(2));
  const { asked, respond } = model();
  const access = createAccessAdministration(world.table);
  const revoked = { ...access, listKeys: async () => [] };

  await workLastBatch(world, { respond, access: revoked });

  expect(await read(batch)).toMatchObject({ status: 'failed', errors: { data: [{ code: 'unauthorized' }] } });
  expect(asked).toEqual([]);
});

test('a batch in the name of a caller of another team asks no model, and bills neither', async () => {
  const batch = await seedBatch(world, owner, requests(2));
  const other = await seedTeam(world.store, 100);
  await updateItem(world.table, {
    Key: keys.batch(owner.team_id, ownId('batch_', batch.id) ?? ''),
    UpdateExpression: 'SET caller = :caller',
    ExpressionAttributeValues: { ':caller': other },
  });
  const { asked, respond } = model();

  await workLastBatch(world, { respond });

  expect(await read(batch)).toMatchObject({ status: 'failed', errors: { data: [{ code: 'unauthorized' }] } });
  expect(asked).toEqual([]);
});

test('a killed worker is followed by one that asks only what was not answered', async () => {
  const batch = await seedBatch(world, owner, requests(47));
  const { asked, respond } = model();
  const write = world.objects.write.bind(world.objects);
  const objects = Object.assign(Object.create(world.objects), {
    write: async (key: string, ...rest: [Buffer | string, string]) => {
      // In the middle of the second block, of which five lines are kept.
      if (asked.length > 25) throw new RangeError('killed');
      return write(key, ...rest);
    },
  });
  await expect(workLastBatch(world, { respond, objects })).rejects.toThrow('killed');
  const before = asked.length;

  expect(await workLastBatch(world, { respond })).toEqual({ status: 'completed' });

  const done = await read(batch);
  expect(ids(outputOf(done))).toEqual(all(47));
  expect(done.request_counts).toEqual({ total: 47, completed: 47, failed: 0 });
  // The worker was at five requests, which are repeated; what was written before is not.
  expect(before).toBe(30);
  expect(asked.slice(before)).toEqual(
    all(47)
      .slice(25)
      .map((id) => id.replace('r', 'q')),
  );
});

test('a worker that runs out of time starts another, which goes on where it ended', async () => {
  const batch = await seedBatch(world, owner, requests(12));
  const { asked, respond } = model();
  let now = Date.now();
  const started: unknown[] = [];
  const clock = clockOf(
    async () => undefined,
    () => now,
  );
  const slow: typeof respond = (input) => {
    now += 40_000;
    return respond(input);
  };
  const deadline = now + 500_000;

  const first = await workLastBatch(
    world,
    { respond: slow, clock, goOn: async (at) => void started.push(at) },
    deadline,
  );

  expect(first).toEqual({ status: 'in_progress' });
  expect(started).toHaveLength(1);
  expect(await read(batch)).toMatchObject({
    status: 'in_progress',
    request_counts: { total: 12, completed: 5 },
  });
  expect(await workLastBatch(world, { respond, clock }, now + 900_000)).toEqual({ status: 'completed' });
  expect(asked).toHaveLength(12);
});

test.each(PASSING)(
  'a model that answers %s for a while keeps its requests waiting, and no other',
  async (code) => {
    const batch = await seedBatch(world, owner, requests(3));
    const busy = new ServiceError(code, 'Wait.');
    const failing: Record<string, Error> = { q1: busy };
    const { asked, respond } = model(failing);
    let now = Date.now();
    const clock = clockOf(
      async (milliseconds) => {
        now += milliseconds;
        if (asked.length > 10) delete failing.q1;
      },
      () => now,
    );

    await workLastBatch(world, { respond, clock }, now + 3_600_000);

    expect((await read(batch)).request_counts).toEqual({ total: 3, completed: 3, failed: 0 });
    expect(asked.filter((question) => question !== 'q1')).toEqual(['q0', 'q2']);
  },
);

test('a model that is gone holds up none of the requests of another, which end the batch half an hour later', async () => {
  const gone = new ServiceError('service_unavailable', 'Gone.');
  const lines = Array.from({ length: 60 }, (_, n) =>
    n % 3 === 2 ? request(n) : request(n, { body: { ...request(n).body, model: 'qwen3-1.7b' } }),
  );
  const batch = await seedBatch(world, owner, lines);
  const { asked, respond } = model(Object.fromEntries(lines.map((_, n) => [`q${n}`, gone])));
  const living = model();
  let now = Date.now();
  const begun = now;
  let answeredAt = now;
  const clock = clockOf(
    async (milliseconds) => {
      now += milliseconds;
    },
    () => now,
  );

  await workLastBatch(
    world,
    {
      respond: (input) => {
        if (input.request.model === 'qwen3-1.7b') return respond(input);
        answeredAt = now;
        return living.respond(input);
      },
      clock,
    },
    now + 10 * 3_600_000,
  );

  const done = await read(batch);
  // Of the model that is gone five requests at most are sent before it is left alone; this clock adds up the waits of all.
  expect(answeredAt - begun).toBeLessThan(10 * 60_000);
  expect(now - answeredAt).toBeGreaterThan(30 * 60_000);
  expect(now - answeredAt).toBeLessThan(90 * 60_000);
  expect(new Set(asked.slice(0, 30)).size).toBeLessThan(10);
  expect(done).toMatchObject({ status: 'completed', request_counts: { completed: 20, failed: 40 } });
  expect(errorsOf(done)).toHaveLength(40);
  expect(errorsOf(done)[0]).toMatchObject({ response: null, error: { code: 'service_unavailable' } });
});

test('models that answer nothing for half an hour fail a batch without an answer', async () => {
  const batch = await seedBatch(world, owner, requests(3));
  const gone = new ServiceError('service_unavailable', 'Gone.');
  const { respond } = model({ q0: gone, q1: gone, q2: gone });
  let now = Date.now();
  const begun = now;
  const clock = clockOf(
    async (milliseconds) => {
      now += milliseconds;
    },
    () => now,
  );

  await workLastBatch(world, { respond, clock }, now + 10 * 3_600_000);

  const done = await read(batch);
  expect(now - begun).toBeGreaterThan(30 * 60_000);
  expect(now - begun).toBeLessThan(35 * 60_000);
  expect(done).toMatchObject({ status: 'failed', request_counts: { completed: 0, failed: 3 } });
  expect(done.errors?.data).toMatchObject([{ code: 'service_unavailable' }]);
});

test('a batch whose file was deleted fails with the reason', async () => {
  const batch = await seedBatch(world, owner, requests(2));

  await workLastBatch(world, { datasets: { find: async () => null } as never });

  expect(await read(batch)).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'dataset_not_found', line: null }] },
  });
});

test('a batch whose place was given to another takes one that is free, and waits where there is none', async () => {
  const first = await seedBatch(world, owner);
  const claim = (place: number): string => `batch ${owner.team_id} ${place}`;
  const own = world.use(claims('write'));
  const holder = ownId('batch_', first.id) ?? '';
  await own.release(claim(0), holder);
  for (let place = 0; place < OPEN_BATCHES_MAX; place += 1)
    await own.take(claim(place), 3600, `other ${place}`);
  const { asked, respond } = model();

  expect(await workLastBatch(world, { respond })).toEqual({ status: 'waiting' });
  expect([asked, (await read(first)).status]).toEqual([[], 'validating']);

  await own.release(claim(3), 'other 3');
  expect(await workLastBatch(world, { respond })).toEqual({ status: 'completed' });
  expect(await own.take(claim(3), 3600, 'next')).toBe(true);
  expect(await own.take(claim(0), 3600, 'next')).toBe(false);
});

test('a batch whose place was given to another expires when its window is over', async () => {
  const batch = await seedBatch(world, owner);
  const own = world.use(claims('write'));
  await own.release(`batch ${owner.team_id} 0`, ownId('batch_', batch.id) ?? '');
  for (let place = 0; place < OPEN_BATCHES_MAX; place += 1)
    await own.take(`batch ${owner.team_id} ${place}`, 30 * 3600, `other ${place}`);
  const { asked, respond } = model();
  const late = clockOf(
    async () => undefined,
    () => Date.now() + 25 * 3_600_000,
  );

  await workLastBatch(world, { respond, clock: late }, late.now() + 900_000);

  expect([asked, (await read(batch)).status]).toEqual([[], 'expired']);
});
