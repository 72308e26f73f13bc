import type { Clock } from '#shared/models/decide/clock.ts';

/** The steps of a probe, in their order. */
export const PROBE_STEPS = ['clear', 'upload', 'adapt', 'download', 'delete'] as const;
export type ProbeStep = (typeof PROBE_STEPS)[number];

/** A step failed; its reason is the cause. */
export class ProbeFailed extends Error {
  readonly step: ProbeStep;

  constructor(step: ProbeStep, cause: unknown) {
    super(`The step "${step}" failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'ProbeFailed';
    this.step = step;
  }
}

/** The requests of a caller to the API. */
export interface ProbeClient {
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
  text(path: string): Promise<string>;
  put(url: string, file: Uint8Array): Promise<void>;
}

export interface ProbePorts {
  readonly client: ProbeClient;
  readonly clock: Clock;
  readonly onStep: (step: ProbeStep, seconds: number) => void;
}

const ROWS = [
  'how do i clean a kettle,you boil water with vinegar in it',
  'what is a good way to store a ladder,you hang it up somewhere dry',
  'when should i change the oil of a lamp,when it smells or smokes',
  'how long does paint dry,it depends but mostly a day',
];
const MAPPING = { column_mapping: { prompt: 'question', completion: 'answer' } };

const LOOK_MILLISECONDS = 5_000;

/**
 * Does the main job of the service over four rows.
 * @param deadline milliseconds since the epoch until which a dataset is waited for
 * @throws {ProbeFailed} for the first step that failed; what was made is deleted then too, if it can be
 */
export async function runProbe(ports: ProbePorts, deadline: number): Promise<void> {
  const { client, clock } = ports;
  const step = async <T>(name: ProbeStep, work: () => Promise<T>): Promise<T> => {
    const started = clock.now();
    try {
      const result = await work();
      ports.onStep(name, (clock.now() - started) / 1000);
      return result;
    } catch (error) {
      throw new ProbeFailed(name, error);
    }
  };
  const waitWhile = async (id: string, busy: string): Promise<void> => {
    for (;;) {
      const { status, error_data } = await client.json<{
        status: string;
        error_data: { message: string } | null;
      }>('GET', `/datasets/${id}/status`);
      if (status === 'failed') throw new Error(`The dataset failed: ${error_data?.message}`);
      if (status !== busy) return;
      if (clock.now() > deadline) throw new Error(`The dataset is ${status} still.`);
      await clock.sleep(LOOK_MILLISECONDS);
    }
  };
  const remove = (id: string): Promise<unknown> => client.json('DELETE', `/datasets/${id}`);

  await step('clear', async () => {
    const { datasets } = await client.json<{ datasets: { dataset_id: string }[] }>('GET', '/datasets');
    for (const { dataset_id } of datasets) await remove(dataset_id);
  });
  let made: string | null = null;
  try {
    const id = await step('upload', async () => {
      const file = Buffer.from(`question,answer\n${ROWS.join('\n')}\n`);
      const { dataset_id, upload_instructions } = await client.json<{
        dataset_id: string;
        upload_instructions: { url: string };
      }>('POST', '/datasets', { source: { name: 'probe.csv' } });
      made = dataset_id;
      await client.put(upload_instructions.url, file);
      await client.json('POST', `/datasets/${dataset_id}/upload/complete`, { file_size_bytes: file.length });
      await waitWhile(dataset_id, 'pending');
      return dataset_id;
    });
    await step('adapt', async () => {
      await client.json('POST', `/datasets/${id}/adapt`, MAPPING);
      await waitWhile(id, 'running');
      const { rows } = await client.json<{ rows: { failed: number } | null }>(
        'GET',
        `/datasets/${id}/report`,
      );
      if (rows === null || rows.failed > 0) throw new Error(`${rows?.failed ?? 'All'} rows failed.`);
    });
    await step('download', async () => {
      const text = await client.text(`/datasets/${id}/download?fileFormat=jsonl`);
      const count = text.trim().split('\n').length;
      if (count !== ROWS.length) throw new Error(`${count} of ${ROWS.length} rows were downloaded.`);
    });
    await step('delete', async () => {
      await remove(id);
      made = null;
      await requireGone(client, id);
    });
  } catch (error) {
    // The failure is the one to tell of; the next probe clears what stays.
    if (made !== null) await remove(made).catch(() => undefined);
    throw error;
  }
}

/** @throws {Error} unless the service says that there is no such dataset */
async function requireGone(client: ProbeClient, id: string): Promise<void> {
  const found = await client.json('GET', `/datasets/${id}`).then(
    () => 'is there still',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (!found.includes(': 404 ')) throw new Error(`The deleted dataset: ${found}`);
}
