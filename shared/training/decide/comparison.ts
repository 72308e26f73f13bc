import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { ComparisonLaunch, ComparisonSummary, TrainingSide } from '../schema/comparison.ts';
import { heldOutCount } from './hold-out.ts';
import { shownHyperparams, type TrainingRecord } from './record.ts';

/** A training that compares the two sides of an adaptation. */
export type ComparisonRecord = TrainingRecord & {
  readonly comparison: NonNullable<TrainingRecord['comparison']>;
};

/**
 * The comparison that a caller asks for.
 * @throws {ServiceError} `comparison_not_found`
 */
export function shownComparison(found: TrainingRecord | null): ComparisonRecord {
  const { comparison } = found ?? {};
  if (found === null || comparison === undefined) {
    throw new ServiceError(
      'comparison_not_found',
      'There is no comparison with this id in your team. Check the id, or list your comparisons.',
    );
  }
  return { ...found, comparison };
}

/** What an iteration of a comparison trains: the originals of a seed, then its adapted rows. Seeds count from 1. */
export function sideOf(iteration: number): { readonly side: TrainingSide; readonly seed: number } {
  return { side: iteration % 2 === 1 ? 'original' : 'adapted', seed: Math.ceil(iteration / 2) };
}

const hyperparamsOf = ({ recommended }: TrainingRecord) =>
  shownHyperparams(recommended.at(-1)?.hyperparams ?? {});

/** The answer to a request that starts a comparison, or to one that only asks what it would train. */
export function toComparisonLaunch(record: ComparisonRecord, isEstimate: boolean): ComparisonLaunch {
  const { seeds } = record.comparison;
  return {
    comparison_id: isEstimate ? null : record.experiment_id,
    estimate: isEstimate,
    dataset_id: record.dataset_id,
    model: record.model,
    training_method: record.training_method,
    hyperparams: hyperparamsOf(record),
    seeds,
    trainings: 2 * seeds,
    rows: record.source_rows,
    held_out_rows: heldOutCount(record.effective_rows ?? record.source_rows),
    estimated_credits: 0,
    notes: record.explanation,
  };
}

export function toComparisonSummary(record: ComparisonRecord): ComparisonSummary {
  return {
    comparison_id: record.experiment_id,
    dataset_id: record.dataset_id,
    run_id: record.source_run_id ?? '',
    model: record.model,
    training_method: record.training_method,
    hyperparams: hyperparamsOf(record),
    seeds: record.comparison.seeds,
    status: record.status,
    trainings_completed: record.iterations_completed - record.iterations_failed,
    trainings_total: record.max_iterations,
    created_at: record.created_at,
    completed_at: record.completed_at,
    error: record.error,
  };
}
