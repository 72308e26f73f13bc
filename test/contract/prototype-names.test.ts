import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { EndpointContract } from '#shared/platform/contracts/endpoint.ts';
import type { ServedHandler } from '#shared/platform/runtime/serve.ts';
import { contracts } from '#shared/service/contracts/index.ts';
import { writeRows } from '#test/helpers/active-run.ts';
import type { Request } from '#test/helpers/call.ts';
import { loadHandler } from '#test/helpers/handlers.ts';
import { pathParams } from '#test/helpers/path-params.ts';
import { seedDataset, seedTeam } from '#test/helpers/records.ts';
import { bodies } from '#test/helpers/sample-bodies.ts';
import { createWorld } from '#test/helpers/world.ts';

/** What every object answers to without holding it: a setter, functions, and what `in` finds. */
const NAMES = Object.getOwnPropertyNames(Object.prototype);
/** Where there are many places: the one that is set by being written, and the one that is a class. */
const [SETTER, FUNCTION] = ['__proto__', 'constructor'] as const;
/** A name of the same shape that nothing answers to. */
const otherThan = (name: string): string => name.replace(/[a-z]/g, 'x').replace(/[A-Z]/g, 'X');

const handlers = new Map<string, ServedHandler>();
beforeAll(async () => {
  for (const contract of contracts) handlers.set(contract.id, await loadHandler(contract));
});

/** A request in which a name stands somewhere; `datasetId` is one that there is. */
type Ask = (name: string, datasetId: string) => Request;

/** An installation with a team and a dataset. */
async function install() {
  const world = createWorld();
  const owner = await seedTeam(world.store, 1000);
  const { dataset_id: datasetId } = await seedDataset(world.store, owner);
  await writeRows(world, datasetId, [JSON.stringify({ question: 'Why?', answer: 'So.' })], 1);
  return { world, owner, datasetId };
}
type Installation = Awaited<ReturnType<typeof install>>;

/** The installation of the last request of a test, if that has left it as it was. */
let unchanged: Installation | undefined;
beforeEach(() => {
  unchanged = undefined;
});

/** What a request comes to in an installation in which none was taken before, unless it only read. */
async function outcomeOf(
  { id, method }: EndpointContract,
  ask: Ask,
  name: string,
): Promise<[number, string]> {
  const installation = unchanged ?? (await install());
  const { world, owner, datasetId } = installation;

  const answer = await world.call(handlers.get(id) as ServedHandler, {
    as: owner,
    ...ask(name, datasetId),
  });

  unchanged = method === 'GET' || answer.status >= 400 ? installation : undefined;
  // A caller who asks too much is refused whatever the name.
  expect(answer.status).not.toBe(429);
  return [answer.status, answer.status < 400 ? 'ok' : answer.problem.code];
}

async function expectNothingSpecial(
  contract: EndpointContract,
  ask: Ask,
  names: readonly string[] = [SETTER, FUNCTION],
): Promise<void> {
  for (const name of names) {
    const found = await outcomeOf(contract, ask, name);

    expect(found[0], name).not.toBe(500);
    expect(found, name).toEqual(await outcomeOf(contract, ask, otherThan(name)));
  }
}

const placeholders = ({ path }: EndpointContract): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $ref?: string;
  readonly [keyword: string]: unknown;
}

const schemaOf = (type: z.ZodType): Schema =>
  z.toJSONSchema(type, { io: 'input', unrepresentable: 'any', cycles: 'ref' }) as Schema;

type Path = readonly (string | number)[];

