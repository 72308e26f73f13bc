import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as tar from 'tar';
import { adaptersDirectory } from '#local/paths.ts';
import { type Progress, silentProgress } from '#local/progress.ts';
import { connectionOf, type ServedTraining, serveTraining } from '#local/serve-training.ts';
import type { LocalCloud } from '#local/up.ts';
import { createTable, type Table } from '#shared/platform/store/table.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { TrainingReport, type WinRate } from '#shared/training/schema/training-outcome.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { type ServiceClient, trainingEnded } from '../service-client.ts';
import { bar, list, timeLeft } from './show.ts';

/** Four rows a step, two epochs over the 20 of 40 rows that are not held out: 10 steps. */
const HYPERPARAMS = { n_epochs: 2, batch_size: 4, learning_rate: 0.003, lora_r: 8, lora_alpha: 16 } as const;
/** Questions that are not among the rows. */
const QUESTIONS = ['How do I boil rice?', 'Why is grass green?'] as const;
const ANSWER_TOKENS = 48;

export interface DemoTraining {
  readonly run: TrainingRun;
  readonly report: TrainingReport;
  readonly artifact: string;
  readonly seconds: number;
}

/** One training iteration on uploaded rows; shows the trainer's progress, and downloads the model. */
export async function trainModel(
  client: ServiceClient,
  cloud: LocalCloud,
  datasetId: string,
  options: { readonly progress: Progress; readonly folder: string },
): Promise<DemoTraining> {
  const startedAt = performance.now();
  const table = createTable(cloud.tableName, new DynamoDBClient(connectionOf(cloud.environment)));
  const run = await options.progress.step('Train', async (detail) => {
    const { id } = await client.json<TrainingRun>('POST', '/autoscientist', {
      dataset_id: datasetId,
      model: 'HuggingFaceTB/SmolLM2-135M-Instruct',
      max_iterations: 1,
      hyperparams: HYPERPARAMS,
    });
    const describe = attemptDescriber(table, id);
    return trainingEnded(client, id, async () => detail(await describe()));
  });
  const seconds = (performance.now() - startedAt) / 1000;
  if (run.status !== 'succeeded') throw new Error(`The training ended as ${run.status}: ${run.error}`);
  const artifact = join(options.folder, 'model.tar.gz');
  await writeFile(artifact, await client.bytes(`/autoscientist/${run.id}/download`));
  await tar.extract({ file: artifact, cwd: options.folder }, ['run_report.json']);
  const report = TrainingReport.parse(
    JSON.parse(await readFile(join(options.folder, 'run_report.json'), 'utf8')),
  );
  return { run, report, artifact, seconds };
}

/** Describes the progress of a training, from its trainer's heartbeats. */
function attemptDescriber(table: Table, experiment_id: string): () => Promise<string> {
  const trainings = createTrainingRepository(table);
  const startedAt = performance.now();
  let wasTried = false;
  return async () => {
    const current = (await trainings.findOfAnyTeam(experiment_id))?.attempt ?? null;
    if (current === null) {
      return wasTried ? 'writing the report' : 'holding rows out, choosing hyperparameters';
    }
    wasTried = true;
    const found = await trainings.findAttempt({ experiment_id, ...current });
    const { phase, step = 0, steps = 0 } = found ?? {};
    if (found?.state === 'ended') return 'comparing answers on the rows that were held out';
    if (phase !== 'training' || steps === 0) return phase ?? 'waiting for the trainer';
    const seconds = (performance.now() - startedAt) / 1000;
    return `${bar(step, steps)} step ${step} of ${steps}${timeLeft(step, steps, seconds)}`;
  };
}

/** The result of a training, in a few lines. */
export function describeTraining({ run, report, seconds }: DemoTraining): string[] {
  const iteration = report.iterations.find(({ iteration }) => iteration === report.best_iteration);
  const stage = iteration?.trainer?.stages.at(-1);
  const [first, last] = [stage?.train_loss.at(0), stage?.train_loss.at(-1)];
  const { train_rows, held_out_rows } = report.data;
  const lines: [string, string][] = [
    [
      'Model',
      `${run.model}: ${stage?.steps} steps on ${train_rows} rows in ${seconds.toFixed(0)} s, ${held_out_rows} held out`,
    ],
  ];
  if (first !== undefined && last !== undefined) {
    lines.push(['Loss', `${first.loss.toFixed(2)} at first, ${last.loss.toFixed(2)} in the end`]);
  }
  const winRate = iteration?.win_rate ?? null;
  const likelihood = iteration?.likelihood ?? null;
  if (winRate !== null) lines.push(['Win rate', describeWinRate(winRate)]);
  if (likelihood !== null && winRate?.method === 'judge') lines.push(['', describeWinRate(likelihood)]);
  return list(lines);
}

function describeWinRate({ value, n, interval95: [low, high], method, judge }: WinRate): string {
  const by =
    method === 'judge'
      ? `${judge} preferred the trained model's answers, blind and in both orders`
      : 'the trained model gives the held-out answers a higher likelihood than its base';
  const percent = (share: number): number => Math.round(share * 100);
  const undecided = low <= 0.5 && high >= 0.5 ? '; this decides nothing' : '';
  return `${percent(value)} % of ${n} rows (95 %: ${percent(low)} to ${percent(high)} %${undecided})\n${' '.repeat(17)}${by}`;
}

/** Asks the trained model and its base the same questions. */
export async function respond(cloud: LocalCloud, run: TrainingRun, progress: Progress): Promise<string[]> {
  return progress.step('Respond', async () => {
    const served = await serveTraining(run.id, cloud.environment, {
      adaptersDirectory: adaptersDirectory(),
      progress: silentProgress,
    });
    const lines: string[] = [];
    for (const question of QUESTIONS) {
      const [base, trained] = await Promise.all([
        askServer(served, question),
        askService(cloud, run.id, question),
      ]);
      lines.push(
        `  ${question}`,
        `    base         ${oneLine(base)}`,
        `    trained      ${oneLine(trained)}`,
      );
    }
    return lines;
  });
}

/** Asks the base at the model server: an installation need not offer it. */
async function askServer({ baseUrl, baseId }: ServedTraining, question: string): Promise<string> {
  const body = (await post(`${baseUrl}/chat/completions`, null, {
    model: baseId,
    temperature: 0,
    max_tokens: ANSWER_TOKENS,
    messages: [{ role: 'user', content: question }],
  })) as { choices: [{ message: { content: string } }] };
  return body.choices[0].message.content;
}

/** Asks the trained model through the service, by the id of its training. */
async function askService({ apiUrl, apiKey }: LocalCloud, model: string, question: string): Promise<string> {
  const response = (await post(`${apiUrl}/api/v1/responses`, apiKey, {
    model,
    temperature: 0,
    max_output_tokens: ANSWER_TOKENS,
    input: question,
  })) as { output: { content?: { text?: string }[] }[] };
  return response.output.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join('');
}

async function post(url: string, key: string | null, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} does not answer: ${response.status} ${await response.text()}`);
  return response.json();
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 82 ? `${line.slice(0, 81)}…` : line;
}
