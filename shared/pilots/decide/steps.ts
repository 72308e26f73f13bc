import type { BatchPlan, RunContext, ScorePlan } from '#shared/runs/schema/run-context.ts';

/** What a pilot does one after the other; the state machine counts the steps from 0. */
export const STEPS = ['adapt', 'compare', 'end'] as const;

/** Rows of a worker, few so that workers share them. */
export const PART_ROWS = 25;
/** More parts than an arm has of the largest sample. */
const PARTS_MAX = 10;

export interface Part {
  /** Names its result, checkpoints and progress. */
  readonly n: number;
  /** First row in the sample, and the number of rows. */
  readonly first: number;
  readonly count: number;
}

/** The parts that the sample is worked on in, for an arm. */
export function partsOf(arm: number, sampleRows: number): Part[] {
  return Array.from({ length: Math.ceil(sampleRows / PART_ROWS) }, (_, part) => {
    const first = part * PART_ROWS;
    return { n: (arm - 1) * PARTS_MAX + part, first, count: Math.min(PART_ROWS, sampleRows - first) };
  });
}

/** What a worker is told of an arm's part of the sample. */
export function batchOf(
  { run_id, dataset_id, team_id }: RunContext,
  { n, first, count }: Part,
  keys: { readonly sample: string; readonly request: string },
): BatchPlan {
  return {
    run_id,
    dataset_id,
    team_id,
    n,
    chunk_key: keys.sample,
    first_line: first,
    first_row: first,
    row_count: count,
    selected: null,
    request_key: keys.request,
  };
}

/** What a worker is told of answers to compare with the originals. */
export function comparisonOf(
  { run_id, dataset_id, team_id }: RunContext,
  { n, first }: Part,
  keys: Required<Pick<ScorePlan, 'sample_key' | 'request_key'>>,
): ScorePlan {
  return { run_id, dataset_id, team_id, n, first_row: first, ...keys };
}
