import { median } from './median.ts';
import type { Part } from './parts.ts';

/** A measurement of a bench, with others from the same run. */
export interface BenchResult {
  readonly name: string;
  /** The median of `runs`. */
  readonly value: number;
  readonly unit: string;
  /** The bound for the value, and value / bound. */
  readonly bound: { readonly name: string; readonly value: number };
  readonly ratio: number;
  readonly runs: readonly number[];
  /** Other programs with the same work in the same run, with their medians. */
  readonly peers: readonly {
    readonly name: string;
    readonly value: number;
    readonly runs: readonly number[];
  }[];
  /** Processor time of one unit of work, in microseconds, and its parts, which add up to it. */
  readonly processorMicroseconds?: number;
  readonly parts?: readonly Part[];
}

/** A result whose value is the median of its runs, as are those of its peers. */
export function resultOf({
  peers = [],
  ...measured
}: Pick<BenchResult, 'name' | 'unit' | 'runs' | 'bound'> & {
  readonly peers?: readonly Omit<BenchResult['peers'][number], 'value'>[];
}): BenchResult {
  const value = median(measured.runs);
  return {
    ...measured,
    value,
    ratio: value / measured.bound.value,
    peers: peers.map((peer) => ({ ...peer, value: median(peer.runs) })),
  };
}
