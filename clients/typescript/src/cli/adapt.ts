import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { Schemas } from '../client.ts';
import type { DownloadFormat } from '../download.ts';
import { dataOf, TunesmithError } from '../errors.ts';
import { downloadTo } from '../node/download-to.ts';
import { withRetries } from '../retry.ts';
import { waitForDataset, waitForEvaluation, waitForRun } from '../wait.ts';
import { consoleLinkOf, creditsText, readRunEnd, summaryText } from './adapt-summary.ts';
import type { Context } from './context.ts';
import { CommandFailed, EXIT } from './io.ts';
import { hashOf, uploadOnce } from './kept-upload.ts';
import { stageWords } from './stage-words.ts';

export interface MappingOptions {
  readonly prompt?: string;
  readonly completion?: string;
  readonly chat?: string;
  readonly context?: readonly string[];
  readonly image?: string;
}

export interface AdaptOptions extends MappingOptions {
  readonly name?: string;
  readonly maxRows?: number;
  readonly length?: 'minimal' | 'concise' | 'detailed' | 'extensive';
  readonly settings?: string;
  readonly maxCredits?: number;
  readonly maxUnreadable?: number;
  readonly redactPersonalData?: true;
  readonly output?: string;
  readonly format?: DownloadFormat;
  readonly timeout?: number;
  readonly new?: true;
}

export type AdaptRequest = Schemas['AdaptRequest'];

/** The request for an adaptation: the file of `--settings`, with what options say instead. */
export async function adaptRequestOf(options: AdaptOptions): Promise<AdaptRequest> {
  const { prompt, completion, chat, context, image, maxRows, length } = options;
  const settings = options.settings === undefined ? {} : await readSettings(options.settings);
  const mapping = {
    ...settings.column_mapping,
    ...(prompt === undefined ? {} : { prompt }),
    ...(completion === undefined ? {} : { completion }),
    ...(chat === undefined ? {} : { chat }),
    ...(context === undefined ? {} : { context: [...context] }),
    ...(image === undefined ? {} : { image }),
  };
  return {
    ...settings,
    ...(Object.keys(mapping).length === 0 ? {} : { column_mapping: mapping }),
    ...(maxRows === undefined
      ? {}
      : { job_specification: { ...settings.job_specification, max_rows: maxRows } }),
    ...(length === undefined ? {} : { brand_controls: { ...settings.brand_controls, length } }),
  };
}

async function readSettings(path: string): Promise<AdaptRequest> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailed(EXIT.usage, 'settings_unreadable', `${path} is no file of JSON: ${reason}`);
  }
}

/** Price of an adaptation, which starts nothing. */
export async function quote(
  { client, io: { signal } }: Context,
  dataset_id: string,
  request: AdaptRequest,
): Promise<Schemas['RunQuote']> {
  const ask = () =>
    dataOf(
      client.POST('/api/v1/datasets/{dataset_id}/adapt', {
        signal,
        params: { path: { dataset_id } },
        body: { ...request, estimate: true },
      }),
    );
  return withRetries(ask, { signal });
}

export const quoteText = ({ estimatedCreditsConsumed, estimatedMinutes, notes = [] }: Schemas['RunQuote']) =>
  [`${creditsText(estimatedCreditsConsumed)}, about ${estimatedMinutes} minutes`, ...notes].join('\n');

/** Uploads files, adapts them, waits, and downloads the result: each step once, however often it is interrupted. */
export async function adapt(
  context: Context,
  paths: readonly string[],
  options: AdaptOptions,
): Promise<void> {
  const { client, io, progress, print } = context;
  const { signal } = io;
  const format = options.format ?? formatOfOutput(options.output) ?? 'csv';
  const output = requireOutput(paths, options, format);
  const asked = await adaptRequestOf(options);
  const kept = await uploadOnce(context, paths, {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.maxUnreadable === undefined ? {} : { unreadableShareMax: options.maxUnreadable }),
    ...(options.redactPersonalData === undefined ? {} : { redactPersonalData: true }),
    ...(options.new === undefined ? {} : { isNew: true }),
  });
  const dataset_id = kept.datasetId;
  const waiting = { signal, ...(options.timeout === undefined ? {} : { timeoutSeconds: options.timeout }) };

  progress.begin('Reading the rows');
  const read = await waitForDataset(client, dataset_id, waiting);
  if (read.row_count === null) throw failedWork('dataset_failed', read);
  const request = asked.column_mapping === undefined ? await withForm(context, dataset_id, asked) : asked;

  // A repeated command asks for its run only: the price of that one was accepted.
  const key = kept.idempotencyKeyOf(request);
  if (options.maxCredits !== undefined) await requirePrice(context, dataset_id, request, options.maxCredits);
  const start = () =>
    dataOf(
      client.POST('/api/v1/datasets/{dataset_id}/adapt', {
        signal,
        params: { path: { dataset_id } },
        body: { ...request, job_specification: { ...request.job_specification, idempotency_key: key } },
      }),
    );
  const run = await withRetries(start, { signal }).catch((error: unknown) => {
    throw request.column_mapping === undefined ? withOptions(error) : error;
  });

  const title = `Adapting ${read.row_count} rows (up to ${creditsText(run.estimatedCreditsConsumed)})`;
  progress.begin(title);
  const ended = await waitForRun(client, dataset_id, {
    ...waiting,
    onProgress: ({ progress: state }) => {
      progress.turnTo(stageWords(state?.stage) ?? title);
      progress.update(state?.percent ?? 0, 100);
    },
  });
  if (ended.status !== 'succeeded') {
    await kept.rememberFailure(request);
    throw failedWork('run_failed', ended);
  }
  progress.begin('Reading the grade');
  const evaluation = await waitForEvaluation(client, dataset_id, waiting);
  const end = await readRunEnd(context, dataset_id, run.run_id);

  progress.begin(`Downloading ${output}`);
  const { run_id } = run;
  const source = { dataset_id, format, ...(run_id === null ? {} : { run_id }) };
  const { bytes } = await downloadTo(client, source, output, {
    signal,
    fetch: io.fetch,
    onProgress: ({ receivedBytes, totalBytes }) => progress.update(receivedBytes, totalBytes),
  });
  progress.end();
  const consoleLink = consoleLinkOf(context.baseUrl, `datasets/${dataset_id}`);
  print(
    {
      dataset_id,
      run_id,
      rows: ended.row_count,
      outcomes: end.rows,
      estimated_credits: run.estimatedCreditsConsumed,
      credits: end.credits,
      quality: evaluation.quality,
      console: consoleLink,
      output,
      bytes,
    },
    summaryText({
      datasetId: dataset_id,
      output,
      format,
      rowCount: ended.row_count,
      warning: ended.error_data?.message ?? null,
      run: end,
      evaluation,
      consoleLink,
    }),
  );
}

