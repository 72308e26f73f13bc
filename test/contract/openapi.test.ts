import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examplePath } from '#bin/openapi/code-samples.ts';
import { replacedFields, streamExamples } from '#bin/openapi/whole-examples.ts';
import { renderDocument } from '#bin/openapi.ts';
import { Event } from '#shared/events/schema/event.ts';
import { type ErrorCode, errorCatalog } from '#shared/platform/errors/catalog.ts';
import { Problem } from '#shared/platform/schema/problem.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { signedHeaders } from '#shared/webhooks/decide/sign.ts';

type Json = Record<string, unknown>;
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Json }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: {
      readonly 'application/json': {
        readonly schema: Json;
        readonly example?: unknown;
      };
    };
  };
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[];
  readonly responses: Readonly<Record<string, Json>>;
}

const text = await renderDocument();
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: { event: { post: Operation } };
  components: Record<string, Record<string, Json>>;
};

const cases = contracts.map((contract) => {
  const operation = document.paths[contract.path]?.[contract.method.toLowerCase()];
  if (operation === undefined) throw new Error(`${contract.id} has no operation`);
  return { id: contract.id, contract, operation };
});

/** A component by its reference, or the value itself. */
function resolve(value: Json): Json {
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  const found = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
  if (found === undefined) throw new Error(`${reference} leads nowhere`);
  return found as Json;
}

/** Every object inside a value, itself included. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(Array.isArray(value) ? [] : [value as Json]), ...Object.values(value).flatMap(objectsIn)];
}

/** The same, with references followed. */
function schemasIn(value: unknown, seen = new Set<unknown>()): Json[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const target = Array.isArray(value) ? value : resolve(value as Json);
  return [
    ...(Array.isArray(target) ? [] : [target]),
    ...Object.values(target).flatMap((inner) => schemasIn(inner, seen)),
  ];
}

it('the OpenAPI document is the one that the contracts make; "npm run openapi" renews the file', () => {
  expect(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).toBe(text);
});

it('the OpenAPI document has one operation for each contract', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

  expect(document.openapi).toBe('3.1.0');
  expect(operations).toHaveLength(contracts.length);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(contracts.length);
});

it('the OpenAPI document has no reference that leads nowhere, and no schema without a name of its own', () => {
  const references = objectsIn(document).filter((value) => typeof value.$ref === 'string');

  expect(references.length).toBeGreaterThan(0);
  for (const value of references) expect(() => resolve(value)).not.toThrow();
  expect(text).not.toContain('__schema');
});

it('the OpenAPI document describes the request of a webhook, with an event that the feed shows too', () => {
  const { parameters, requestBody } = document.webhooks.event.post;
  const { schema, example } = requestBody?.content['application/json'] ?? {};

  expect(schema).toEqual({ $ref: '#/components/schemas/Event' });
  expect(Event.parse(example)).toEqual(example);
  expect(parameters?.map(({ name }) => name)).toEqual(
    Object.keys(signedHeaders({ id: 'evt_1', timestamp: 1, body: '{}' }, [])),
  );
});

it('the OpenAPI document writes regular expressions that mean the same in every language', () => {
  for (const { pattern } of objectsIn(document)) {
    if (typeof pattern === 'string') expect(pattern).not.toMatch(/\\[dDwWsS]/);
  }
});

