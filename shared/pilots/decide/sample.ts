import { sampleRows } from '#shared/runs/decide/sample-rows.ts';

export interface SampleCandidate {
  readonly row: number;
  readonly characters: number;
  readonly language: string | null;
  readonly text: string;
}

/** `count` rows in ascending order of row; the same for the same seed. */
export function stratifiedSample(
  candidates: readonly SampleCandidate[],
  count: number,
  seed: string,
): number[] {
  return sampleRows(candidates.length, count, seed)
    .map((place) => (candidates[place] as SampleCandidate).row)
    .sort((a, b) => a - b);
}