/**
 * The format that a file's name says; null for a name that says none.
 * @throws {CommandFailed} for that of a format in which nothing is downloaded
 */
export function formatOfOutput(output: string | undefined): 'csv' | 'json' | 'jsonl' | null {
  const extension = extname(output ?? '')
    .slice(1)
    .toLowerCase();
  if (extension === 'csv' || extension === 'json' || extension === 'jsonl') return extension;
  if (!['xlsx', 'xls', 'ods'].includes(extension)) return null;
  throw new CommandFailed(
    EXIT.usage,
    'output_invalid',
    `Nothing is downloaded as .${extension}: name a .csv, which spreadsheets open, or give --format.`,
  );
}

/** The path of the result. @throws {CommandFailed} if an input is there */
function requireOutput(paths: readonly string[], options: AdaptOptions, format: DownloadFormat): string {
  const output = resolve(options.output ?? outputOf(paths[0] ?? '', format));
  if (paths.some((path) => resolve(path) === output))
    throw new CommandFailed(
      EXIT.usage,
      'output_invalid',
      'The output would replace an input. Name another file.',
    );
  return output;
}

/** The request with the mapping of the form that the file has; as it is where the file has none, or one of pairs of answers. */
async function withForm(
  { client, progress, io: { signal } }: Context,
  dataset_id: string,
  request: AdaptRequest,
): Promise<AdaptRequest> {
  const { detected_format: found } = await withRetries(
    () => dataOf(client.GET('/api/v1/datasets/{dataset_id}', { signal, params: { path: { dataset_id } } })),
    { signal },
  );
  if (found === null || found.column_mapping.chosen != null) return request;
  const { prompt, completion, chat, context = [] } = found.column_mapping;
  progress.begin(`The rows have the form of ${found.name}`);
  const column_mapping = {
    ...(prompt == null ? {} : { prompt }),
    ...(completion == null ? {} : { completion }),
    ...(chat == null ? {} : { chat }),
    ...(context.length === 0 ? {} : { context }),
  };
  return { ...request, column_mapping };
}

/** The refusal of a request without a mapping, which names the columns that there are, with the options that map them. */
export function withOptions(error: unknown): unknown {
  if (!(error instanceof TunesmithError) || error.code !== 'column_mapping_required') return error;
  return new CommandFailed(
    EXIT.usage,
    error.code,
    `Say which columns hold what: --prompt COLUMN --completion COLUMN, or --chat COLUMN. ${error.message}`,
  );
}

/** @throws {CommandFailed} if the adaptation could cost more than `creditsMax` */
async function requirePrice(
  context: Context,
  dataset_id: string,
  request: AdaptRequest,
  creditsMax: number,
): Promise<void> {
  const { estimatedCreditsConsumed: credits } = await quote(context, dataset_id, request);
  if (credits > creditsMax)
    throw new CommandFailed(
      EXIT.creditsInsufficient,
      'credits_above_limit',
      `The adaptation costs up to ${creditsText(credits)}, and --max-credits allows ${creditsMax}. Nothing was started.`,
    );
}

/** Extensions of files whose format is none. */
const EXTENSIONS: Partial<Record<DownloadFormat, string>> = {
  parquet: 'tar.gz',
  openai: 'openai.jsonl',
  sharegpt: 'sharegpt.jsonl',
  alpaca: 'alpaca.jsonl',
  trl: 'trl.jsonl',
  dataset_info: 'json',
  axolotl: 'yaml',
};

function outputOf(path: string, format: DownloadFormat): string {
  const stem = basename(path, extname(path));
  const extension = EXTENSIONS[format] ?? format;
  return `${stem}.adapted.${extension}`;
}

/** The error of a dataset or run that ended without a result. */
export function failedWork(
  code: string,
  { status, error_data }: Schemas['DatasetStatusRecord'],
): CommandFailed {
  const message =
    error_data?.message ??
    (status === 'awaiting_input'
      ? 'The run was cancelled. Repeat the command to start another one.'
      : `The dataset is ${status}.`);
  return new CommandFailed(EXIT.workFailed, error_data?.code ?? code, message);
}

/** A key by which a training is started once while it is active. */
export const trainingKeyOf = (request: object): string => `tunesmith-${hashOf(request).slice(0, 40)}`;
