import type { Caller } from '../domain/access/caller.ts';
import type { DatasetRepository } from '../domain/datasets/repository.ts';
import type { RunRepository } from '../domain/runs/repository.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { trainableModels } from '../domain/training/catalog.ts';
import { recommendHyperparams } from '../domain/training/recommend-hyperparams.ts';
import { selectModel, type TrainingTask } from '../domain/training/select-model.ts';
import { requireTrainable } from '../domain/training/trainable.ts';
import { ServiceError } from '../errors/service-error.ts';
import { RowsManifest } from '../schema/rows-manifest.ts';
import type { RecommendedHyperparams, RecommendHyperparamsRequest, Trainer } from '../schema/training.ts';
import { deliveredRowCount } from './combine-rows.ts';
import { readCombineSource } from './combine-sources.ts';
import { readJson } from './json-objects.ts';

export interface RecommendTrainingPorts {
  readonly datasets: Pick<DatasetRepository, 'require'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly trainers: readonly Trainer[];
}

/** Fewer bytes than tokenizers put into one token of prose, on average. */
const BYTES_PER_TOKEN = 3;
/** Few rows of a dataset are longer than so many times the mean of its longest chunk. */
const LONG_ROW = 4;

/**
 * The model and hyperparameters that a training of the dataset would be launched with (spec §4.21). Launches nothing,
 * and reads no row: rows and their lengths are known from the manifest.
 * @throws {ServiceError} `dataset_not_found`, `dataset_untrainable`, `model_unsupported`
 */
export async function recommendTraining(
  ports: RecommendTrainingPorts,
  caller: Pick<Caller, 'team_id'>,
  request: RecommendHyperparamsRequest,
): Promise<RecommendedHyperparams> {
  const { objects } = ports;
  const dataset = await ports.datasets.require(caller, request.dataset_id);
  requireTrainable(dataset);
  const models = trainableModels(ports.trainers);
  const named = models.find(({ id }) => id === request.model);
  if (request.model !== undefined && named === undefined) {
    throw new ServiceError(
      'model_unsupported',
      `model: no trainer of this installation knows ${JSON.stringify(request.model)}; take one of GET /api/v1/autoscientist/models.`,
      { details: [{ path: 'model', message: 'is not known', available: models.map(({ id }) => id) }] },
    );
  }

  const runId = dataset.last_run_id;
  const [manifest, run] = await Promise.all([
    readJson(objects, objectKeys.manifest(dataset.dataset_id), RowsManifest),
    runId === null ? null : ports.runs.find(dataset.dataset_id, runId),
  ]);
  const shape = await readCombineSource(objects, dataset, manifest.columns, runId);
  const bytesPerRow = Math.max(0, ...manifest.chunks.map(({ bytes, row_count }) => bytes / row_count));
  const task: TrainingTask = {
    method: shape.training_type === 'preference_pairs' ? 'dpo' : 'sft',
    rows:
      deliveredRowCount(manifest.row_count, run) +
      (request.augmentation_domain_rows ?? 0) +
      (request.augmentation_general_rows ?? 0),
    rowTokens: (LONG_ROW * bytesPerRow) / BYTES_PER_TOKEN,
  };
  const model = named ?? selectModel(models, task);
  return { model: model.id, hyperparams: recommendHyperparams(model, task) };
}
