import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AUTHORIZER_FUNCTION_ID, endpointFunctionId, functionIds } from '#infra/names.ts';
import { permissionsOf } from '#infra/permissions.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { requestsExceeded } from '#shared/platform/access/plan.ts';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { BODY_BYTES_MAX } from '#shared/platform/runtime/read-request.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { Problem } from '#shared/platform/schema/problem.ts';
import { SCOPES } from '#shared/platform/schema/scope.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { context, eventOf, type Request } from '#test/helpers/call.ts';
import { loadHandler, loadTask, tasks } from '#test/helpers/handlers.ts';
import { pathParams } from '#test/helpers/path-params.ts';
import { makeCaller, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { bodies, forms, queries } from '#test/helpers/sample-bodies.ts';
import { createWorld, strangerTo, type World } from '#test/helpers/world.ts';

const handlers = new Map<string, ServedHandler>();
const handlerOf = (id: string): ServedHandler => {
  const handler = handlers.get(id);
  if (handler === undefined) throw new Error(`There is no handler of ${id}.`);
  return handler;
};
const cases = contracts.map((contract) => ({ id: contract.id, contract }));
const keyed = cases.filter(({ contract }) => contract.scope !== null);
const scoped = keyed.filter(({ contract }) => contract.scope !== 'any');
const withBody = cases.filter(({ contract }) => contract.body !== undefined);
const onDataset = cases.filter(({ contract }) => contract.path.includes('{dataset_id}'));

let world: World;
let owner: Caller;

const requestOf = (id: string, fields: Partial<Request> = {}): Request => ({
  as: owner,
  params: { dataset_id: randomUUID(), asset: 'swagger-ui.css' },
  ...(id in bodies ? { body: bodies[id] } : {}),
  ...(id in forms ? { form: forms[id] } : {}),
  ...(id in queries ? { query: queries[id] ?? {} } : {}),
  ...fields,
});
beforeAll(async () => {
  for (const contract of contracts) handlers.set(contract.id, await loadHandler(contract));
});
beforeEach(async () => {
  world = createWorld();
  owner = await seedTeam(world.store, 10);
});

test('the functions are those that contracts and pipelines declare, no more and no fewer', () => {
  const root = fileURLToPath(new URL('../../functions', import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(/\.ts$/, ''));

  expect(files.sort()).toEqual([...functionIds].sort());
  expect(files.length).toBeGreaterThan(30);
  expect(functionIds).toContain(AUTHORIZER_FUNCTION_ID);
});

test.each(cases)('$id is served by its own contract', ({ id, contract }) => {
  expect(handlerOf(id).contract).toBe(contract);
});

test.each(tasks)('$path runs its own contract', async ({ path, contract }) => {
  expect((await loadTask(path)).contract).toBe(contract);
});

test('the functions answer below /api/v1, but for the MCP server and the pages of the documentation and the console', () => {
  const elsewhere = contracts.filter(({ path }) => !path.startsWith('/api/v1/'));

  expect(elsewhere.map(({ path }) => path)).toEqual([
    '/mcp',
    '/docs',
    '/console',
    '/console/{asset}',
    '/docs/{asset}',
  ]);
});

test('no two endpoints share an id, or a method and a path', () => {
  const ids = contracts.map(({ id }) => id);
  const routes = contracts.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);

  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(routes).size).toBe(routes.length);
});

test.each(scoped)(
  'a caller without the scope is refused by $id, which names it',
  async ({ id, contract }) => {
    const scopes = SCOPES.filter((scope) => scope !== contract.scope);

    const { status, problem } = await world.call(
      handlerOf(id),
      requestOf(id, { as: makeCaller({ scopes }), params: pathParams(contract, randomUUID()) }),
    );

    expect([status, problem.code]).toEqual([403, 'scope_missing']);
    expect(problem.message).toContain(contract.scope);
  },
);

test('a caller with a key of any scope, or of none, is answered by the account, the events and the MCP server, whose scopes are looked at one by one', async () => {
  const open = keyed.filter(({ contract }) => contract.scope === 'any');
  expect(open.map(({ id }) => id)).toEqual(['me.get', 'events.list', 'mcp.call']);

  for (const { id } of open) {
    for (const scopes of [[], ...SCOPES.map((scope) => [scope])]) {
      const { status } = await world.call(
        handlerOf(id),
        requestOf(id, { as: makeCaller({ scopes }), params: {} }),
      );
      expect([id, scopes, status]).toEqual([id, scopes, 200]);
    }
  }
});

test.each(keyed)('whom no authorizer let in gets nothing from $id', async ({ id, contract }) => {
  const { as: _as, ...anonymous } = requestOf(id, { params: pathParams(contract, randomUUID()) });

  const { status, problem } = await world.call(handlerOf(id), anonymous);

  expect([status, problem.code]).toEqual([500, 'internal_error']);
});

