import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TrainingRun } from '#shared/training/schema/training.ts';

const pollMs = 1_000;

interface DatasetStatus {
  readonly status: string;
  readonly error_data: { readonly message: string } | null;
}

/** Calls the service like any client. An error response is an `Error` with the service's message. */
export interface ServiceClient {
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  text(path: string): Promise<string>;
  bytes(path: string): Promise<Uint8Array>;
}

/** @param apiUrl the base URL of the API, without `/api/v1`. */
export function createServiceClient({
  apiUrl,
  apiKey,
}: {
  readonly apiUrl: string;
  readonly apiKey: string;
}): ServiceClient {
  const call = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const response = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  return {
    json: async <T>(method: string, path: string, body?: unknown): Promise<T> =>
      (await call(method, path, body)).json() as Promise<T>,
    text: async (path) => (await call('GET', path)).text(),
    bytes: async (path) => new Uint8Array(await (await call('GET', path)).arrayBuffer()),
  };
}

/** Uploads a file as a dataset and waits until it has been read. Returns the dataset's id. */
export async function uploadFile(client: ServiceClient, path: string, source: object = {}): Promise<string> {
  const file = await readFile(path);
  const created = await client.json<{ dataset_id: string; upload_instructions: { url: string } }>(
    'POST',
    '/datasets',
    { source: { name: basename(path), ...source } },
  );
  const put = await fetch(created.upload_instructions.url, { method: 'PUT', body: file });
  if (!put.ok) throw new Error(`The upload was refused: ${put.status}`);
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