/** Every place of a schema, with what a name is there: a text, the item of a list, or a key with a value. */
function placesOf(
  root: Schema,
  schema: Schema = root,
  at: Path = [],
): { at: Path; put: (name: string) => unknown }[] {
  if (at.length > 5) return [];
  if (schema.$ref !== undefined) {
    const target = schema.$ref
      .split('/')
      .slice(1)
      .reduce((inner, key) => inner[key] as Schema, root);
    return placesOf(root, target, at);
  }
  const inner = (['anyOf', 'oneOf', 'allOf'] as const).flatMap((keyword) =>
    ((schema[keyword] ?? []) as Schema[]).flatMap((each) => placesOf(root, each, at)),
  );
  const { type, properties = {}, items } = schema;
  return [
    ...inner,
    ...(type === 'string' || type === undefined ? [{ at, put: (name: string) => name }] : []),
    ...(type === 'object' ? [{ at: [...at, '\0'], put: (name: string) => name }] : []),
    ...(items === undefined ? [] : placesOf(root, items, [...at, 0])),
    ...Object.entries(properties).flatMap(([key, value]) => placesOf(root, value, [...at, key])),
  ];
}

/** A copy of a value with another at a place; `\0` there stands for the name itself as a key. */
function withValue(value: unknown, [key, ...rest]: Path, name: string, put: unknown): unknown {
  if (key === undefined) return put;
  if (typeof key === 'number') {
    return [withValue(Array.isArray(value) ? value[0] : undefined, rest, name, put)];
  }
  const own = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  const before = Object.hasOwn(own, key) ? (own as Record<string, unknown>)[key] : undefined;
  return { ...own, [key === '\0' ? name : key]: withValue(before, rest, name, put) };
}

const cases = contracts.map((contract) => ({ id: contract.id, contract }));

describe('a name that every object answers to is like any other', () => {
  test.each(cases.flatMap((each) => placeholders(each.contract).map((param) => ({ ...each, param }))))(
    'a name that every object answers to is like any other as the $param of $id',
    async ({ contract, param }) => {
      const { id } = contract;
      const ask: Ask = (name, datasetId) => ({
        params: { ...pathParams(contract, datasetId), [param]: name },
        ...(id in bodies ? { body: bodies[id] } : {}),
      });

      await expectNothingSpecial(contract, ask);
    },
  );

  test.each(cases)(
    'a name that every object answers to is like any other as a parameter of the query of $id',
    async ({ contract }) => {
      const ask: Ask = (name, datasetId) => ({
        params: pathParams(contract, datasetId),
        query: { [name]: 'x' },
        ...(contract.id in bodies ? { body: bodies[contract.id] } : {}),
      });

      await expectNothingSpecial(contract, ask, NAMES);
    },
  );

  const parameters = cases.flatMap((each) =>
    each.contract.query === undefined
      ? []
      : Object.keys(schemaOf(each.contract.query).properties ?? {}).map((parameter) => ({
          ...each,
          parameter,
        })),
  );
  test.each(parameters)(
    'a name that every object answers to is like any other as the $parameter of the query of $id',
    async ({ contract, parameter }) => {
      const ask: Ask = (name, datasetId) => ({
        params: pathParams(contract, datasetId),
        query: { [parameter]: name },
      });

      await expectNothingSpecial(contract, ask);
    },
  );

  test.each(cases.filter(({ contract }) => contract.body !== undefined))(
    'a name that every object answers to is like any other: anywhere in the body of $id',
    async ({ id, contract }) => {
      const places = placesOf(schemaOf(contract.body as z.ZodType));
      expect(places.length).toBeGreaterThan(0);

      for (const { at, put } of places) {
        const ask: Ask = (name, datasetId) => {
          const sample = bodies[id] as Record<string, unknown>;
          const own = {
            ...sample,
            ...('dataset_id' in sample ? { dataset_id: datasetId } : {}),
            ...('dataset_ids' in sample ? { dataset_ids: [datasetId, datasetId] } : {}),
          };
          return { params: pathParams(contract, datasetId), body: withValue(own, at, name, put(name)) };
        };

        await expectNothingSpecial(contract, ask);
      }
    },
    60_000,
  );

  test('a name that every object answers to is like any other in parameters, ids, columns and lists of many bodies', () => {
    const count = cases.flatMap(({ contract: { body } }) =>
      body === undefined ? [] : placesOf(schemaOf(body)),
    );

    expect(parameters.length).toBeGreaterThan(10);
    expect(count.length).toBeGreaterThan(300);
    expect(NAMES).toEqual(expect.arrayContaining([SETTER, FUNCTION, 'toString', 'hasOwnProperty']));
  });
});