describe.each(cases)('the operation of $id', ({ contract, operation }) => {
  it('the operation of an endpoint needs the key and the scope that its contract needs', () => {
    const scopes = contract.scope === 'any' ? [] : [contract.scope];
    expect(operation.security).toEqual(contract.scope === null ? [] : [{ bearer: scopes }]);
    expect(operation.description).toContain(
      contract.scope === null
        ? 'Needs no key.'
        : contract.scope === 'any'
          ? 'Needs a key, of any scope.'
          : `Needs a key with the scope \`${contract.scope}\`.`,
    );
  });

  it('the operation of an endpoint is deprecated when another takes its place, and says so in its headers', () => {
    const { headers } = resolve(operation.responses[contract.status] ?? {}) as { headers: Json };

    expect(operation.deprecated ?? false).toBe(contract.successor !== undefined);
    expect('Deprecation' in headers && 'Link' in headers).toBe(contract.successor !== undefined);
    expect('Location' in headers).toBe(contract.status === 307);
  });

  it('the operation of an endpoint declares the parameters of its path', () => {
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    const placeholders = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

    expect(inPath.map(({ name }) => name)).toEqual(placeholders);
  });

  it('the operation of an endpoint declares the headers that its contract reads', () => {
    const inHeader = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');

    expect(inHeader.map(({ name }) => name)).toEqual([
      ...(contract.readsIdempotencyKey === true ? ['Idempotency-Key'] : []),
      ...(contract.readsOrganization === true ? ['X-Organization-Id'] : []),
      ...(contract.streams === 'accept' ? ['Last-Event-ID'] : []),
      ...(contract.streams === 'body' ? ['traceparent'] : []),
    ]);
  });

  it('the operation of an endpoint answers with exactly the statuses of its contract, each with its codes', () => {
    const codes = [...codesOf(operation)];

    const expected = new Set<string>([
      ...contract.errors,
      ...['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'],
      ...(contract.scope === null ? [] : ['unauthorized']),
      ...(contract.scope === null || contract.scope === 'any' ? [] : ['scope_missing']),
      ...(contract.readsOrganization === true ? ['organization_forbidden'] : []),
      ...(contract.body === undefined ? [] : ['malformed_json', 'payload_too_large', 'format_unsupported']),
      ...(contract.form === undefined ? [] : ['payload_too_large', 'format_unsupported']),
      ...(contract.params === undefined ? [] : ['route_not_found']),
    ]);
    expect(codes.map(([code]) => code).sort()).toEqual([...expected].sort());
    for (const [code, status] of codes) expect(String(errorCatalog[code].status)).toBe(status);
    expect(Object.keys(operation.responses)).toContain(String(contract.status));
  });
});

describe.each(cases.filter(({ contract }) => contract.body !== undefined))(
  'the body of $id',
  ({ contract, operation }) => {
    it('the body of an endpoint refuses unknown fields wherever it is an object', () => {
      const objects = schemasIn(operation.requestBody?.content['application/json'].schema).filter(
        (schema) => schema.properties !== undefined,
      );

      // Items of a conversation and tools of providers are replayed and passed on as they are.
      const checked = contract.id === 'responses.create' ? objects.slice(0, 1) : objects;
      for (const schema of checked) expect(schema.additionalProperties).toBe(false);
      expect(objects.length).toBeGreaterThan(0);
    });

    it('the body of an endpoint is needed where an empty object would not do', () => {
      expect(operation.requestBody?.required ?? false).toBe(contract.body?.safeParse({}).success === false);
    });
  },
);

/** Fields without a description in a schema, with their paths. */
function undescribed(schema: Json, path: string, seen: readonly unknown[] = []): string[] {
  const target = resolve(schema);
  if (seen.includes(target)) return [];
  const inside = [...seen, target];
  const fields = Object.entries((target.properties ?? {}) as Record<string, Json>).flatMap(
    ([name, field]) => [
      ...(field.description === undefined && resolve(field).description === undefined
        ? [`${path}.${name}`]
        : []),
      ...undescribed(field, `${path}.${name}`, inside),
    ],
  );
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (target[key] ?? []) as Json[]);
  const inner = [target.items, target.additionalProperties].filter(
    (each): each is Json => typeof each === 'object' && each !== null,
  );
  return [...fields, ...[...branches, ...inner].flatMap((each) => undescribed(each, path, inside))];
}

interface ProblemSchema {
  readonly allOf: [Json, { properties: { code: { enum: ErrorCode[] } } }];
}

/** The problems among what an error can be: a protocol has faults in its own words, too. */
const problemOf = (schema: Json): ProblemSchema =>
  ((schema.anyOf as Json[] | undefined)?.[0] ?? schema) as unknown as ProblemSchema;

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** The bodies of an operation's answers, by status and media type. */
const answersOf = (operation: Operation): { status: number; type: string; media: Media }[] =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    Object.entries((resolve(response).content ?? {}) as Record<string, Media>).map(([type, media]) => ({
      status: Number(status),
      type,
      media,
    })),
  );

