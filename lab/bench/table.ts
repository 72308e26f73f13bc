import { type Benchmark, type Figure, type Goal, isBelowFloor, isMet } from './benchmark.ts';

/** A goal with what was measured of it. */
export interface Measured {
  readonly goal: Goal;
  readonly figure: Figure;
}

/** The figures of a benchmark, in the order of its goals. */
export function measuredOf({ goals }: Benchmark, figures: Readonly<Record<string, Figure>>): Measured[] {
  return Object.entries(goals).map(([key, goal]) => {
    const figure = figures[key];
    if (figure === undefined) throw new Error(`${goal.work} has no figure.`);
    return { goal, figure };
  });
}

const HEAD = ['Work', 'Figure', 'Ratio', 'Goal', 'Met'] as const;

/** One line for each figure: the work, its figure, the ratio and what it compares with, the goal, and whether it is met. */
export function tableOf(measured: readonly Measured[]): string {
  const lines = measured.map(({ goal, figure }) => [
    goal.work,
    figure.figure,
    `${figure.ratio.toFixed(2)} × ${goal.against}`,
    'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`,
    isMet(goal, figure.ratio) ? 'yes' : isBelowFloor(goal, figure.ratio) ? 'NO, below the floor' : 'no',
  ]);
  const widths = HEAD.map((name, n) => Math.max(name.length, ...lines.map((cells) => cells[n]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  return [HEAD, rule, ...lines]
    .map((cells) => `| ${widths.map((width, n) => (cells[n] ?? '').padEnd(width)).join(' | ')} |`)
    .join('\n');
}

/** The works whose ratio is below its floor. */
export function worksBelowFloor(measured: readonly Measured[]): string[] {
  return measured.filter(({ goal, figure }) => isBelowFloor(goal, figure.ratio)).map(({ goal }) => goal.work);
}
