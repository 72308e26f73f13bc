import type { BatchPlan, RunContext, ScorePlan } from '#shared/runs/schema/run-context.ts';
import { ARMS_MAX } from '../schema/pilot.ts';
import { firstLookRows } from './looks.ts';

/** What a pilot does one after the other; the state machine counts the steps from 0. */
export const STEPS = ['adapt first', 'compare first', 'adapt rest', 'compare rest', 'finals', 'end'] as const;

/** The looks at the sample: arms that cannot win are stopped between them. */
export const LOOKS = [0, 1] as const;
export type Look = (typeof LOOKS)[number];

/** Rows of a worker, few so that workers share them. */
export const PART_ROWS = 25;
/** More parts than a look of the largest sample has. */
const PARTS_MAX = 10;

/** The rows of the sample that a look takes: from the first, to before the second. */
export function rowsOfLook(look: Look, sampleRows: number): readonly [number, number] {
  const first = firstLookRows(sampleRows);
  return look === 0 ? [0, first] : [first, sampleRows];
}

/** The number of a part of an arm's rows, which names its result, checkpoints and progress. */
const partNumber = (look: Look, arm: number, part: number): number =>
  (look * ARMS_MAX + arm - 1) * PARTS_MAX + part;

/** The number of a part of a final; `pair` counts the pairs of finalists. */
const finalNumber = (pair: number, part: number): number => (2 * ARMS_MAX + pair) * PARTS_MAX + part;

export interface Part {
  readonly n: number;
  /** First row in the sample, and the number of rows. */
  readonly first: number;
  readonly count: number;
}

/** The parts that an arm's rows of a look are worked on in. */
export function partsOfLook(look: Look, arm: number, sampleRows: number): Part[] {
  const [from, to] = rowsOfLook(look, sampleRows);
  const parts: Part[] = [];
  for (let first = from; first < to; first += PART_ROWS) {
    parts.push({ n: partNumber(look, arm, parts.length), first, count: Math.min(PART_ROWS, to - first) });
  }
  return parts;
}

/** The parts of `rows` pairs of a final. */
export function partsOfFinal(pair: number, rows: number): Part[] {
  const parts: Part[] = [];
  for (let first = 0; first < rows; first += PART_ROWS) {
    parts.push({ n: finalNumber(pair, parts.length), first, count: Math.min(PART_ROWS, rows - first) });
  }
  return parts;
}

/** The pairs of finalists, each once. */
export function pairsOf(finalists: readonly number[]): (readonly [arm: number, against: number])[] {
  return finalists.flatMap((arm, place) =>
    finalists.slice(place + 1).map((against) => [arm, against] as const),
  );
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

/** What a worker is told of pairs to compare. */
export function comparisonOf(
  { run_id, dataset_id, team_id }: RunContext,
  { n, first }: Part,
  told: Required<Pick<ScorePlan, 'sample_key' | 'request_key' | 'compares'>>,
): ScorePlan {
  return { run_id, dataset_id, team_id, n, first_row: first, ...told };
}
