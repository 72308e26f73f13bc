import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createTable } from '#shared/platform/store/table.ts';
import type { TrainingRun } from '#shared/training/schema/training.ts';
import { createTrainingRepository } from '#shared/training/store/trainings.ts';
import { servedModelOf } from '#trainer/embedded/models.ts';
import { answersHttp } from './child.ts';
import { adapterPath, trainedModelId } from './model/adapter-files.ts';
import { setUpModels } from './model/setup.ts';
import type { Progress } from './progress.ts';

export interface ServedTraining {
  /** The trained model's id in requests to the model server. */
  readonly modelId: string;
  /** Its base model, which is served too. */
  readonly baseId: string;
  /** OpenAI base URL; ends in /v1. */
  readonly baseUrl: string;
}

/**
 * Installs the best model of a training in the local model server. `environment` is the content of `.local/env`.
 * @throws {Error} that says what to do, if the training has no such model (yet).
 */
export async function serveTraining(
  experimentId: string,
  environment: Readonly<Record<string, string>>,
  options: { readonly adaptersDirectory: string; readonly progress: Progress },
): Promise<ServedTraining> {
  const baseUrl = environment.TUNESMITH_MODEL_URL;
  if (baseUrl === undefined) {
    throw new Error(
      'The local cloud serves no model itself. Start it without MODEL_BASE_URL (npm run local), and again after an update.',
    );
  }
  if (!(await answersHttp(`${baseUrl}/models`))) {
    throw new Error(`No model server answers at ${baseUrl}. Start the local cloud: npm run local`);
  }
  const run = await readRun(experimentId, environment);
  if (run.status !== 'succeeded') throw new Error(whyNoModel(run));

  const connection = connectionOf(environment);
  const table = createTable(requireVariable(environment, 'TABLE_NAME'), new DynamoDBClient(connection));
  const key = (await createTrainingRepository(table).findOfAnyTeam(run.id))?.best?.gguf_key ?? null;
  const baseId = servedModelOf(run.model);
  if (key === null || baseId === undefined) {
    throw new Error(
      `The model of training ${run.id} has no form that the local model server takes` +
        `${baseId === undefined ? `: it does not serve ${run.model}.` : '.'} Download it and serve it elsewhere.`,
    );
  }
  await setUpModels([baseId], options.progress);
  const path = adapterPath(options.adaptersDirectory, baseId, run.id);
  await downloadObject(new S3Client({ ...connection, forcePathStyle: true }), {
    bucket: requireVariable(environment, 'BUCKET_NAME'),
    key,
    path,
  });
  return { modelId: trainedModelId(baseId, run.id), baseId, baseUrl };
}

async function readRun(
  experimentId: string,
  environment: Readonly<Record<string, string>>,
): Promise<TrainingRun> {
  const url = `${requireVariable(environment, 'ADAPTION_BASE_URL')}/api/v1/autoscientist`;
  const response = await fetch(`${url}/${encodeURIComponent(experimentId)}`, {
    headers: { authorization: `Bearer ${requireVariable(environment, 'ADAPTION_API_KEY')}` },
  });
  const body = (await response.json()) as TrainingRun & { readonly message?: string };
  if (response.status === 404) {
    throw new Error(`There is no training "${experimentId}" here. List them: GET ${url}`);
  }
  if (!response.ok) throw new Error(`GET ${url}/… answers ${response.status}: ${body.message}`);
  return body;
}

function whyNoModel({
  id,
  status,
  error,
  iterations_completed: done,
  max_iterations: max,
}: TrainingRun): string {
  if (status === 'failed') return `Training ${id} failed and has no model: ${error}`;
  if (status === 'cancelled') return `Training ${id} was cancelled and has no model. Start another.`;
  return `Training ${id} goes on (${done} of at most ${max} iterations done). Try again when it has succeeded.`;
}

async function downloadObject(
  client: S3Client,
  { bucket, key, path }: { readonly bucket: string; readonly key: string; readonly path: string },
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.partial`;
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    await pipeline(Body as Readable, createWriteStream(partial));
    // Atomic, so that the server never reads a partial file.
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    if (error instanceof Error && error.name === 'NoSuchKey') {
      throw new Error('The model was removed together with the dataset that it was trained on.', {
        cause: error,
      });
    }
    throw error;
  } finally {
    client.destroy();
  }
}

/** Client options for the local cloud with this environment. */
export function connectionOf(environment: Readonly<Record<string, string>>) {
  return {
    endpoint: requireVariable(environment, 'AWS_ENDPOINT_URL'),
    region: requireVariable(environment, 'AWS_REGION'),
    credentials: {
      accessKeyId: requireVariable(environment, 'AWS_ACCESS_KEY_ID'),
      secretAccessKey: requireVariable(environment, 'AWS_SECRET_ACCESS_KEY'),
    },
  };
}

function requireVariable(environment: Readonly<Record<string, string>>, name: string): string {
  const value = environment[name];
  if (value === undefined) throw new Error(`The environment of the local cloud lacks ${name}: npm run local`);
  return value;
}
