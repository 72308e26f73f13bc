import type { Schemas } from '../client.ts';
import type { DownloadFormat, DownloadSource } from '../download.ts';
import { dataOf } from '../errors.ts';
import { followEvents, type TeamEvent } from '../follow-events.ts';
import { downloadTo } from '../node/download-to.ts';
import { withRetries } from '../retry.ts';
import { streamResponse } from '../stream-response.ts';
import { waitForDataset, waitForEvaluation, waitForRun, waitForTraining } from '../wait.ts';
import {
  type AdaptOptions,
  adaptRequestOf,
  failedWork,
  formatOfOutput,
  quote,
  quoteText,
  trainingKeyOf,
} from './adapt.ts';
import { consoleLinkOf, evaluationText } from './adapt-summary.ts';
import type { Context } from './context.ts';
import { CommandFailed, EXIT } from './io.ts';
import { uploadOnce } from './kept-upload.ts';
import { stageWords } from './stage-words.ts';

interface Timeout {
  readonly timeout?: number;
}

interface OfTraining {
  readonly training?: true;
}

const waitingOf = ({ io: { signal } }: Context, { timeout }: Timeout) => ({
  signal,
  ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
});

const statusText = ({ dataset_id, status, row_count, progress }: Schemas['DatasetStatusRecord']): string =>
  [
    `${dataset_id} ${status}`,
    row_count === null ? '' : `, ${row_count} rows`,
    progress === null ? '' : `, ${stageWords(progress.stage) ?? `${progress.percent} %`}`,
  ].join('');

const trainingText = (training: Schemas['TrainingRun']): string =>
  [
    `${training.id} ${training.status}`,
    `iteration ${training.iterations_completed} of at most ${training.max_iterations}`,
    training.best_win_rate == null ? '' : `best win rate ${training.best_win_rate}`,
  ]
    .filter((part) => part !== '')
    .join(', ');

export async function uploadFiles(
  context: Context,
  paths: readonly string[],
  options: Timeout & {
    readonly name?: string;
    readonly raw?: true;
    readonly prompt?: string;
    readonly completion?: string;
    readonly chat?: string;
    readonly maxUnreadable?: number;
    readonly redactPersonalData?: true;
    readonly new?: true;
  },
): Promise<void> {
  const { prompt, completion, chat, name } = options;
  if (options.raw === true && prompt === undefined && chat === undefined)
    throw new CommandFailed(
      EXIT.usage,
      'column_mapping_required',
      'Raw rows need --prompt COLUMN --completion COLUMN, or --chat COLUMN.',
    );
  const { datasetId } = await uploadOnce(context, paths, {
    ...(name === undefined ? {} : { name }),
    ...(options.maxUnreadable === undefined ? {} : { unreadableShareMax: options.maxUnreadable }),
    ...(options.redactPersonalData === undefined ? {} : { redactPersonalData: true }),
    ...(options.new === undefined ? {} : { isNew: true }),
    ...(options.raw === undefined
      ? {}
      : {
          raw: {
            ...(prompt === undefined ? {} : { prompt }),
            ...(completion === undefined ? {} : { completion }),
            ...(chat === undefined ? {} : { chat }),
          },
        }),
  });
  context.progress.begin('Reading the rows');
  const read = await waitForDataset(context.client, datasetId, waitingOf(context, options));
  context.progress.end();
  if (read.status === 'failed') throw failedWork('dataset_failed', read);
  context.print(read, statusText(read));
}

export async function showStatus(context: Context, id: string, { training }: OfTraining): Promise<void> {
  const { client, io, print } = context;
  const { signal } = io;
  if (training === true) {
    const found = await withRetries(
      () =>
        dataOf(
          client.GET('/api/v1/autoscientist/{experiment_id}', {
            signal,
            params: { path: { experiment_id: id } },
          }),
        ),
      { signal },
    );
    return print(found, trainingText(found));
  }
  const path = { dataset_id: id };
  const found = await withRetries(
    () => dataOf(client.GET('/api/v1/datasets/{dataset_id}/status', { signal, params: { path } })),
    { signal },
  );
  print(found, statusText(found));
}

export async function waitForEnd(context: Context, id: string, options: OfTraining & Timeout): Promise<void> {
  const { client, progress, print } = context;
  if (options.training === true) return endTraining(context, id, options);
  const title = 'Waiting for the run';
  progress.begin(title);
  const ended = await waitForRun(client, id, {
    ...waitingOf(context, options),
    onProgress: ({ progress: state }) => {
      progress.turnTo(stageWords(state?.stage) ?? title);
      progress.update(state?.percent ?? 0, 100);
    },
  });
  progress.end();
  if (ended.status === 'failed') throw failedWork('run_failed', ended);
  print(ended, statusText(ended));
}