test.each(keyed)('a caller whose team is over its rate gets a 429 from $id', async ({ id, contract }) => {
  const rateLimiter = {
    admit: async ({ plan }: Pick<Caller, 'plan'>) => {
      throw requestsExceeded(plan);
    },
    admitUse: async () => {},
  };

  const { status, headers, problem } = await world.call(
    handlerOf(id),
    requestOf(id, { params: pathParams(contract, randomUUID()) }),
    { rateLimiter },
  );

  expect([status, problem.code]).toEqual([429, 'rate_limited']);
  expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(headers['x-should-retry']).toBe('true');
});

test.each(onDataset)(
  'a caller of another team cannot tell by $id whether a dataset exists',
  async ({ id, contract }) => {
    const state = id === 'datasets.start-adaption' ? 'awaiting_preprocessing' : 'awaiting_input';
    const { dataset_id } = await seedDataset(world.store, owner, { state });
    const stranger = strangerTo(owner);
    const ask = async (params: Record<string, string>) => {
      const request = requestOf(id, { as: stranger, params });
      const { status, headers, text, problem } = await world.call(handlerOf(id), request);
      return { status, headers, text: text.replaceAll(problem.request_id, '') };
    };

    const sent = vi.spyOn(world.table.client, 'send');
    const foreign = await ask(pathParams(contract, dataset_id));
    // A stranger who repeats this would have another team's partition read again and again.
    const listed = sent.mock.calls.filter(
      ([command]) => command instanceof QueryCommand && JSON.stringify(command.input).includes(dataset_id),
    );
    sent.mockRestore();
    const missing = await ask(pathParams(contract, randomUUID()));

    expect(foreign.status).toBe(404);
    expect(listed).toEqual([]);
    expect(foreign.text).toBe(missing.text);
    const { 'x-request-id': _a, ...foreignHeaders } = foreign.headers;
    const { 'x-request-id': _b, ...missingHeaders } = missing.headers;
    expect(foreignHeaders).toEqual(missingHeaders);
  },
);

test('a caller is asked of every endpoint but those of the documentation and the console', () => {
  expect(cases.filter(({ contract }) => contract.scope === null).map(({ id }) => id)).toEqual([
    'service.openapi',
    'service.docs',
    'service.console',
    'service.console-asset',
    'service.docs-asset',
  ]);
});

describe('a body', () => {
  const send = async (id: string, contract: EndpointContract, fields: Partial<Request>) =>
    world.call(handlerOf(id), requestOf(id, { params: pathParams(contract, randomUUID()), ...fields }));

  test.each(withBody)('a body that is no JSON is a 400 of $id', async ({ id, contract }) => {
    const { status, problem } = await send(id, contract, { body: '{"source": ' });

    expect([status, problem.code]).toEqual([400, 'malformed_json']);
  });

  test.each(withBody.flatMap((each) => ['[1, 2]', 'null', '"text"'].map((body) => ({ ...each, body }))))(
    'a body of $body, which is no object, is a 400 of $id',
    async ({ id, contract, body }) => {
      const { status, problem } = await send(id, contract, { body });

      expect([status, problem.code]).toEqual([400, 'invalid_request']);
    },
  );

  test.each(withBody)(
    'a body with an unknown key is a 400 of $id that names it',
    async ({ id, contract }) => {
      const { status, problem } = await send(id, contract, {
        body: { ...(bodies[id] as object), surprise: 1 },
      });

      expect([status, problem.code]).toEqual([400, 'invalid_request']);
      expect(problem.details).toMatchObject([{ path: 'surprise' }]);
    },
  );

  test.each(withBody)('a body of another type is a 415 of $id', async ({ id, contract }) => {
    const { status, problem } = await send(id, contract, {
      headers: { 'Content-Type': 'text/plain' },
      body: '{}',
    });

    expect([status, problem.code]).toEqual([415, 'format_unsupported']);
  });

  test.each(withBody)('a body of a form is told where files go of $id', async ({ id, contract }) => {
    const { problem } = await send(id, contract, {
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      body: '--x',
    });

    expect(problem.message).toContain('PUT the file to the URL');
  });

  test.each(withBody)('a body of more than 4 MiB is a 413 of $id', async ({ id, contract }) => {
    const { status, problem } = await send(id, contract, { body: ' '.repeat(BODY_BYTES_MAX + 1) });

    expect([status, problem.code]).toEqual([413, 'payload_too_large']);
  });

  const withForm = cases.filter(({ contract }) => contract.form !== undefined);
  test.each(withForm)('a body that is no form is a 415 of $id', async ({ id, contract }) => {
    const { status, problem } = await send(id, contract, { body: { purpose: 'evals' } });

    expect([status, problem.code]).toEqual([415, 'format_unsupported']);
  });

  test.each(withForm)(
    'a form of more than 4 MiB is told of upload links by $id',
    async ({ id, contract }) => {
      const { status, problem } = await send(id, contract, { form: { file: 'x'.repeat(BODY_BYTES_MAX) } });

      expect([status, problem.code]).toEqual([413, 'payload_too_large']);
      expect(problem.message).toContain('PUT the file to the URL');
    },
  );

  const withoutBody = cases.filter(
    ({ contract }) => contract.body === undefined && contract.form === undefined,
  );
  test.each(withoutBody)('a body that $id does not ask for is passed over', async ({ id, contract }) => {
    const withJunk = await send(id, contract, { body: '{"no": json', query: {} });
    const plain = await send(id, contract, { query: {} });

    expect(withJunk.status).toBe(plain.status);
  });
});

