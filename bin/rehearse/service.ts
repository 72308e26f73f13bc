import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { bar } from '../demo/show.ts';
import { createServiceClient, settled, trainingEnded, uploadFile } from '../service-client.ts';
import { type Outcome, passed } from './steps.ts';

/** The address and key of a deployed stage. */
export interface Caller {
  readonly apiUrl: string;
  readonly apiKey: string;
}

type Detail = (text: string) => void;

const ROWS = 100;
/** A model that all trainers support, small enough for any machine. */
const TRAINED_MODEL = 'HuggingFaceTB/SmolLM2-135M-Instruct';
/** Rows that a training holds back to compare with; all others are for training, one a step. */
const ROWS_HELD_OUT = 20;
/** More than 150 steps on a GPU; on this machine enough for a second checkpoint (a first one is after 25), after which the first is deleted. */
const TRAININGS = { gpu: { rows: ROWS, epochs: 2 }, embedded: { rows: 48, epochs: 1 } } as const;

const THINGS = ['kettle', 'lamp', 'ladder', 'clock', 'stove', 'window', 'bicycle', 'radio', 'boat', 'bell'];
const TASKS = ['clean', 'mend', 'store', 'choose', 'move', 'paint', 'open', 'weigh', 'lend', 'sell'];

/** A hundred carelessly written rows, all different, or the first of them. */
export function rehearsalRows(count = ROWS): string {
  const rows = TASKS.flatMap((task, t) =>
    THINGS.map(
      (thing, n) =>
        `how do i ${task} a ${thing} row-${t * THINGS.length + n},you can ${task} the ${thing} with some care and time`,
    ),
  );
  return `question,answer\n${rows.slice(0, count).join('\n')}\n`;
}

const MAPPING = { column_mapping: { prompt: 'question', completion: 'answer' } };

/** Uploads, adapts, evaluates and downloads a hundred rows. */
export async function adaptRows(caller: Caller, folder: string, detail: Detail): Promise<Outcome> {
  return adapted(caller, await startAdapting(caller, folder), detail);
}

/** Uploads a hundred rows and starts their adaptation. Returns the id of the dataset. */
export async function startAdapting(caller: Caller, folder: string): Promise<string> {
  const client = createServiceClient(caller);
  const id = await uploadFile(client, await writeRows(folder, 'adapt.csv'));
  await client.json('POST', `/datasets/${id}/adapt`, MAPPING);
  return id;
}

/** Waits until a request that starts work is refused; returns what it was told. @throws {Error} if none is within a minute */
export async function refusedStart(caller: Caller, datasetId: string): Promise<string> {
  for (let asked = 0; asked < 60; asked += 1) {
    const response = await fetch(`${caller.apiUrl}/api/v1/datasets/${datasetId}/adapt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(MAPPING),
    });
    if (response.status === 503) return `503 with Retry-After ${response.headers.get('retry-after')}`;
    await sleep(1000);
  }
  throw new Error('A request that starts work was not refused during the drain.');
}

/** The release of the stage, as its account says. */
export const releaseOf = async (caller: Caller): Promise<string> =>
  (await createServiceClient(caller).json<{ release: string }>('GET', '/me')).release;

/** Waits for an adaptation, its evaluation and its download. */
export async function adapted(caller: Caller, id: string, detail: Detail): Promise<Outcome> {
  const client = createServiceClient(caller);
  await settled(client, id, ['running'], async () => {
    const { progress } = await client.json<{ progress?: { percent?: number | null } | null }>(
      'GET',
      `/datasets/${id}/status`,
    );
    detail(bar(progress?.percent ?? 0, 100));
  });
  const { rows } = await client.json<{
    rows: { changed: number; kept: number; filtered?: number; failed: number } | null;
  }>('GET', `/datasets/${id}/report`);
  const { status } = await client.json<{ status: string | null }>('GET', `/datasets/${id}/evaluation`);
  const downloaded = (await client.text(`/datasets/${id}/download?fileFormat=jsonl`)).trim().split('\n');
  if (rows === null || rows.failed > 0) throw new Error(`${rows?.failed ?? 'All'} of ${ROWS} rows failed.`);
  if (status !== 'succeeded') throw new Error(`The evaluation is ${status}.`);
  if (downloaded.length !== ROWS) throw new Error(`${downloaded.length} of ${ROWS} rows were downloaded.`);
  return passed(`${rows.changed} changed, ${rows.kept} kept; evaluated and downloaded`);
}

/** Trains a small model on some rows, and downloads it. */
export async function train(
  caller: Caller,
  folder: string,
  trainer: keyof typeof TRAININGS,
  detail: Detail,
): Promise<Outcome> {
  const client = createServiceClient(caller);
  const { rows, epochs } = TRAININGS[trainer];
  const dataset_id = await uploadFile(client, await writeRows(folder, 'train.csv', rows), {
    processing_mode: 'raw',
    column_mapping: { prompt: 'question', completion: 'answer' },
  });
  const { id } = await client.json<TrainingRun>('POST', '/autoscientist', {
    dataset_id,
    model: TRAINED_MODEL,
    max_iterations: 1,
    hyperparams: {
      n_epochs: epochs,
      batch_size: 1,
      learning_rate: 0.001,
      lora_r: 8,
      lora_alpha: 16,
    },
  });
  const { status, error } = await trainingEnded(client, id, (run) => detail(run.status));
  if (status !== 'succeeded') throw new Error(`The training is ${status}: ${error}`);
  const { length } = await client.bytes(`/autoscientist/${id}/download`);
  return passed(
    `${epochs * (rows - ROWS_HELD_OUT)} steps by the trainer ${trainer}; ${(length / 1e6).toFixed(1)} MB downloaded`,
  );
}

/** Streams a response of a model. */
export async function streamAnswer(caller: Caller): Promise<Outcome> {
  const client = createServiceClient(caller);
  const { data } = await client.json<{ data: { id: string }[] }>('GET', '/models');
  const [model] = data;
  if (model === undefined) throw new Error('The stage offers no model.');
  const started = performance.now();
  const response = await fetch(`${caller.apiUrl}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: model.id, input: 'Count from one to five.', stream: true }),
  });
  if (!response.ok || response.body === null) {
    throw new Error(`POST /responses: ${response.status} ${await response.text()}`);
  }
  let firstMs: number | null = null;
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(part, { stream: true });
    if (text.includes('response.output_text.delta')) firstMs ??= performance.now() - started;
  }
  const pieces = text.match(/^event: response\.output_text\.delta$/gm)?.length ?? 0;
  if (pieces === 0 || firstMs === null || !/^event: response\.completed$/m.test(text)) {
    throw new Error(`The answer of ${model.id} broke off after ${pieces} pieces.`);
  }
  return passed(`${model.id}: ${pieces} pieces, the first after ${(firstMs / 1000).toFixed(1)} s`);
}

/** Whether a stage accepts a new key, and contains no data. */
export async function findEmpty(caller: Caller): Promise<Outcome> {
  const client = createServiceClient(caller);
  const { datasets } = await client.json<{ datasets: unknown[] }>('GET', '/datasets');
  if (datasets.length > 0) throw new Error(`It holds ${datasets.length} datasets of its predecessor.`);
  return passed('answers, and holds nothing of its predecessor');
}

async function writeRows(folder: string, name: string, count = ROWS): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  await writeFile(path, rehearsalRows(count));
  return path;
}
