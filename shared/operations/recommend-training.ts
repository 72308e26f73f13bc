import type { Caller } from '../domain/access/caller.ts';
import type { DatasetRepository } from '../domain/datasets/repository.ts';
import { recommendHyperparams } from '../domain/training/recommend-hyperparams.ts';
import { effectiveRows, recommendedModel, requireModel } from '../domain/training/resolve.ts';
import { requireTrainable } from '../domain/training/trainable.ts';
import type { RecommendedHyperparams, RecommendHyperparamsRequest, Trainer } from '../schema/training.ts';
import { readTrainingSource, type TrainingSourcePorts } from './training-source.ts';

export interface RecommendTrainingPorts extends TrainingSourcePorts {
  readonly datasets: Pick<DatasetRepository, 'require'>;
  readonly trainers: readonly Trainer[];
}

/**
 * The model and hyperparameters that a training of the dataset would be launched with (spec §4.21), as its own columns
 * select them. Launches nothing.
 * @throws {ServiceError} `dataset_not_found`, `dataset_untrainable`, `model_unsupported`
 */
export async function recommendTraining(
  ports: RecommendTrainingPorts,
  caller: Pick<Caller, 'team_id'>,
  request: RecommendHyperparamsRequest,
): Promise<RecommendedHyperparams> {
  const { trainers } = ports;
  const dataset = await ports.datasets.require(caller, request.dataset_id);
  requireTrainable(dataset);
  const named = request.model === undefined ? null : requireModel(request.model, trainers);
  const source = await readTrainingSource(ports, dataset);
  const rows = effectiveRows(source, request);
  const { model, method } = recommendedModel(source, named, rows, trainers);
  return { model: model.id, hyperparams: recommendHyperparams(model, { method, rows }) };
}
