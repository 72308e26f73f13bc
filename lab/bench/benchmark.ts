import type { LocalCloud } from '#local/up.ts';
import { describeParts } from './parts.ts';
import type { BenchResult } from './result.ts';

/** `full` is what the goals are for, `quick` takes seconds for each figure, `tiny` shows that a benchmark runs. */
export type Size = 'full' | 'quick' | 'tiny';

/** What must be there: no more than the build, a deployed cloud, or the packages of local models and trainers. */
export type Surroundings = 'build' | 'cloud' | 'models';

/** A deployed cloud that a benchmark may use. */
export type BenchCloud = Pick<LocalCloud, 'endpoint' | 'tableName' | 'environment'>;

/** What a figure's ratio is to be. */
export type Goal = {
  readonly work: string;
  /** What the ratio compares the figure with. */
  readonly against: string;
  /** The worst ratio that is let pass; half the goal, or twice one that is not to be exceeded, if it is not given. */
  readonly floor?: number;
} & ({ readonly atLeast: number } | { readonly atMost: number });

export interface Figure {
  /** The measured value with its unit. */
  readonly figure: string;
  readonly ratio: number;
  /** Lines that say more: single runs, peers, figures from elsewhere. */
  readonly details: readonly string[];
}

export interface Benchmark {
  /** Its name on the command line. */
  readonly name: string;
  readonly needs: Surroundings;
  readonly goals: Readonly<Record<string, Goal>>;
  /** Measures a figure for each goal. One that needs a cloud starts its own if it is given none. */
  run(size: Size, cloud?: BenchCloud): Promise<Readonly<Record<string, Figure>>>;
}

/** A benchmark whose figures are those of its goals, as the type checker sees. */
export function benchmark<Key extends string>(
  declared: Omit<Benchmark, 'goals' | 'run'> & {
    readonly goals: Readonly<Record<Key, Goal>>;
    run(size: Size, cloud?: BenchCloud): Promise<Readonly<Record<Key, Figure>>>;
  },
): Benchmark {
  return declared;
}

export function isMet(goal: Goal, ratio: number): boolean {
  return 'atLeast' in goal ? ratio >= goal.atLeast : ratio <= goal.atMost;
}

/** Whether a ratio is worse than the floor of its goal; also if there is no ratio. */
export function isBelowFloor(goal: Goal, ratio: number): boolean {
  return 'atLeast' in goal
    ? !(ratio >= (goal.floor ?? goal.atLeast / 2))
    : !(ratio <= (goal.floor ?? goal.atMost * 2));
}

export const formatNumber = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/**
 * The figure of a result, with its ratio to the bound, or to the peer with the name `against`. `recorded` are figures of
 * other programs that were measured elsewhere.
 * @throws {Error} if it has no such peer
 */
export function figureOf(
  { value, unit, bound, ratio, runs, peers, processorMicroseconds, parts = [] }: BenchResult,
  { against, recorded }: { readonly against?: string; readonly recorded?: string } = {},
): Figure {
  const peer = peers.find(({ name }) => name === against);
  if (against !== undefined && peer === undefined) throw new Error(`There is no peer ${against}.`);
  const others = [bound, ...peers].map(
    (other) => `${(value / other.value).toFixed(2)} × ${other.name} (${formatNumber(other.value)} ${unit})`,
  );
  return {
    figure: `${formatNumber(value)} ${unit}`,
    ratio: peer === undefined ? ratio : value / peer.value,
    details: [
      `runs ${runs.map(formatNumber).join(', ')}`,
      ...others,
      ...(processorMicroseconds === undefined ? [] : [describeParts(processorMicroseconds, parts)]),
      ...(recorded === undefined ? [] : [`recorded elsewhere: ${recorded}`]),
    ],
  };
}
