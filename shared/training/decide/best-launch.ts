import type * as z from 'zod';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { BestLaunchConfig } from '#shared/datasets/schema/dataset.ts';
import { derivedId } from '#shared/platform/derived-id.ts';
import { normalizeText } from '#shared/platform/normalize-text.ts';
import type { FinetuneJob } from './finetune-job.ts';
import { hasEnded } from './has-ended.ts';
import { shownHyperparams, type TrainingRecord } from './record.ts';

type Job = z.infer<typeof BestLaunchConfig>['best_job_config'];

/**
 * The job with which a training of the dataset can be launched again (spec §2.14): the winner of the newest training
 * that has one, unless one is active; without a training of this dataset, the newest job that succeeded on another one.
 * @param trainings of the dataset, newest first
 */
export function bestLaunch(
  dataset: Pick<DatasetRecord, 'name'>,
  trainings: readonly TrainingRecord[],
  jobs: readonly FinetuneJob[],
): Job {
  if (trainings.length > 0) {
    const isActive = trainings.some((training) => !hasEnded(training));
    const won = trainings.find(({ best }) => best !== null);
    return isActive || won === undefined ? null : winnerOf(won, dataset);
  }
  const [job] = jobs
    .filter(({ status }) => status === 'succeeded')
    .toSorted((a, b) => (a.completed_at < b.completed_at ? 1 : -1));
  if (job === undefined) return null;
  return {
    finetune_job_id: job.finetune_job_id,
    training_experiment_id: null,
    original_model_name: job.original_model_name,
    trained_model_name: job.trained_model_name ?? labelOf(dataset),
    training_method: job.training_method,
    training_type: job.training_type,
    data_format: job.data_format,
    hyperparams: job.hyperparams,
  };
}

function winnerOf(training: TrainingRecord, dataset: Pick<DatasetRecord, 'name'>): Job {
  const { best, experiment_id, model, training_method, data_format, fine_tuning } = training;
  if (best === null) return null;
  const isPreference = training_method === 'alignment';
  return {
    finetune_job_id: derivedId(`${experiment_id} iteration ${best.iteration}`),
    training_experiment_id: experiment_id,
    original_model_name: model,
    trained_model_name: fine_tuning?.suffix ?? labelOf(dataset),
    training_method: isPreference ? 'dpo' : 'sft',
    training_type: best.hyperparams.training_type ?? 'lora',
    data_format: isPreference ? 'preference' : data_format,
    hyperparams: shownHyperparams(best.hyperparams),
  };
}

/** The name of a model trained on the dataset; null if the dataset's name has no letter or digit. */
function labelOf({ name }: Pick<DatasetRecord, 'name'>): string | null {
  const label = normalizeText(name, 'NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return label === '' ? null : label;
}
