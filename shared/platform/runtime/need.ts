import { type Env, env } from './env.ts';
import { mergeUses, type Uses } from './uses.ts';

/** Something outside of the process: the table, the bucket, a model, a clock. AWS is one implementation, tests have another. */
export interface Resource<T> {
  readonly name: string;
  /** Connects to it as a deployed function does. */
  connect(use: Use): T;
}

/**
 * A dependency of a handler, with the resources that it uses. The uses of a handler's needs are what its function may
 * access: see `permissions.json`.
 */
export interface Need<T> {
  readonly uses: Uses;
  create(use: Use): T;
}

/** Answers resources, and needs made of them. Each is made on first use, and once. */
export interface Use {
  <T>(wanted: Resource<T> | Need<T>): T;
  /** The settings of the function. */
  readonly env: Env;
}

export type Needs = Readonly<Record<string, Need<unknown>>>;
export type Bound<N extends Needs> = { readonly [K in keyof N]: N[K] extends Need<infer T> ? T : never };

/** What a need uses: resources, and other needs with theirs. */
type Parts = Uses | readonly (Uses | Need<unknown>)[];

const isNeed = (part: object): part is Need<unknown> => 'create' in part;

/** Declares a resource, by the client of a deployed function. */
export const resource = <T>(name: string, connect: (use: Use) => T): Resource<T> => ({ name, connect });

/**
 * Declares a need. A bundle holds only the needs of its handler, because every call at the top of a module is marked as
 * pure; so `uses` names the other needs that it includes, and does not read their `uses`.
 */
export function need<T>(uses: Parts, create: (use: Use) => T): Need<T> {
  return {
    get uses() {
      return 'length' in uses ? mergeUses(uses.map((part) => (isNeed(part) ? part.uses : part))) : uses;
    },
    create,
  };
}

/** Declares an operation on parts, which are needs: it uses what they use, and takes them as its ports. */
export function operation<const P extends Needs, Args extends unknown[], Result>(
  parts: P,
  run: (ports: Bound<P>, ...args: Args) => Result,
): Need<(...args: Args) => Result> {
  return {
    get uses() {
      return usesOf(parts);
    },
    create(use) {
      const ports = bind(parts, use);
      return (...args) => run(ports, ...args);
    },
  };
}

/** A setting of the function, which it may read without a grant. */
export const setting = <T>(read: (env: Env) => T): Need<T> => need({}, ({ env }) => read(env));

/**
 * @param connect what a resource is: that of a deployed function, or what stands in for it in a test
 * @param grant what a need gets of what it made; a test denies what the need does not name, as IAM does
 */
export function createUse(
  settings: Env,
  connect: <T>(wanted: Resource<T>, use: Use) => T,
  grant: (need: Need<unknown>, value: unknown) => unknown = (_need, value) => value,
): Use {
  const made = new Map<object, unknown>();
  const use = <T>(wanted: Resource<T> | Need<T>): T => {
    if (!made.has(wanted)) {
      made.set(wanted, isNeed(wanted) ? grant(wanted, wanted.create(all)) : connect(wanted, all));
    }
    return made.get(wanted) as T;
  };
  const all: Use = Object.assign(use, { env: settings });
  return all;
}

/** The resources of the deployed function, kept for the life of the process. */
export const deployed = /* @__PURE__ */ createUse(env, (wanted, use) => wanted.connect(use));

/** Creates every need, or takes a test's replacement for it. */
export function bind<N extends Needs>(needs: N, use: Use, replacements: Partial<Bound<N>> = {}): Bound<N> {
  return Object.fromEntries(
    Object.entries(needs).map(([name, each]) => [
      name,
      Object.hasOwn(replacements, name) ? replacements[name as keyof N] : use(each),
    ]),
  ) as Bound<N>;
}

export function usesOf(needs: Needs): Uses {
  return mergeUses(Object.values(needs).map((each) => each.uses));
}