async function endTraining(
  context: Context,
  id: string,
  options: Timeout & { readonly output?: string },
): Promise<void> {
  const { client, progress, print, io } = context;
  progress.begin(`Training ${id}`);
  const ended = await waitForTraining(client, id, {
    ...waitingOf(context, options),
    onProgress: ({ iterations_completed, max_iterations }) =>
      progress.update(iterations_completed, max_iterations),
  });
  progress.end();
  if (ended.status !== 'succeeded')
    throw new CommandFailed(
      EXIT.workFailed,
      `training_${ended.status}`,
      ended.error ?? `The training is ${ended.status}.`,
    );
  if (options.output !== undefined) {
    progress.begin(`Downloading ${options.output}`);
    await downloadTo(client, { experiment_id: id }, options.output, {
      signal: io.signal,
      fetch: io.fetch,
      onProgress: ({ receivedBytes, totalBytes }) => progress.update(receivedBytes, totalBytes),
    });
    progress.end();
  }
  const text = [
    trainingText(ended),
    `Look at the training:  ${consoleLinkOf(context.baseUrl, `trainings/${id}`)}`,
    ...(options.output === undefined
      ? [`Download the model:    npx tunesmith download ${id} --training`]
      : [`The model:             ${options.output}`]),
  ];
  print(ended, text.join('\n'));
}

export async function downloadFile(
  { client, io, progress, print }: Context,
  id: string,
  options: OfTraining & {
    readonly output?: string;
    readonly format?: DownloadFormat;
    readonly datasetVersion?: number;
    readonly run?: string;
  },
): Promise<void> {
  const { format = formatOfOutput(options.output) ?? 'csv', datasetVersion: version, run } = options;
  const isTraining = options.training === true;
  const source: DownloadSource = isTraining
    ? { experiment_id: id }
    : {
        dataset_id: id,
        format,
        ...(version === undefined ? {} : { version }),
        ...(run === undefined ? {} : { run_id: run }),
      };
  const extension = isTraining || format === 'parquet' ? 'tar.gz' : format;
  const output = options.output ?? `${id}.${extension}`;
  progress.begin(`Downloading ${output}`);
  const { bytes, resumedBytes } = await downloadTo(client, source, output, {
    signal: io.signal,
    fetch: io.fetch,
    onProgress: ({ receivedBytes, totalBytes }) => progress.update(receivedBytes, totalBytes),
  });
  progress.end();
  print(
    { output, bytes, resumed_bytes: resumedBytes },
    `${output}: ${bytes} bytes${resumedBytes === 0 ? '' : `, ${resumedBytes} of them downloaded before`}`,
  );
}

export async function showEvaluation(context: Context, id: string, options: Timeout): Promise<void> {
  const { client, io } = context;
  const params = { path: { dataset_id: id } };
  const { status } = await withRetries(
    () => dataOf(client.GET('/api/v1/datasets/{dataset_id}/status', { signal: io.signal, params })),
    { signal: io.signal },
  );
  // Its evaluation is pending until somebody starts a run.
  if (status === 'awaiting_input')
    throw new CommandFailed(
      EXIT.workFailed,
      'no_run',
      'No run of the dataset has rows to evaluate: adapt it first.',
    );
  context.progress.begin('Waiting for the evaluation');
  const evaluation = await waitForEvaluation(context.client, id, waitingOf(context, options));
  context.progress.end();
  context.print(evaluation, evaluationText(evaluation));
}

export async function estimate(context: Context, id: string, options: AdaptOptions): Promise<void> {
  const price = await quote(context, id, await adaptRequestOf(options));
  context.print(price, quoteText(price));
}

export async function listDatasets(
  { client, io: { signal }, print }: Context,
  options: { readonly limit?: number; readonly search?: string },
): Promise<void> {
  const query = {
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.search === undefined ? {} : { q: options.search }),
  };
  const page = await withRetries(
    () => dataOf(client.GET('/api/v1/datasets', { signal, params: { query } })),
    { signal },
  );
  const lines = page.datasets.map(({ dataset_id, status, row_count, name }) =>
    [dataset_id, status.padEnd('awaiting_input'.length), String(row_count ?? '-').padStart(9), name].join(
      '  ',
    ),
  );
  print(page, lines.length === 0 ? 'There are no datasets.' : lines.join('\n'));
}

