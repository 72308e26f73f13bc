import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { faultOf } from './bedrock-endpoint.ts';
import { listening } from './listening.ts';
import type { BatchScript } from './scripted-batches.ts';

/** What becomes of the jobs that are made from now on. */
export interface BedrockBatchScript extends BatchScript {
  /** How a repeated `clientRequestToken` is answered; the documentation says only that it is no error. Default: `job`. */
  readonly repeats?: 'job' | 'nothing' | 'conflict';
}

export type JobStatusWord =
  | 'Submitted'
  | 'Validating'
  | 'InProgress'
  | 'Completed'
  | 'PartiallyCompleted'
  | 'Failed'
  | 'Stopping'
  | 'Stopped'
  | 'Expired';

/** The answer of a model to the body of a request to Converse, or its error. */
export type ConverseModel = (
  body: ConverseBody,
) => { readonly output: unknown } | { readonly code: number; readonly message: string };

export interface ConverseBody {
  readonly system?: readonly { readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: readonly { readonly text: string }[];
  }[];
}

/** A request that created a job. */
interface Creation {
  readonly jobName: string;
  readonly roleArn: string;
  readonly clientRequestToken?: string;
  readonly modelId: string;
  readonly modelInvocationType?: string;
  readonly timeoutDurationInHours?: number;
  readonly inputDataConfig: { readonly s3InputDataConfig: { readonly s3Uri: string } };
  readonly outputDataConfig: { readonly s3OutputDataConfig: { readonly s3Uri: string } };
}

interface StoredJob {
  readonly id: string;
  readonly creation: Creation;
  script: BatchScript;
  readonly createdMs: number;
  status: JobStatusWord;
  message: string | undefined;
  readonly calls: number;
  answered: number;
}

/** A stand-in for the batch inference of Amazon Bedrock. */
export interface ScriptedBedrockBatches {
  readonly url: string;
  setScript(script: BedrockBatchScript): void;
  /** Ends the delay of all jobs. */
  release(): void;
  /** Ends a job as an operator does in the console. */
  stop(name: string): void;
  batches(): readonly {
    readonly id: string;
    readonly name: string;
    readonly status: JobStatusWord;
    readonly calls: number;
    readonly answered: number;
  }[];
  /** Bodies of the requests that created jobs, and that were refused. */
  readonly creations: readonly Creation[];
  /** Keys of the outputs that were not deleted. */
  files(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const ENDED: readonly JobStatusWord[] = ['Completed', 'PartiallyCompleted', 'Failed', 'Stopped', 'Expired'];
const BUCKET = 'data-bucket';
export const BEDROCK_BATCHES = {
  region: 'eu-west-1',
  bucketName: BUCKET,
  roleArn: 'arn:aws:iam::123456789012:role/batch-jobs',
  tags: { stage: 'dev', cost: 'training' },
} as const;

/** Patterns of the API reference of CreateModelInvocationJob. */
const PATTERNS = {
  jobName: /^[a-zA-Z0-9]{1,63}(-*[a-zA-Z0-9+\-.]){0,63}$/,
  clientRequestToken: /^[a-zA-Z0-9]{1,256}(-*[a-zA-Z0-9]){0,256}$/,
  roleArn: /^arn:aws(-[^:]+)?:iam::([0-9]{12})?:role\/.+$/,
} as const;
const S3_URI = /^s3:\/\/([a-z0-9][-.a-z0-9]{1,61})\/([-!_*'().a-z0-9A-Z]+(?:\/[-!_*'().a-z0-9A-Z]+)*\/?)$/;
const ERRORS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  401: 'AccessDeniedException',
  402: 'ServiceQuotaExceededException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  409: 'ConflictException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
};
const RECORD_FIELDS = [
  'messages',
  'system',
  'inferenceConfig',
  'outputConfig',
  'additionalModelRequestFields',
];

/** Why a request to create a job is not valid; null if it is. */
function faultOfCreation(creation: Creation): string | null {
  const { modelInvocationType, timeoutDurationInHours: hours, inputDataConfig, outputDataConfig } = creation;
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    if (!pattern.test(String(creation[name as keyof typeof PATTERNS]))) return `${name} is not valid`;
  }
  if (creation.jobName.length > 63) return 'jobName is too long';
  if (modelInvocationType !== 'Converse') return 'modelInvocationType is not Converse';
  if (hours !== undefined && (hours < 24 || hours > 168)) return 'timeoutDurationInHours is not valid';
  for (const uri of [inputDataConfig.s3InputDataConfig.s3Uri, outputDataConfig.s3OutputDataConfig.s3Uri]) {
    if (S3_URI.exec(uri)?.[1] !== BUCKET) return `${uri} is not in the bucket`;
  }
  return null;
}

