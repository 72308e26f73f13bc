import type { Readable } from 'node:stream';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { artifactOf } from '#shared/training/decide/artifact.ts';
import type { TrainingRepository } from '#shared/training/decide/repository.ts';
import { TrainingReport } from '#shared/training/schema/training-outcome.ts';
import { modelCard } from './decide/model-card.ts';
import { isModelFile, MODEL_BYTES_MAX, requireModel } from './decide/model-files.ts';
import { PublicationRefused, type RepositoryContent, type UnpackedFile } from './decide/ports.ts';
import type { PublicationRecord } from './decide/record.ts';

export interface ModelContentPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'stream'>;
  /** Unpacks files of a `.tar.gz` into a temporary folder, which is deleted after `use`; those without room are not written. */
  readonly unpack: <T>(
    archive: Readable,
    which: { readonly isWanted: (name: string) => boolean; readonly bytesMax: number },
    use: (files: readonly UnpackedFile[]) => Promise<T>,
  ) => Promise<T>;
}

/**
 * Unpacks the model of a training, with a card.
 * @throws {PublicationRefused} if it is deleted, or cannot be published
 */
export async function withModelContent<T>(
  { datasets, trainings, objects, unpack }: ModelContentPorts,
  { dataset_id, team_id, license }: PublicationRecord,
  experiment_id: string,
  use: (content: RepositoryContent) => Promise<T>,
): Promise<T> {
  const [dataset, training] = await Promise.all([
    datasets.find(dataset_id),
    trainings.find(team_id, experiment_id),
  ]);
  const key = training === null ? null : artifactOf(training).key;
  if (dataset === null || training === null || key === null || (await objects.head(key)) === null) {
    throw new PublicationRefused(
      'The model was deleted with the dataset that it was trained on. Publish another one, or train again.',
    );
  }
  const report = await readJson(objects, objectKeys.trainingReport(experiment_id), TrainingReport);
  const which = { isWanted: isModelFile, bytesMax: MODEL_BYTES_MAX };
  return unpack(await objects.stream(key), which, (files) => {
    const form = requireModel(files);
    return use({
      kind: 'model',
      marker: { experiment_id },
      files: files.map(({ name, localPath }) => ({ path: name, localPath })),
      card: modelCard({ form, datasetName: dataset.name, license, training, report }),
    });
  });
}