export async function listModels(
  { client, io: { signal }, print }: Context,
  { hosted }: { readonly hosted?: true },
): Promise<void> {
  const query = hosted === undefined ? {} : { type: 'hosted' as const };
  const list = await withRetries(() => dataOf(client.GET('/api/v1/models', { signal, params: { query } })), {
    signal,
  });
  const width = Math.max(...list.data.map(({ id }) => id.length));
  const lines = list.data.map(({ id, owned_by, display_name, shutdown_date }) =>
    [
      id.padEnd(width),
      owned_by === 'team' ? 'team  ' : 'hosted',
      display_name ?? '',
      shutdown_date === undefined ? '' : `answers until ${shutdown_date}`,
    ]
      .filter((part) => part !== '')
      .join('  '),
  );
  print(list, lines.length === 0 ? 'There are no models that answer.' : lines.join('\n'));
}

const eventText = ({ position, created_at, type, dataset_id, data }: TeamEvent): string =>
  [
    position,
    created_at,
    type,
    dataset_id ?? '-',
    ...Object.entries(data)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}=${value}`),
  ].join(' ');

/** Prints events until the command is interrupted, which is how it ends. */
export async function printEvents(
  { client, io, isJson }: Context,
  { after, dataset }: { readonly after?: number; readonly dataset?: string },
): Promise<void> {
  const events = followEvents(client, { signal: io.signal, ...(after === undefined ? {} : { after }) });
  try {
    for await (const event of events) {
      if (dataset !== undefined && event.dataset_id !== dataset) continue;
      io.writeOut(`${isJson ? JSON.stringify(event) : eventText(event)}\n`);
    }
  } catch (error) {
    if (!io.signal.aborted) throw error;
  }
}

export async function answer(
  context: Context,
  model: string,
  words: readonly string[],
  options: {
    readonly instructions?: string;
    readonly dataset?: readonly string[];
    readonly maxOutputTokens?: number;
    readonly temperature?: number;
  },
): Promise<void> {
  const { client, io, isJson } = context;
  const input = words.length > 0 ? words.join(' ') : await io.readInput();
  if (input.trim() === '')
    throw new CommandFailed(
      EXIT.usage,
      'input_missing',
      'Give the question as arguments, or on standard input.',
    );
  const request = {
    model,
    input,
    ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    ...(options.maxOutputTokens === undefined ? {} : { max_output_tokens: options.maxOutputTokens }),
    ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
    ...(options.dataset === undefined
      ? {}
      : { tools: [{ type: 'file_search' as const, dataset_ids: [...options.dataset] }] }),
  } as Parameters<typeof streamResponse>[1];
  for await (const event of streamResponse(client, request, { signal: io.signal })) {
    if (event.type === 'response.output_text.delta' && !isJson) io.writeOut(event.delta);
    if (event.type === 'response.failed')
      throw new CommandFailed(
        EXIT.workFailed,
        event.response.error?.code ?? 'response_failed',
        event.response.error?.message ?? 'The answer failed. Ask again.',
      );
    if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      if (event.type === 'response.incomplete')
        io.writeError(
          `\nThe answer was cut off: ${event.response.incomplete_details?.reason ?? 'unknown'}.\n`,
        );
      context.print(event.response, '');
    }
  }
}

export async function train(
  context: Context,
  dataset_id: string,
  options: Timeout & {
    readonly model?: string;
    readonly maxIterations?: number;
    readonly targetWinRate?: number;
    readonly domainRows?: number;
    readonly generalRows?: number;
    readonly output?: string;
    readonly wait: boolean;
  },
): Promise<void> {
  const { client, io, print } = context;
  const request = {
    dataset_id,
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.maxIterations === undefined ? {} : { max_iterations: options.maxIterations }),
    ...(options.targetWinRate === undefined ? {} : { target_win_rate: options.targetWinRate }),
    ...(options.domainRows === undefined ? {} : { augmentation_domain_rows: options.domainRows }),
    ...(options.generalRows === undefined ? {} : { augmentation_general_rows: options.generalRows }),
  };
  const start = () =>
    dataOf(
      client.POST('/api/v1/autoscientist', {
        signal: io.signal,
        body: { ...request, idempotency_key: trainingKeyOf(request) },
      }),
    );
  const training = await withRetries(start, { signal: io.signal });
  if (!options.wait) return print(training, trainingText(training));
  await endTraining(context, training.id, options);
}
