import type { Caller } from '#shared/platform/access/caller.ts';
import { beginTraining, type CreateTrainingPorts } from '#shared/training/create-training.ts';
import { errorOfJob, toJob, trainingOf } from './decide/fine-tuning.ts';
import { datasetIdOf } from './decide/ids.ts';
import type { CreateFineTuningJobRequest, FineTuningJob } from './schema/fine-tuning.ts';
import { type WaitForFilePorts, waitForFile } from './wait-for-file.ts';

export type CreateFineTuningJobPorts = CreateTrainingPorts & WaitForFilePorts;

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
  await waitForFile(ports, caller, request.training_file, 'training_file');
  if (fileId !== null) await waitForFile(ports, caller, fileId, 'validation_file');
  try {
    const { request: training, fineTuning } = trainingOf(request, ports.trainers);
    const job = { fineTuning, seed: request.seed ?? null, validationDatasetId };
    return toJob(await beginTraining(ports, { caller, request: training, job, now }));
  } catch (error) {
    throw errorOfJob(error);
  }
}
