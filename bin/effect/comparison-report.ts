import type { ComparisonWinRate } from '#shared/training/schema/comparison.ts';
import { COMPARISONS, type MeasuredComparison } from './comparison-measure.ts';
import { COMPARED_DATASETS, type ComparedDataset } from './comparison-rows.ts';

/** Name of the section in `docs/effect.md`. */
export const COMPARISONS_SECTION = 'comparisons-measured';

export function writeComparisonsSection(_m: readonly MeasuredComparison[], _model: string): string {
  return '';
}