const keyOf = (uri: string): string => uri.slice(`s3://${BUCKET}/`.length);

/** The records of an input file; a text says why the file is not valid. */
function readRecords(
  key: string,
  file: Buffer | null,
  recordsMin: number,
): { readonly recordId: string; readonly modelInput: Record<string, unknown> }[] | string {
  if (file === null || !key.endsWith('.jsonl')) return `The input ${key} is no .jsonl file`;
  const lines = file
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  if (lines.length < recordsMin) return `The input has less than ${recordsMin} records`;
  if (lines.length > 50_000) return 'The input has more than 50000 records';
  try {
    const records = lines.map((line) => JSON.parse(line));
    const isValid = ({ recordId, modelInput }: (typeof records)[0]): boolean =>
      /^[a-zA-Z0-9]+$/.test(recordId) && typeof modelInput === 'object' && modelInput !== null;
    return records.every(isValid) ? records : 'A record is not valid';
  } catch {
    return 'A record is not valid';
  }
}

/**
 * A stand-in for the batch inference of Amazon Bedrock, by its API reference and user guide: jobs read a file of records
 * from the bucket, and write a file of answers and errors, and a manifest. It checks names, addresses and records as they
 * do there, and begins to work when it is looked at.
 * @param recordsMin quota of the model
 */
