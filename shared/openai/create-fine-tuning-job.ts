import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { beginTraining, type CreateTrainingPorts } from '#shared/training/create-training.ts';
import { errorOfJob, toJob, trainingOf } from './decide/fine-tuning.ts';
import { datasetIdOf } from './decide/ids.ts';
import type { CreateFineTuningJobRequest, FineTuningJob } from './schema/fine-tuning.ts';

export interface CreateFineTuningJobPorts extends CreateTrainingPorts {
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
}

/** Milliseconds that a request waits for a file which was just uploaded, and between two looks at it. */
const WAIT_MILLISECONDS = 15_000;
const LOOK_MILLISECONDS = 500;

/**
 * Starts the training of a fine-tuning job. Scripts create a job as soon as a file is uploaded: a file that is still being
 * read is waited for.
 * @throws {ServiceError} every code of the contract
 */
export async function createFineTuningJob(
  ports: CreateFineTuningJobPorts,
  input: { readonly caller: Caller; readonly request: CreateFineTuningJobRequest; readonly now: number },
): Promise<FineTuningJob> {
  const { caller, request, now } = input;
  const fileId = request.validation_file ?? null;
  const validationDatasetId = fileId === null ? null : datasetIdOf(fileId, 'validation_file');
  const dataset = await waitForFile(ports, caller, request.training_file, 'training_file');
  if (fileId !== null) await waitForFile(ports, caller, fileId, 'validation_file');
  const columns = (dataset.columns ?? []).map(({ name }) => name);
  try {
    const { request: training, fineTuning } = trainingOf(request, columns, ports.trainers);
    const job = { fineTuning, seed: request.seed ?? null, validationDatasetId };
    return toJob(await beginTraining(ports, { caller, request: training, job, now }));
  } catch (error) {
    throw errorOfJob(error);
  }
}

/** @throws {ServiceError} `dataset_not_found`; `rows_pending` for a file that is still being read */
async function waitForFile(
  { datasets, clock }: { readonly datasets: Pick<DatasetRepository, 'require'> } & CreateFineTuningJobPorts,
  caller: Caller,
  fileId: string,
  path: string,
): Promise<DatasetRecord> {
  const id = datasetIdOf(fileId, path);
  let end: number | null = null;
  for (;;) {
    const dataset = await datasets.require(caller, id);
    if (dataset.state !== 'ingesting') return dataset;
    end ??= clock.now() + WAIT_MILLISECONDS;
    if (clock.now() >= end) {
      throw new ServiceError(
        'rows_pending',
        `${path}: the file is still being read. Try again in a moment.`,
        {
          details: [{ path, message: 'is still being read' }],
          retryAfterSeconds: 5,
        },
      );
    }
    await clock.sleep(LOOK_MILLISECONDS);
  }
}
