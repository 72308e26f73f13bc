import type { Schemas, TunesmithClient } from './client.ts';
import { dataOf } from './errors.ts';
import { isTransient, pause, withRetries } from './retry.ts';

export interface WaitOptions<T> {
  /** Ends the wait with the signal's reason; the work itself goes on. */
  readonly signal?: AbortSignal;
  /** Default: one hour, of a training four hours. */
  readonly timeoutSeconds?: number;
  /** Seconds before the second look. Default: 1, of a training 10. */
  readonly intervalSeconds?: number;
  /** The longest time between two looks, to which they grow by half each time. Default: 15, of a training 60. */
  readonly intervalSecondsMax?: number;
  /** Is told of every record that is read. */
  readonly onProgress?: (record: T) => void;
}

/** The work did not end in time. It goes on, so the same wait can be started again. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

/**
 * Waits until the file of a dataset has been read, so that its columns can be mapped.
 * @returns its status, which may be `failed`; then `error_data` says why
 * @throws {WaitTimeoutError} if it takes too long
 * @throws {TunesmithError} if the service refuses to tell
 */
export async function waitForDataset(
  client: TunesmithClient,
  datasetId: string,
  options: WaitOptions<Schemas['DatasetStatusRecord']> = {},
): Promise<Schemas['DatasetStatusRecord']> {
  const isDone = ({ status, row_count }: Schemas['DatasetStatusRecord']) =>
    row_count !== null || status === 'failed' || status === 'succeeded';
  return poll('The dataset', () => statusOf(client, datasetId, options.signal), isDone, options);
}

/**
 * Waits until no run is active on a dataset: `succeeded`, `failed`, or `awaiting_input`, where none was started or the
 * only one was cancelled.
 * @throws as `waitForDataset`
 */
export async function waitForRun(
  client: TunesmithClient,
  datasetId: string,
  options: WaitOptions<Schemas['DatasetStatusRecord']> = {},
): Promise<Schemas['DatasetStatusRecord']> {
  const isDone = ({ status }: Schemas['DatasetStatusRecord']) =>
    status === 'succeeded' || status === 'failed' || status === 'awaiting_input';
  return poll('The run', () => statusOf(client, datasetId, options.signal), isDone, options);
}

/**
 * Waits until the latest run of a dataset has been evaluated: `succeeded`, `failed` or `skipped`.
 * @throws as `waitForDataset`
 */
export async function waitForEvaluation(
  client: TunesmithClient,
  datasetId: string,
  options: WaitOptions<Schemas['Evaluation']> = {},
): Promise<Schemas['Evaluation']> {
  const read = () =>
    dataOf(
      client.GET('/api/v1/datasets/{dataset_id}/evaluation', {
        params: { path: { dataset_id: datasetId } },
        ...signalOf(options.signal),
      }),
    );
  const isDone = ({ status }: Schemas['Evaluation']) =>
    status === 'succeeded' || status === 'failed' || status === 'skipped';
  return poll('The evaluation', read, isDone, options);
}

/**
 * Waits until a training has ended: `succeeded`, `failed` or `cancelled`.
 * @param trainingId the `id` of the training, which paths call `experiment_id`
 * @throws as `waitForDataset`
 */
export async function waitForTraining(
  client: TunesmithClient,
  trainingId: string,
  options: WaitOptions<Schemas['TrainingRun']> = {},
): Promise<Schemas['TrainingRun']> {
  const read = () =>
    dataOf(
      client.GET('/api/v1/autoscientist/{experiment_id}', {
        params: { path: { experiment_id: trainingId } },
        ...signalOf(options.signal),
      }),
    );
  const isDone = ({ status }: Schemas['TrainingRun']) =>
    status === 'succeeded' || status === 'failed' || status === 'cancelled';
  return poll('The training', read, isDone, {
    timeoutSeconds: 14_400,
    intervalSeconds: 10,
    intervalSecondsMax: 60,
    ...options,
  });
}

function statusOf(client: TunesmithClient, datasetId: string, signal: AbortSignal | undefined) {
  return dataOf(
    client.GET('/api/v1/datasets/{dataset_id}/status', {
      params: { path: { dataset_id: datasetId } },
      ...signalOf(signal),
    }),
  );
}

const signalOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

async function poll<T>(
  what: string,
  read: () => Promise<T>,
  isDone: (record: T) => boolean,
  { signal, timeoutSeconds = 3600, intervalSeconds = 1, intervalSecondsMax = 15, onProgress }: WaitOptions<T>,
): Promise<T> {
  const end = performance.now() + timeoutSeconds * 1000;
  for (let interval = intervalSeconds; ; interval = Math.min(intervalSecondsMax, interval * 1.5)) {
    const record = await withRetries(read, signalOf(signal)).catch((error: unknown) => {
      // A wait of an hour outlives a service that is down for a minute.
      if (!isTransient(error)) throw error;
    });
    if (record !== undefined) {
      onProgress?.(record);
      if (isDone(record)) return record;
    }
    const secondsLeft = (end - performance.now()) / 1000;
    if (secondsLeft <= 0)
      throw new WaitTimeoutError(`${what} did not end within ${timeoutSeconds} seconds. Wait again.`);
    await pause(Math.min(interval, secondsLeft), signal);
  }
}
