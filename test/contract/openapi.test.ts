import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contracts } from '#shared/contracts/index.ts';
import { type ErrorCode, errorCatalog } from '#shared/errors/catalog.ts';
import { renderDocument, requestExamples } from '../../bin/openapi.ts';

type Json = Record<string, unknown>;
interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Json }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: { readonly 'application/json': { readonly schema: Json } };
  };
  readonly responses: Readonly<Record<string, Json>>;
}

const text = await renderDocument();
const document = JSON.parse(text) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
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

describe('the OpenAPI document', () => {
  it('is the one that the contracts make; "npm run openapi" renews the file', () => {
    expect(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')).toBe(text);
  });

  it('has one operation for each contract', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

    expect(document.openapi).toBe('3.1.0');
    expect(operations).toHaveLength(contracts.length);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(contracts.length);
  });

  it('has no reference that leads nowhere, and no schema without a name of its own', () => {
    const references = objectsIn(document).filter((value) => typeof value.$ref === 'string');

    expect(references.length).toBeGreaterThan(0);
    for (const value of references) expect(() => resolve(value)).not.toThrow();
    expect(text).not.toContain('__schema');
  });

  it('writes regular expressions that mean the same in every language', () => {
    for (const { pattern } of objectsIn(document)) {
      if (typeof pattern === 'string') expect(pattern).not.toMatch(/\\[dDwWsS]/);
    }
  });
});

describe.each(cases)('the operation of $id', ({ contract, operation }) => {
  it('needs the key and the scope that its contract needs', () => {
    expect(operation.security).toEqual(contract.scope === null ? [] : [{ bearer: [contract.scope] }]);
    expect(operation.description).toContain(contract.scope === null ? 'Needs no key' : contract.scope);
  });

  it('is deprecated when another takes its place, and says so in its headers', () => {
    const { headers } = resolve(operation.responses[contract.status] ?? {}) as { headers: Json };

    expect(operation.deprecated ?? false).toBe(contract.successor !== undefined);
    expect('Deprecation' in headers && 'Link' in headers).toBe(contract.successor !== undefined);
    expect('Location' in headers).toBe(contract.status === 307);
  });

  it('declares the parameters of its path', () => {
    const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    const placeholders = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

    expect(inPath.map(({ name }) => name)).toEqual(placeholders);
  });

  it('declares the headers that its contract reads', () => {
    const inHeader = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');

    expect(inHeader.map(({ name }) => name)).toEqual([
      ...(contract.readsIdempotencyKey === true ? ['Idempotency-Key'] : []),
      ...(contract.readsOrganization === true ? ['X-Organization-Id'] : []),
      ...(contract.streams === true ? ['traceparent'] : []),
    ]);
  });

  it('answers with exactly the statuses of its contract, each with its codes', () => {
    const codes = [...codesOf(operation)];

    const expected = new Set<string>([
      ...contract.errors,
      ...['invalid_request', 'rate_limited', 'internal_error', 'service_unavailable'],
      ...(contract.scope === null ? [] : ['unauthorized', 'scope_missing']),
      ...(contract.readsOrganization === true ? ['organization_forbidden'] : []),
      ...(contract.body === undefined ? [] : ['malformed_json', 'payload_too_large', 'format_unsupported']),
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
    it('refuses unknown fields wherever it is an object', () => {
      const objects = schemasIn(operation.requestBody?.content['application/json'].schema).filter(
        (schema) => schema.properties !== undefined,
      );

      // Items of a conversation and tools of providers are replayed and passed on as they are.
      const checked = contract.id === 'responses.create' ? objects.slice(0, 1) : objects;
      for (const schema of checked) expect(schema.additionalProperties).toBe(false);
      expect(objects.length).toBeGreaterThan(0);
    });

    it('is needed where an empty object would not do', () => {
      expect(operation.requestBody?.required ?? false).toBe(contract.body?.safeParse({}).success === false);
    });
  },
);

it.each(Object.entries(requestExamples))('shows an example of %s that it takes', (id, example) => {
  const contract = contracts.find((candidate) => candidate.id === id);

  expect(contract?.body).toBeDefined();
  expect(contract?.body?.safeParse(example).error).toBeUndefined();
});

/** Code and status of every error that an operation declares. */
function codesOf(operation: Operation): [ErrorCode, string][] {
  return Object.entries(operation.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      const { content, description } = resolve(response) as {
        content: Record<
          string,
          { schema: { allOf: [Json, { properties: { code: { enum: ErrorCode[] } } }] } }
        >;
        description: string;
      };
      const [problem, narrowed] = content['application/json']?.schema.allOf ?? [];
      expect(problem?.$ref).toBe('#/components/schemas/Problem');
      const codes = narrowed?.properties.code.enum ?? [];
      for (const code of codes) expect(description).toContain(`\`${code}\``);
      return codes.map((code): [ErrorCode, string] => [code, status]);
    });
}

it('shows a number in the query as the number that it stands for', () => {
  const limits = cases.flatMap(({ operation }) =>
    (operation.parameters ?? []).filter(({ name }) => name === 'limit').map(({ schema }) => schema),
  );

  expect(limits).toEqual([
    expect.objectContaining({ type: 'integer', minimum: 1, maximum: 100 }),
    expect.objectContaining({ type: 'integer', minimum: 1, maximum: 1000 }),
    expect.objectContaining({ type: 'integer', minimum: 1, maximum: 100 }),
    expect.objectContaining({ type: 'integer', minimum: 1, maximum: 100 }),
  ]);
});