describe('a query or path', () => {
  const withQuery = cases.filter(({ contract }) => contract.query !== undefined);
  test.each(withQuery)(
    'a query or path with an unknown name is a 400 of $id that names it',
    async ({ id, contract }) => {
      const { status, problem } = await world.call(
        handlerOf(id),
        requestOf(id, {
          params: pathParams(contract, randomUUID()),
          query: { ...queries[id], surprise: '1' },
        }),
      );

      expect([status, problem.code]).toEqual([400, 'invalid_request']);
      expect(problem.details).toMatchObject([{ path: 'query.surprise' }]);
    },
  );

  test.each(onDataset)('a query or path with an endless id is a 400 of $id', async ({ id, contract }) => {
    const { status, problem } = await world.call(
      handlerOf(id),
      requestOf(id, { params: pathParams(contract, 'x'.repeat(201)) }),
    );

    expect([status, problem.code]).toEqual([400, 'invalid_request']);
    expect(problem.details[0]?.path).toBe('path.dataset_id');
  });
});

describe('an unexpected failure', () => {
  const failing = (): unknown => {
    const fail = (): never => {
      throw new Error('canary of the cause');
    };
    // The methods of adapters fail by a promise; lists and settings at once.
    const failLater = async (): Promise<never> => fail();
    return new Proxy(fail, { get: (_, name) => (name in Array.prototype ? fail : failLater) });
  };

  test.each(
    keyed.filter(({ contract }) => Object.keys(permissionsOf(endpointFunctionId(contract))).length > 0),
  )(
    'an unexpected failure is a bare 500 of $id, with the request id and nothing of the cause',
    async ({ id, contract }) => {
      const handler = handlerOf(id);
      const own = requestOf(id, { params: pathParams(contract, randomUUID()) });
      const request =
        id === 'datasets.uploads.complete'
          ? {
              ...own,
              body: { ...(own.body as object), s3_key: `uploads/${owner.team_id}/${randomUUID()}/x.csv` },
            }
          : own;
      const needs = Object.fromEntries(Object.keys(handler.needs).map((name) => [name, failing()]));

      const { statusCode, headers, body } = await handler.with(needs as never)(
        eventOf(contract, request),
        context('the-request'),
      );

      const problem = Problem.parse(JSON.parse(body));
      expect(statusCode).toBe(500);
      expect(problem).toMatchObject({ code: 'internal_error', request_id: 'the-request', details: [] });
      expect(problem.message).toContain('the-request');
      expect(headers).toMatchObject({ 'x-request-id': 'the-request', 'x-should-retry': 'true' });
      expect(body).not.toContain('canary');
    },
  );
});

test('a deprecated endpoint names a successor that exists', () => {
  const successors = contracts.flatMap(({ successor }) => successor ?? []);

  expect(successors.length).toBeGreaterThan(0);
  for (const path of successors) expect(contracts.map((contract) => contract.path)).toContain(path);
});

describe('the log', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each(cases)(
    'the log of $id holds nothing of body, query, path, key or cause',
    async ({ id, contract }) => {
      const spies = (['trace', 'debug', 'info', 'warn', 'error', 'critical'] as const).map((level) =>
        vi.spyOn(logger, level).mockImplementation(() => {}),
      );
      const handler = handlerOf(id);
      const sent = (fields: Partial<Request>) =>
        handler.with({}, world.use)(
          eventOf(contract, requestOf(id, { headers: { Authorization: 'Bearer canary' }, ...fields })),
          context(),
        );

      await sent({ params: pathParams(contract, 'canary'), query: { canary: 'canary' } });
      await sent({ params: pathParams(contract, 'canary'), body: { canary: 'canary' } });
      await sent({ params: pathParams(contract, 'canary'), body: '"canary' });
      await sent({ params: pathParams(contract, 'canary') });

      const lines = spies.flatMap((spy) => spy.mock.calls);
      expect(lines.length).toBeGreaterThanOrEqual(4);
      expect(JSON.stringify(lines)).not.toContain('canary');
    },
  );
});
