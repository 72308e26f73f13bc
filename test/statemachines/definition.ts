import jsonata from 'jsonata';
import { readDefinition } from '#infra/definitions.ts';

export interface State {
  readonly Type: string;
  readonly QueryLanguage?: string;
  readonly Next?: string;
  readonly Default?: string;
  readonly Choices?: readonly {
    readonly Condition: string;
    readonly Next: string;
    readonly Assign?: Readonly<Record<string, unknown>>;
  }[];
  readonly Catch?: readonly {
    readonly ErrorEquals: readonly string[];
    readonly Next: string;
    readonly Assign?: Readonly<Record<string, unknown>>;
  }[];
  readonly Retry?: readonly Record<string, unknown>[];
  readonly Assign?: Readonly<Record<string, unknown>>;
  readonly Arguments?: Readonly<Record<string, unknown>>;
  readonly TimeoutSeconds?: number;
  readonly Resource?: string;
  readonly ItemProcessor?: Machine & { readonly ProcessorConfig: Record<string, unknown> };
  readonly [field: string]: unknown;
}

export interface Machine {
  readonly QueryLanguage?: string;
  readonly TimeoutSeconds?: number;
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

/** One level of states: a machine's own, or those of the children of its Distributed Map. */
export interface Level {
  readonly name: string;
  readonly machine: Machine;
  readonly isMapChild: boolean;
}

export function levelsOf(pipelineId: string): Level[] {
  const machine = readDefinition(pipelineId) as unknown as Machine;
  const children = Object.entries(machine.States).flatMap(([name, state]) =>
    state.ItemProcessor === undefined
      ? []
      : [{ name: `${pipelineId} / ${name}`, machine: state.ItemProcessor, isMapChild: true }],
  );
  return [{ name: pipelineId, machine, isMapChild: false }, ...children];
}

/** The states that can come right after a state, without its catchers. */
export function successorsOf(state: State): string[] {
  return [
    ...(state.Next === undefined ? [] : [state.Next]),
    ...(state.Default === undefined ? [] : [state.Default]),
    ...(state.Choices ?? []).map((choice) => choice.Next),
  ];
}

/** Every state that can be reached from `start`, itself included, by any way. */
export function reachableFrom(machine: Machine, start: string): Set<string> {
  const seen = new Set<string>();
  const pending = [start];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const state = machine.States[name];
    if (state === undefined) throw new Error(`There is no state "${name}".`);
    pending.push(...successorsOf(state), ...(state.Catch ?? []).map((catcher) => catcher.Next));
  }
  return seen;
}

/** The text between `{%` and `%}`, or null where the value is no expression. */
export function expressionIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return /^\{%([\s\S]*)%\}\s*$/.exec(value.trim())?.[1]?.trim() ?? null;
}

/** Every expression anywhere in a value, with where it stands. */
export function expressionsIn(value: unknown, at = ''): { at: string; expression: string }[] {
  const expression = expressionIn(value);
  if (expression !== null) return [{ at, expression }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'ItemProcessor' ? [] : expressionsIn(inner, `${at}.${key}`),
  );
}

export interface Bindings {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly states: Readonly<Record<string, unknown>>;
}

/** Evaluates one expression as Step Functions does: JSONata with `$states`, the variables and `$parse`. */
export async function evaluate(expression: string, { variables, states }: Bindings): Promise<unknown> {
  const compiled = jsonata(expression);
  compiled.registerFunction('parse', (text: string) => JSON.parse(text));
  const result = await compiled.evaluate(undefined, { ...variables, states });
  // JSONata marks its arrays and objects; a copy is plain.
  return result === undefined ? undefined : JSON.parse(JSON.stringify(result));
}

/** A value with every expression in it replaced by what it evaluates to. */
export async function evaluateAll(value: unknown, bindings: Bindings): Promise<unknown> {
  const expression = expressionIn(value);
  if (expression !== null) return evaluate(expression, bindings);
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([key, inner]) => [key, await evaluateAll(inner, bindings)] as const),
  );
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
