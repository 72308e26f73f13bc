import { mergeUses, type Uses } from './uses.ts';

/**
 * A dependency of a handler, with the resources that it uses. It is created on first use and kept for the life of
 * the process. The uses of a handler's needs are what its function may access: see `permissions.json`.
 */
export interface Need<T> {
  readonly uses: Uses;
  get(): T;
}

export type Needs = Readonly<Record<string, Need<unknown>>>;
export type Bound<N extends Needs> = { readonly [K in keyof N]: N[K] extends Need<infer T> ? T : never };

/** What a need uses: resources, and other needs with theirs. */
type Parts = Uses | readonly (Uses | Need<unknown>)[];

const isNeed = (part: Uses | Need<unknown>): part is Need<unknown> => 'get' in part;

/**
 * Declares a need. A bundle holds only the needs of its handler, because every call at the top of a module is marked as
 * pure; so `uses` names the other needs that it includes, and does not read their `uses`.
 */
export function need<T>(uses: Parts, create: () => T): Need<T> {
  let made: { value: T } | undefined;
  return {
    get uses() {
      return 'length' in uses ? mergeUses(uses.map((part) => (isNeed(part) ? part.uses : part))) : uses;
    },
    get: () => {
      made ??= { value: create() };
      return made.value;
    },
  };
}

/** Creates every need, or takes a test's replacement for it. */
export function bind<N extends Needs>(needs: N, replacements: Partial<Bound<N>> = {}): Bound<N> {
  return Object.fromEntries(
    Object.entries(needs).map(([name, each]) => [
      name,
      Object.hasOwn(replacements, name) ? replacements[name as keyof N] : each.get(),
    ]),
  ) as Bound<N>;
}

export function usesOf(needs: Needs): Uses {
  return mergeUses(Object.values(needs).map((each) => each.uses));
}
