import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { datasetIdOf } from './decide/ids.ts';

export interface WaitForFilePorts {
  readonly datasets: Pick<DatasetRepository, 'require'>;
  readonly clock: Pick<Clock, 'sleep'>;
}

/**
 * A request waits two seconds for a file that was just uploaded, and looks at it every half second. It holds a function: the
 * clients of OpenAI repeat a 409 by themselves, after its `Retry-After`.
 */
const LOOKS_MAX = 4;
const LOOK_MILLISECONDS = 500;

/**
 * The dataset of a file. Scripts use a file as soon as it is uploaded: one that is still being read is waited for.
 * @throws {ServiceError} `dataset_not_found`; `rows_pending` if the reading takes long
 */
export async function waitForFile(
  { datasets, clock }: WaitForFilePorts,
  caller: Caller,
  fileId: string,
  path: string,
): Promise<DatasetRecord> {
  const id = datasetIdOf(fileId, path);
  for (let look = 0; ; look += 1) {
    const dataset = await datasets.require(caller, id);
    if (dataset.state !== 'ingesting') return dataset;
    if (look === LOOKS_MAX) {
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
