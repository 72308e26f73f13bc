import type { EvaluationRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { EndRun } from '#shared/runs/end-run.ts';

/**
 * The evaluation of a run that ends, null without one. One that is still running has failed: its state machine was stopped before it
 * could record this.
 */
export async function endEvaluation(
  { datasets }: { readonly datasets: Pick<DatasetRepository, 'findEvaluation' | 'recordEvaluation'> },
  { dataset_id, run_id, team_id }: RunRecord,
  now: number,
): Promise<EvaluationRecord | null> {
  const found = await datasets.findEvaluation(dataset_id, run_id);
  if (found?.status !== 'running') return found;
  const failed = { ...found, status: 'failed' as const, updated_at: new Date(now).toISOString() };
  await datasets.recordEvaluation(team_id, failed);
  return failed;
}

/** What the dataset shows of the evaluation of its run; empty without grades. */
export function summaryOf(
  evaluation: EvaluationRecord | null,
): Pick<Parameters<EndRun>[0], 'evaluationSummary'> {
  const quality = evaluation?.quality ?? null;
  if (quality === null) return {};
  const { grade_before, grade_after, score_before, score_after, improvement_percent } = quality;
  return {
    evaluationSummary: { grade_before, grade_after, score_before, score_after, improvement_percent },
  };
}
