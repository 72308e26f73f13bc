import * as z from 'zod';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { artifactOf, noArtifact } from '#shared/training/decide/artifact.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { HuggingFaceModelSpec, type PublishJob, type PublishTarget } from './schema/publication.ts';
import { type QueuePublicationPorts, queuePublication, requireConnection } from './start-publication.ts';

export interface StartModelPublicationPorts extends QueuePublicationPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'head'>;
}

const Settings = z.object({ target_spec: HuggingFaceModelSpec });

/**
 * Starts to publish the best model of a training.
 * @throws {ServiceError} `publish_not_implemented` without a connection, `invalid_request`, `no_artifact`, `publication_active`
 */
export async function startModelPublication(
  ports: StartModelPublicationPorts,
  training: TrainingRecord,
  { target, target_spec = {} }: { readonly target: PublishTarget; readonly target_spec?: object | undefined },
  now: number,
): Promise<PublishJob> {
  const { team_id, dataset_id, experiment_id } = training;
  await requireConnection(ports, team_id, target, 'model');
  const spec = parseInput('', Settings, { target_spec }).target_spec;
  const { key } = artifactOf(training);
  // The publication is kept with the dataset, and would outlive one that was deleted.
  if ((await ports.datasets.find(dataset_id)) === null || (await ports.objects.head(key)) === null) {
    throw noArtifact('The model was removed together with the dataset that it was trained on.');
  }
  return queuePublication(ports, { dataset_id, experiment_id, team_id, target, run_id: null }, spec, now);
}
