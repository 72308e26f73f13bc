import { type Caller, requireScope } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { type ReadMetricsPorts, readMetrics } from '#shared/training/read-metrics.ts';
import type { BatchFile, BatchRepository } from './decide/batches.ts';
import { datasetIdOf } from './decide/ids.ts';
import { hasResults, resultCsv } from './decide/result-file.ts';

/**
 * A file that a batch has left, or what else the id names.
 * @param otherwise reads the dataset of the id
 * @throws {ServiceError} of `otherwise`, if there is neither
 */
export async function batchFileOr<Other>(
  batches: Pick<BatchRepository, 'findFile'>,
  caller: Caller,
  fileId: string,
  otherwise: (datasetId: string) => Promise<Other>,
): Promise<{ readonly file: BatchFile } | { readonly other: Other }> {
  const id = datasetIdOf(fileId);
  try {
    return { other: await otherwise(id) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'dataset_not_found') throw error;
    const file = await batches.findFile(caller.team_id, id);
    if (file === null) throw error;
    return { file };
  }
}

type FindTraining = (teamId: string, experimentId: string) => Promise<TrainingRecord | null>;

/** The job that has left the file of metrics that the id names; null if none has. */
export async function findResults(
  trainings: { readonly find: FindTraining },
  caller: Caller,
  fileId: string,
): Promise<TrainingRecord | null> {
  const training = await trainings.find(caller.team_id, datasetIdOf(fileId));
  // The trainings of a comparison are no jobs.
  return training === null || training.comparison !== undefined || !hasResults(training) ? null : training;
}

export interface FindLeftFilePorts extends ReadMetricsPorts {
  readonly batches: Pick<BatchRepository, 'findFile'>;
  readonly trainings: ReadMetricsPorts['trainings'] & { readonly find: FindTraining };
}

/**
 * A file that a batch has left, the metrics that a fine-tuning job has left, or what else the id names.
 * @param otherwise reads the dataset of the id
 * @throws {ServiceError} of `otherwise`, if there is none of them; `scope_missing` for metrics and a key that reads no trainings
 */
export async function leftFileOr<Other>(
  ports: FindLeftFilePorts,
  caller: Caller,
  fileId: string,
  otherwise: (datasetId: string) => Promise<Other>,
): Promise<
  | { readonly file: BatchFile }
  | { readonly training: TrainingRecord; readonly csv: string }
  | { readonly other: Other }
> {
  try {
    return await batchFileOr(ports.batches, caller, fileId, otherwise);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'dataset_not_found') throw error;
    const training = await findResults(ports.trainings, caller, fileId);
    if (training === null) throw error;
    requireScope(caller, 'training');
    return { training, csv: resultCsv(await readMetrics(ports, training)) };
  }
}
