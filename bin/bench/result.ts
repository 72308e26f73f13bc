/** What a bench measured, beside what was measured with it in the same run. */
export interface BenchResult {
  readonly name: string;
  /** The median of `runs`. */
  readonly value: number;
  readonly unit: string;
  /** What the value is held against, and value / bound. */
  readonly bound: { readonly name: string; readonly value: number };
  readonly ratio: number;
  readonly runs: readonly number[];
  /** Other programs at the same work in the same run, with their medians. */
  readonly peers: readonly {
    readonly name: string;
    readonly value: number;
    readonly runs: readonly number[];
  }[];
}
