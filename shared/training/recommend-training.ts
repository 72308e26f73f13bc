import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { requireTrainable } from '#shared/datasets/decide/trainable.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { findColumns } from './decide/columns.ts';
import { columnsOfRequest, recommendLaunch } from './decide/resolve.ts';
import { countExamples } from './require-examples.ts';
import type { RecommendedHyperparams, RecommendHyperparamsRequest, Trainer } from './schema/training.ts';
import { readTrainingSource, type TrainingSourcePorts } from './training-source.ts';

export interface RecommendTrainingPorts extends TrainingSourcePorts {
  readonly datasets: Pick<DatasetRepository, 'require'>;
  readonly trainers: readonly Trainer[];
}

/**
 * The model and hyperparameters that a training of the dataset would be launched with (spec §4.21), by its own columns.
 * It counts the rows that can be used as a launch does. Launches nothing.
 * @throws {ServiceError} `dataset_not_found`, `dataset_untrainable`, `model_unsupported`; `invalid_request` for a single row
 */
export async function recommendTraining(
  ports: RecommendTrainingPorts,
  caller: Pick<Caller, 'team_id'>,
  request: RecommendHyperparamsRequest,
): Promise<RecommendedHyperparams> {
  const { trainers } = ports;
  const dataset = await ports.datasets.require(caller, request.dataset_id);
  requireTrainable(dataset);
  const source = await readTrainingSource(ports, dataset);
  const counted =
    findColumns(source, request.training_method) === null
      ? {}
      : await countExamples(ports.objects, source, [columnsOfRequest(source, request)]);
  const { model, hyperparams } = recommendLaunch({ ...source, ...counted }, request, trainers);
  return { model: model.id, hyperparams };
}