export async function startScriptedBedrockBatches(
  objects: Pick<ObjectStore, 'read' | 'write' | 'list'>,
  answer: ConverseModel,
  recordsMin = 100,
): Promise<ScriptedBedrockBatches> {
  const jobs = new Map<string, StoredJob>();
  const creations: Creation[] = [];
  let script: BedrockBatchScript = {};
  const arnOf = (id: string): string =>
    `arn:aws:bedrock:${BEDROCK_BATCHES.region}:123456789012:model-invocation-job/${id}`;

  function answerRecord(modelInput: Record<string, unknown>): object {
    const unknown = Object.keys(modelInput).find((field) => !RECORD_FIELDS.includes(field));
    const fault =
      unknown === undefined ? faultOf(modelInput, []) : `extraneous key [${unknown}] is not permitted`;
    if (fault !== null) return { error: { errorCode: 400, errorMessage: fault } };
    const answered = answer(modelInput as unknown as ConverseBody);
    return 'output' in answered
      ? { modelOutput: answered.output }
      : { error: { errorCode: answered.code, errorMessage: answered.message } };
  }

  /** Ends a job with the answers to its first records, and errors to some of them. */
  async function end(job: StoredJob, status: JobStatusWord, answeredMax: number): Promise<void> {
    const { failsEvery, spoils } = job.script;
    const inputKey = keyOf(job.creation.inputDataConfig.s3InputDataConfig.s3Uri);
    const outputKey = keyOf(job.creation.outputDataConfig.s3OutputDataConfig.s3Uri);
    const folder = `${outputKey.replace(/\/$/, '')}/${job.id}/`;
    const records = readRecords(inputKey, await objects.read(inputKey), recordsMin);
    if (typeof records === 'string') {
      job.status = 'Failed';
      job.message = records;
      return;
    }
    const lines = records.slice(0, answeredMax).map(({ recordId, modelInput }, place) => {
      const isFailing = failsEvery !== undefined && place % failsEvery === 0;
      const outcome = isFailing
        ? { error: { errorCode: 500, errorMessage: 'scripted' } }
        : answerRecord(modelInput);
      return { recordId, modelInput, ...outcome };
    });
    const answered = lines.filter((line) => 'modelOutput' in line);
    job.answered = answered.length;
    job.status = status;
    if (lines.length === 0) return;
    // Their order is not guaranteed; the file that is cut off keeps the first ones, as the tests expect.
    const texts = lines.map((line) => JSON.stringify(line));
    if (spoils !== 'truncated') texts.reverse();
    if (spoils === 'doubled') texts.push(...texts);
    if (spoils === 'unknown') texts.unshift('{"recordId":"6e6f626f6479","modelOutput":{}}', '[]');
    let text = texts.map((line) => `${line}\n`).join('');
    if (spoils === 'truncated') {
      text = `${texts.slice(0, texts.length / 2).join('\n')}\n${texts[texts.length / 2]?.slice(0, 20)}`;
    }
    const file = inputKey.slice(inputKey.lastIndexOf('/') + 1);
    await objects.write(`${folder}${file}.out`, text, 'application/octet-stream');
    const manifest = {
      totalRecordCount: records.length,
      processedRecordCount: lines.length,
      successRecordCount: answered.length,
      errorRecordCount: lines.length - answered.length,
    };
    await objects.write(`${folder}manifest.json.out`, JSON.stringify(manifest), 'application/octet-stream');
  }

  /** Lets a job go on to where it is by now. */
  async function advance(job: StoredJob): Promise<void> {
    if (ENDED.includes(job.status)) return;
    if (job.status === 'Stopping') await end(job, 'Stopped', Math.floor(job.calls / 2));
    else if (job.script.isInvalid === true) {
      job.status = 'Failed';
      job.message = 'The input is not valid';
    } else if (Date.now() - job.createdMs < (job.script.delayMilliseconds ?? 0)) job.status = 'InProgress';
    else {
      const { expiresAfter } = job.script;
      if (expiresAfter === undefined) await end(job, 'Completed', Number.POSITIVE_INFINITY);
      else await end(job, expiresAfter === 0 ? 'Expired' : 'PartiallyCompleted', expiresAfter);
    }
  }

  async function countRecords(creation: Creation): Promise<number> {
    const file = await objects.read(keyOf(creation.inputDataConfig.s3InputDataConfig.s3Uri));
    return (file?.toString().split('\n').length ?? 1) - 1;
  }

  const shown = (job: StoredJob) => ({
    ...job.creation,
    jobArn: arnOf(job.id),
    status: job.status,
    message: job.message,
    submitTime: new Date(job.createdMs).toISOString(),
  });

  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const refuse = (response: ServerResponse, code: number, message = 'scripted'): void => {
    response.setHeader('x-amzn-errortype', ERRORS[code] ?? 'ServiceUnavailableException');
    send(response, code === 401 ? 403 : code === 402 || code === 409 ? 400 : code, { message });
  };

  async function create(response: ServerResponse, creation: Creation): Promise<void> {
    const refusal = script.refusals?.shift();
    if (refusal !== undefined) {
      refuse(response, refusal);
      return;
    }
    creations.push(creation);
    const fault = faultOfCreation(creation);
    if (fault !== null) {
      refuse(response, 400, fault);
      return;
    }
    const known = [...jobs.values()].find(
      (job) => job.creation.clientRequestToken === creation.clientRequestToken,
    );
    if (known !== undefined) {
      if (script.repeats === 'conflict') refuse(response, 409);
      else send(response, 200, script.repeats === 'nothing' ? {} : { jobArn: arnOf(known.id) });
      return;
    }
    const id = `job${String(jobs.size + 1).padStart(9, '0')}`;
    jobs.set(id, {
      id,
      creation,
      script,
      createdMs: Date.now(),
      status: 'Submitted',
      message: undefined,
      calls: await countRecords(creation),
      answered: 0,
    });
    if (script.breaksAfterCreation === true) {
      script = { ...script, breaksAfterCreation: false };
      response.destroy();
    } else send(response, 200, { jobArn: arnOf(id) });
  }

  function list(response: ServerResponse, { searchParams }: URL): void {
    const name = searchParams.get('nameContains') ?? '';
    const matching = [...jobs.values()]
      .filter(({ creation }) => creation.jobName.includes(name))
      .toReversed();
    const from = Number(searchParams.get('nextToken') ?? 0);
    const limit = Number(searchParams.get('maxResults') ?? 10);
    send(response, 200, {
      invocationJobSummaries: matching.slice(from, from + limit).map(shown),
      ...(from + limit < matching.length ? { nextToken: String(from + limit) } : {}),
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '', 'http://stand-in');
    const path = decodeURIComponent(url.pathname);
    if (path === '/model-invocation-jobs') {
      list(response, url);
      return;
    }
    if (path === '/model-invocation-job') {
      await create(response, JSON.parse(Buffer.concat(parts).toString()));
      return;
    }
    const [, id = '', act] = /\/([a-z0-9]{12})(?:\/(stop))?$/.exec(path) ?? [];
    const job = jobs.get(id);
    if (job === undefined) refuse(response, 404);
    else if (act === undefined) {
      await advance(job);
      send(response, 200, shown(job));
    } else if (ENDED.includes(job.status)) refuse(response, 409, 'The job has ended');
    else {
      job.status = 'Stopping';
      send(response, 200, {});
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await listening(server, 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    creations,
    setScript(next) {
      script = next;
    },
    release() {
      for (const job of jobs.values()) job.script = { ...job.script, delayMilliseconds: 0 };
      script = { ...script, delayMilliseconds: 0 };
    },
    stop(name) {
      for (const job of jobs.values()) if (job.creation.jobName === name) job.status = 'Stopping';
    },
    batches: () =>
      [...jobs.values()].map(({ id, creation, status, calls, answered }) => ({
        id,
        name: creation.jobName,
        status,
        calls,
        answered,
      })),
    async files() {
      const keys: string[] = [];
      for await (const key of objects.list('')) if (key.endsWith('.out')) keys.push(key);
      return keys;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Leads the clients of this process to the stand-in. The environment is the test's to restore (`vi.unstubAllEnvs`). */
export function leadToBedrock(url: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK', url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
}
