import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceClient } from '#shared/probe/adapters/service-client.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';

export { createServiceClient, type ServiceClient } from '#shared/probe/adapters/service-client.ts';

const pollMs = 1_000;

interface DatasetStatus {
  readonly status: string;
  readonly error_data: { readonly message: string } | null;
}

/** Uploads a file as a dataset and waits until it has been read. Returns the dataset's id. */
export async function uploadFile(client: ServiceClient, path: string, source: object = {}): Promise<string> {
  const file = await readFile(path);
  const created = await client.json<{ dataset_id: string; upload_instructions: { url: string } }>(
    'POST',
    '/datasets',
    { source: { name: basename(path), ...source } },
  );
  await client.put(created.upload_instructions.url, file);
  await client.json('POST', `/datasets/${created.dataset_id}/upload/complete`, {
    file_size_bytes: file.length,
  });
  await settled(client, created.dataset_id, ['pending']);
  return created.dataset_id;
}

/**
 * Polls until the status of a dataset is none of `busy`.
 * @throws {Error} if the dataset failed, with its reason.
 */
export async function settled(
  client: ServiceClient,
  id: string,
  busy: readonly string[],
  onPoll: () => Promise<void> = async () => undefined,
): Promise<void> {
  for (;;) {
    const status = await client.json<DatasetStatus>('GET', `/datasets/${id}/status`);
    if (status.status === 'failed') throw new Error(`The dataset failed: ${status.error_data?.message}`);
    await onPoll();
    if (!busy.includes(status.status)) return;
    await sleep(pollMs);
  }
}

/** Polls until a training has ended, with any outcome. */
export async function trainingEnded(
  client: ServiceClient,
  id: string,
  onPoll: (run: TrainingRun) => void | Promise<void>,
): Promise<TrainingRun> {
  for (;;) {
    const run = await client.json<TrainingRun>('GET', `/autoscientist/${id}`);
    if (run.status !== 'pending' && run.status !== 'running') return run;
    await onPoll(run);
    await sleep(pollMs);
  }
}
