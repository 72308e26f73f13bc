import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../errors.ts';
import { withRetries } from '../retry.ts';
import { waitForDataset } from '../wait.ts';
import { failedWork, type MappingOptions, withOptions } from './adapt.ts';
import type { Context } from './context.ts';
import { CommandFailed, EXIT } from './io.ts';
import { type KeptUploadOptions, uploadOnce } from './kept-upload.ts';
import { reviewText } from './review-text.ts';

export interface ReviewOptions extends Omit<MappingOptions, 'image'> {
  readonly dataset?: string;
  readonly name?: string;
  readonly maxUnreadable?: number;
  readonly redactPersonalData?: true;
  readonly timeout?: number;
  readonly new?: true;
}

/** Rows of one answer: the service gives no more. */
const ROWS = 50;
const ASK_AGAIN_MS = 3000;
const TIMEOUT_SECONDS = 1800;

/**
 * Uploads files, or takes a dataset that is there, has its rows looked at, and prints those that are doubted with what the
 * witnesses say. It adapts nothing and costs no credits.
 */
export async function review(
  context: Context,
  paths: readonly string[],
  options: ReviewOptions,
): Promise<void> {
  const { client, io, progress, print } = context;
  const { signal } = io;
  const dataset_id = options.dataset ?? (await uploadedOnce(context, paths, options));
  const { timeout: timeoutSeconds = TIMEOUT_SECONDS } = options;
  progress.begin('Reading the rows');
  const read = await waitForDataset(client, dataset_id, { signal, timeoutSeconds });
  if (read.row_count === null) throw failedWork('dataset_failed', read);

  progress.begin('Looking at the rows');
  const endMs = Date.now() + timeoutSeconds * 1000;
  const ask = () =>
    dataOf(
      client.GET('/api/v1/datasets/{dataset_id}/review', {
        signal,
        params: { path: { dataset_id }, query: { limit: ROWS } },
      }),
    );
  let found = await withRetries(ask, { signal }).catch((error: unknown) => {
    // The columns of a dataset that is there are not the command's to say.
    throw options.dataset === undefined ? withOptions(error) : error;
  });
  while (found.looked_at.status === 'looking') {
    if (Date.now() >= endMs)
      throw new CommandFailed(
        EXIT.timedOut,
        'timed_out',
        'The witnesses are still looking at the rows. Repeat the command to go on waiting.',
      );
    await sleep(ASK_AGAIN_MS, undefined, { signal });
    found = await withRetries(ask, { signal });
  }
  progress.end();
  print(found, reviewText(found, read.row_count));
}

function uploadedOnce(
  context: Context,
  paths: readonly string[],
  { prompt, completion, chat, context: columns, ...options }: ReviewOptions,
): Promise<string> {
  const raw: NonNullable<KeptUploadOptions['raw']> = {
    ...(prompt === undefined ? {} : { prompt }),
    ...(completion === undefined ? {} : { completion }),
    ...(chat === undefined ? {} : { chat }),
    ...(columns === undefined ? {} : { context: [...columns] }),
  };
  return uploadOnce(context, paths, {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.maxUnreadable === undefined ? {} : { unreadableShareMax: options.maxUnreadable }),
    ...(options.redactPersonalData === undefined ? {} : { redactPersonalData: true }),
    ...(options.new === undefined ? {} : { isNew: true }),
    // Without columns the service takes those of the form that the file has.
    ...(Object.keys(raw).length === 0 ? {} : { raw }),
  }).then(({ datasetId }) => datasetId);
}
