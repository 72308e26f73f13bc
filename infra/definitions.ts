import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SEARCHERS_MAX } from '#shared/growth/schema/augment.ts';

type Entry = Readonly<Record<string, unknown>>;

interface StateFile {
  readonly Retry?: string | readonly (string | Entry)[];
  readonly Catch?: Readonly<Record<string, string>> | readonly Entry[];
  readonly ItemProcessor?: MachineFile;
  readonly [field: string]: unknown;
}

/** A state machine, or the one inside a map, whose states may name policies. */
export interface MachineFile {
  readonly States: Readonly<Record<string, StateFile>>;
  readonly [field: string]: unknown;
}

/** Lists of retriers and catchers by name, as in `statemachines/policies.yaml`. */
export interface Policies {
  readonly Retry: Readonly<Record<string, readonly (string | Entry)[]>>;
  readonly Catch: Readonly<Record<string, readonly Entry[]>>;
}

/** What files hold that were read before: a test synthesizes many stages. */
const files = new Map<string, unknown>();

/** The content of a file of `statemachines`, which no caller may change. */
function readYaml(name: string): unknown {
  // `<<: *run` takes the fields of an earlier payload over.
  const content =
    files.get(name) ??
    parse(readFileSync(new URL(`../statemachines/${name}`, import.meta.url), 'utf8'), { merge: true });
  files.set(name, content);
  return content;
}

/** The most workers without a model that any map has by itself. */
export const WORKERS_MAX = SEARCHERS_MAX;

/**
 * The definition of a pipeline in Amazon States Language, with unresolved tokens.
 * @param workersMax the most workers that ask no model, at once
 */
export function readDefinition(pipelineId: string, workersMax = WORKERS_MAX): Record<string, unknown> {
  const text = JSON.stringify(readYaml(`${pipelineId}.asl.yaml`));
  const machine = JSON.parse(text.replaceAll('${WorkersMax}', String(workersMax))) as MachineFile;
  return expandPolicies(pipelineId, machine, readYaml('policies.yaml') as Policies);
}

/** A machine in which each name of a policy is replaced by the policy's retriers or catchers. */
export function expandPolicies(
  pipelineId: string,
  machine: MachineFile,
  policies: Policies,
): Record<string, unknown> {
  const expanded = Object.entries(machine.States).map(([name, state]) => {
    const where = `${pipelineId}: ${name}`;
    const { Retry, Catch, ItemProcessor } = state;
    return [
      name,
      {
        ...state,
        ...(Retry === undefined ? {} : { Retry: retriersOf(Retry, policies.Retry, where) }),
        ...(Catch === undefined ? {} : { Catch: catchersOf(Catch, policies.Catch, machine, where) }),
        ...(ItemProcessor === undefined
          ? {}
          : { ItemProcessor: expandPolicies(pipelineId, ItemProcessor, policies) }),
      },
    ];
  });
  return { ...machine, States: Object.fromEntries(expanded) };
}

function policyNamed<T>(known: Readonly<Record<string, T>>, name: string, where: string): T {
  if (Object.hasOwn(known, name)) return known[name] as T;
  throw new Error(`${where}: there is no policy "${name}", only ${Object.keys(known).join(', ')}.`);
}

function retriersOf(
  given: NonNullable<StateFile['Retry']>,
  known: Policies['Retry'],
  where: string,
): Entry[] {
  return [given]
    .flat()
    .flatMap((each) =>
      typeof each === 'string' ? retriersOf(policyNamed(known, each, where), known, where) : [each as Entry],
    );
}

function catchersOf(
  given: NonNullable<StateFile['Catch']>,
  known: Policies['Catch'],
  machine: MachineFile,
  where: string,
): Entry[] {
  if (Array.isArray(given)) return given;
  return Object.entries(given).flatMap(([name, next]) => {
    const catchers = policyNamed(known, name, where);
    if (!Object.hasOwn(machine.States, next)) {
      throw new Error(`${where}: what it catches goes to "${next}", which is no state of the machine.`);
    }
    return catchers.map((catcher) => ({ ...catcher, Next: next }));
  });
}
