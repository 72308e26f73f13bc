import type { Schemas } from 'tunesmith';

export type ComparisonRequest = Schemas['CreateComparisonRequest'];

export const SEEDS_MAX = 5;

/** What a comparison trains, as it is chosen. */
export interface ComparisonForm {
  /** Empty leaves the choice to the service. */
  readonly model: string;
  readonly seeds: number;
  /** Whether the originals are in columns that the adaptation did not map. */
  readonly hasOwnColumns: boolean;
  readonly prompt: string;
  readonly completion: string;
}

export const NEW_COMPARISON: ComparisonForm = {
  model: '',
  seeds: 1,
  hasOwnColumns: false,
  prompt: '',
  completion: '',
};

/** Why nothing can be asked of the service yet; null if it can. */
export function obstacleOf({ hasOwnColumns, prompt, completion }: ComparisonForm): string | null {
  if (!hasOwnColumns) return null;
  if (prompt === '' || completion === '')
    return 'Choose the columns with the original prompts and answers first.';
  return prompt === completion ? 'Choose two different columns first.' : null;
}

/** The request of a form, without a key; what is left to the service is left out. */
export function comparisonRequestOf(datasetId: string, form: ComparisonForm): ComparisonRequest {
  const { model, seeds, hasOwnColumns, prompt, completion } = form;
  return {
    dataset_id: datasetId,
    seeds,
    ...(model === '' ? {} : { model }),
    ...(hasOwnColumns ? { column_mapping: { prompt, completion } } : {}),
  };
}

/**
 * The names by which the service knows the columns of the source in an adapted dataset: where a column of the adaptation
 * has the name of one, that one is called `original_…`.
 */
export function originalColumnsOf(
  columns: readonly Pick<Schemas['ShownColumn'], 'name' | 'side'>[],
): string[] {
  const adapted = new Set(columns.filter(({ side }) => side === 'after').map(({ name }) => name));
  return columns
    .filter(({ side }) => side === 'before')
    .map(({ name }) => (adapted.has(name) ? `original_${name}` : name));
}
