import { wilsonInterval } from './statistics.ts';

/** How a side did in one comparison with the other. */
export type PairwiseOutcome = 'win' | 'loss' | 'tie';

export interface WinRate {
  /** Share of wins, with ties as halves. */
  readonly value: number;
  readonly n: number;
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
  /** The interval by Wilson, with 95 % confidence. */
  readonly interval95: [number, number];
}

/** The share of comparisons that a side won; null without comparisons. */
export function winRateOf(outcomes: readonly PairwiseOutcome[]): WinRate | null {
  const n = outcomes.length;
  if (n === 0) return null;
  const count = (wanted: PairwiseOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const [wins, losses, ties] = [count('win'), count('loss'), count('tie')];
  const value = (wins + ties / 2) / n;
  const [low, high] = wilsonInterval(value, n);
  return { value: round(value), n, wins, losses, ties, interval95: [round(low), round(high)] };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