describe.each(cases)('the reference of $id', ({ contract, operation }) => {
  it('the reference of an endpoint describes every field of its request and its answers', () => {
    const [{ schema: request } = {}] = Object.values(operation.requestBody?.content ?? {});
    const missing = [
      ...(request === undefined ? [] : undescribed(request, 'request')),
      ...answersOf(operation).flatMap(({ status, media }) => undescribed(media.schema, `${status}`)),
      ...(operation.parameters ?? [])
        .filter((parameter) => !('description' in parameter) && parameter.schema.description === undefined)
        .map(({ name }) => `parameter ${name}`),
    ];

    expect(missing).toEqual([]);
  });

  it('the reference of an endpoint says what it does to data and to credits', () => {
    expect(operation.description).toMatch(/\*\*Data:\*\* [A-Z].+\./);
    expect(operation.description).toMatch(/\*\*Credits:\*\* .*(credits?|free|tokens).*\./);
  });

  it('the reference of an endpoint shows a request that its contract takes', () => {
    const [{ example } = {}] = Object.values(operation.requestBody?.content ?? {});

    expect(example !== undefined).toBe((contract.body ?? contract.form) !== undefined);
    expect(contract.body?.safeParse(example).error).toBeUndefined();
  });

  it('the reference of an endpoint shows every answer of success, as its schema has it', () => {
    for (const { status, type, media } of answersOf(operation).filter((each) => each.status < 300)) {
      expect(media.example, `${status} ${type}`).toBeDefined();
      const schema = status === contract.status ? contract.response : contract.accepted;
      // Parsing leaves out what a schema does not have, and a field that the example lacks fails it.
      if (type === 'application/json') expect(schema?.parse(media.example)).toEqual(media.example);
    }
  });

  it('the reference of an endpoint shows each of its errors as the service sends it', () => {
    for (const { status, media } of answersOf(operation).filter((each) => each.status >= 400)) {
      for (const [code, example] of Object.entries(media.examples ?? {})) {
        const problem = Problem.parse(resolve(example as unknown as Json).value);
        expect([problem.code, problem.statusCode]).toEqual([code, status]);
        expect(problem.message).not.toBe('');
      }
      const { allOf } = problemOf(media.schema);
      expect(Object.keys(media.examples ?? {}).sort()).toEqual([...allOf[1].properties.code.enum].sort());
    }
  });

  it('the reference of an endpoint has samples for a shell, Python and TypeScript that send its example', () => {
    const samples = operation['x-codeSamples'];
    const { example } = operation.requestBody?.content['application/json'] ?? {};

    expect(samples.map(({ lang }) => lang)).toEqual(['shell', 'python', 'typescript']);
    for (const { source } of samples) {
      expect(source).toContain(examplePath(contract));
      expect(source.includes('ADAPTION_API_KEY')).toBe(contract.scope !== null);
      for (const field of Object.keys((example ?? {}) as object)) expect(source).toContain(`"${field}"`);
    }
  });
});

it('the document shows no examples of endpoints that there are not', () => {
  const known = new Set(contracts.map(({ id }) => id));

  for (const id of [...Object.keys(replacedFields), ...Object.keys(streamExamples)])
    expect(known).toContain(id);
});

it('the document shows no bound that every integer has', () => {
  expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

/** Code and status of every error that an operation declares. */
function codesOf(operation: Operation): [ErrorCode, string][] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      const { content, description } = resolve(response) as {
        content: Record<string, { schema: Json }>;
        description: string;
      };
      const [problem, narrowed] = problemOf(content['application/json']?.schema ?? {}).allOf;
      expect(problem?.$ref).toBe('#/components/schemas/Problem');
      const codes = narrowed?.properties.code.enum ?? [];
      for (const code of codes) expect(description).toContain(`\`${code}\``);
      return codes.map((code): [ErrorCode, string] => [code, status]);
    });
}

it('the document shows a number in the query as the number that it stands for', () => {
  const limits = cases.flatMap(({ operation }) =>
    (operation.parameters ?? []).filter(({ name }) => name === 'limit').map(({ schema }) => schema as Json),
  );

  expect(limits.length).toBeGreaterThan(10);
  for (const limit of limits) {
    expect(limit).toMatchObject({ type: 'integer', minimum: 1 });
    expect(limit.maximum).toBeLessThanOrEqual(10_000);
  }
});
