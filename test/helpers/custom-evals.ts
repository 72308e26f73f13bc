import type { DatasetRecord, EvaluationRecord } from '#shared/datasets/decide/record.ts';
import type { CustomEvalRecord } from '#shared/judging/decide/custom-evals/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { seedDataset, seedTeam } from './records.ts';
import type { World } from './world.ts';

export const RUBRIC = 'Score from 0 to 10: ten for an answer that names its source, zero for one without.';

/** Has `run-1` of a dataset evaluated. */
export async function seedEvaluation(
  world: World,
  datasetId: string,
  teamId = 'team',
  fields: Partial<EvaluationRecord> = {},
): Promise<void> {
  await world.store.datasets.recordEvaluation(teamId, {
    dataset_id: datasetId,
    run_id: 'run-1',
    status: 'succeeded',
    quality: null,
    results_key: null,
    started_at: '2026-03-01T12:00:00.000Z',
    updated_at: '2026-03-01T12:00:00.000Z',
    ...fields,
  });
}

/** A dataset that was adapted and evaluated by the run `run-1`. */
export async function seedAdapted(world: World): Promise<{ owner: Caller; dataset: DatasetRecord }> {
  const owner = await seedTeam(world.store, 0);
  const dataset = await seedDataset(world.store, owner, { state: 'succeeded', last_run_id: 'run-1' });
  await seedEvaluation(world, dataset.dataset_id);
  return { owner, dataset };
}

export async function seedCustomEval(
  world: World,
  dataset: DatasetRecord,
  fields: Partial<CustomEvalRecord> = {},
): Promise<CustomEvalRecord> {
  const record: CustomEvalRecord = {
    custom_eval_id: crypto.randomUUID(),
    dataset_id: dataset.dataset_id,
    team_id: dataset.team_id,
    run_id: 'run-1',
    status: 'pending',
    judge_prompt: RUBRIC,
    name: null,
    score_before: null,
    score_after: null,
    improvement_percent: null,
    scored_rows: null,
    error_message: null,
    created_at: new Date().toISOString(),
    completed_at: null,
    ...fields,
  };
  await world.store.customEvals.create(record);
  return record;
}
