import {
  BedrockClient,
  CreateModelInvocationJobCommand,
  GetModelInvocationJobCommand,
  type GetModelInvocationJobCommandOutput,
  ListModelInvocationJobsCommand,
  StopModelInvocationJobCommand,
} from '@aws-sdk/client-bedrock';
import * as z from 'zod';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type {
  BatchJobResult,
  BatchJobStatus,
  BatchProvider,
  SubmittedBatchJob,
} from '../decide/batch-provider.ts';
import { type Generation, ModelError } from '../decide/port.ts';
import {
  type ConverseAnswer,
  type OptionalField,
  toConverse,
  toGeneration,
  toOptionalField,
} from './bedrock-converse.ts';
import { refusedPart, toModelError } from './bedrock-errors.ts';

/**
 * Records of one job: the usual quotas of a model ("Minimum number of records per batch inference job", "Records per
 * batch inference job"); a job that a stricter quota of a model refuses has its calls made singly.
 * https://docs.aws.amazon.com/general/latest/gr/bedrock.html
 */
const CALLS_MIN = 100;
const CALLS_MAX = 50_000;
/** Bedrock takes 1 GB; smaller files keep the memory of the function small that writes them. */
const BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of a job's output that are read; it repeats the input. Calls beyond are made singly. */
const RESULT_BYTES_MAX = 256 * 1024 * 1024 + BYTES_MAX;
/** A longer line is not read: it holds more than the input and the answer of a call. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

/** Hours until Bedrock ends a job, whether it has begun or not: 24 to 168. */
const HOURS_MAX = 24;

/** Jobs that are looked through for one that was submitted before a crash. */
const PAGES_MAX = 20;
const PAGE_ENTRIES = 100;

const ENDED: readonly unknown[] = ['Completed', 'PartiallyCompleted', 'Failed', 'Stopped', 'Expired'];

const ADVICE =
  'check that Amazon Bedrock offers batch inference for the model in this region, and that the deployment is up to date';

export interface BedrockBatchOptions {
  readonly region: string;
  /** Timeout of a request. */
  readonly timeoutSeconds: number;
  /** The bucket of `objects`, where jobs read their input and write their output. */
  readonly bucketName: string;
  /** ARN of the role that Bedrock assumes for a job. */
  readonly roleArn: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly objects: Pick<ObjectStore, 'stream' | 'list' | 'remove'>;
}

/**
 * The batch inference of Amazon Bedrock: an object of requests to Converse becomes a model invocation job, whose output is
 * objects of the same bucket (https://docs.aws.amazon.com/bedrock/latest/userguide/batch-inference.html).
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each operation on batch jobs, all by the same client
export function connectBedrockBatches(options: BedrockBatchOptions): BatchProvider {
  const { objects, timeoutSeconds } = options;
  const client = new BedrockClient({ region: options.region, maxAttempts: 1 });
  const toUri = (key: string): string => `s3://${options.bucketName}/${key}`;

  /** Makes a request. The SDK's own retries are off: callers ask again later. */
  async function ask<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
    const abortSignal = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      return await send({ abortSignal });
    } catch (error) {
      if (!abortSignal.aborted) throw toModelError(error, ADVICE);
      throw new ModelError('timeout', `Bedrock did not answer within ${timeoutSeconds} s`);
    }
  }

  const statusOf = async ({ jobId }: Pick<SubmittedBatchJob, 'jobId'>): Promise<BatchJobStatus> => {
    const command = new GetModelInvocationJobCommand({ jobIdentifier: jobId });
    return toStatus(await ask((within) => client.send(command, within)));
  };

  async function find(name: string): Promise<string | null> {
    let nextToken: string | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const command = new ListModelInvocationJobsCommand({
        nameContains: name,
        sortBy: 'CreationTime',
        sortOrder: 'Descending',
        maxResults: PAGE_ENTRIES,
        nextToken,
      });
      const listed = await ask((within) => client.send(command, within));
      const found = listed.invocationJobSummaries?.find(({ jobName }) => jobName === name);
      if (found?.jobArn !== undefined) return found.jobArn;
      ({ nextToken } = listed);
      if (nextToken === undefined) return null;
    }
    return null;
  }

  return {
    limits: { callsMin: CALLS_MIN, callsMax: CALLS_MAX, bytesMax: BYTES_MAX },

    toLine(id, modelId, request, refused) {
      // A record does not name its model, and has no cache point: prompt caching is not documented for batch inference.
      const { modelId: _, ...modelInput } = toConverse(
        modelId,
        request,
        false,
        new Set(refused.filter(isOptional)),
      );
      return JSON.stringify({ recordId: toRecordId(id), modelInput });
    },

    refusedField(_modelId, { jsonSchema }, refused, { status, body }) {
      if (status !== 400) return null;
      const field = toOptionalField(refusedPart(body));
      if (field === null || refused.includes(field)) return null;
      return field === 'outputConfig' && jsonSchema === undefined ? null : { field, isUnknown: true };
    },

    async submit({ name, modelId, inputKey, outputPrefix }) {
      const command = new CreateModelInvocationJobCommand({
        jobName: name,
        // A repetition makes no second job.
        clientRequestToken: name,
        roleArn: options.roleArn,
        modelId,
        modelInvocationType: 'Converse',
        inputDataConfig: { s3InputDataConfig: { s3InputFormat: 'JSONL', s3Uri: toUri(inputKey) } },
        outputDataConfig: { s3OutputDataConfig: { s3Uri: toUri(outputPrefix) } },
        timeoutDurationInHours: HOURS_MAX,
        tags: Object.entries(options.tags).map(([key, value]) => ({ key, value })),
      });
      let jobArn: string | undefined;
      try {
        ({ jobArn } = await ask((within) => client.send(command, within)));
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
      // Of a repetition the documentation says that it is ignored, not that it is answered with the job.
      const jobId = jobArn ?? (await find(name));
      if (jobId === null) throw new ModelError('unavailable', 'Bedrock has neither made nor found the job');
      return jobId;
    },

    find,

    look: statusOf,

    async *results(job) {
      let bytesLeft = RESULT_BYTES_MAX;
      for await (const key of objects.list(outputFolderOf(job))) {
        // Besides there is a manifest with the counts.
        if (!key.endsWith('.jsonl.out')) continue;
        for await (const line of linesOf(await objects.stream(key))) {
          bytesLeft -= line.length;
          if (bytesLeft < 0) return;
          const result = readResult(line.toString());
          if (result !== null) yield result;
        }
      }
    },

    async cancel(job) {
      const isEnding = async (): Promise<boolean> => {
        const { state, said } = await statusOf(job);
        return state === 'ended' || said === 'Stopping';
      };
      if (await isEnding()) return;
      try {
        const command = new StopModelInvocationJobCommand({ jobIdentifier: job.jobId });
        await ask((within) => client.send(command, within));
      } catch (error) {
        // It has ended in between.
        if (!(error instanceof ModelError) || !(await isEnding())) throw error;
      }
    },

    async forget(job) {
      const keys: string[] = [];
      for await (const key of objects.list(job.outputPrefix)) keys.push(key);
      await objects.remove(keys);
    },
  };
}

/** Where a job stands, by the answer of `GetModelInvocationJob`. A status of a later version counts as running. */
function toStatus({ status }: Pick<GetModelInvocationJobCommandOutput, 'status'>): BatchJobStatus {
  return { state: ENDED.includes(status) ? 'ended' : 'running', said: status ?? 'unknown' };
}

const isOptional = (field: string): field is OptionalField =>
  field === 'temperature' || field === 'outputConfig';

const isConflict = (error: unknown): boolean =>
  error instanceof ModelError && (error.cause as { name?: string } | undefined)?.name === 'ConflictException';

/** Bedrock writes the output of a job below its id, the last part of its ARN. */
const outputFolderOf = ({ outputPrefix, jobId }: SubmittedBatchJob): string =>
  `${outputPrefix}${jobId.slice(jobId.lastIndexOf('/') + 1)}/`;

/** Ids of records are alphanumeric in some versions of the documentation; those of calls hold other characters too. */
const toRecordId = (id: string): string => Buffer.from(id).toString('hex');
const fromRecordId = (recordId: string): string => Buffer.from(recordId, 'hex').toString();

/** The lines of a file, without those that are too long to be one of ours. Holds one line in memory. */
async function* linesOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer): void => {
    bytes += part.length;
    if (bytes <= LINE_BYTES_MAX) parts.push(part);
    else parts = [];
  };
  const take = (): Buffer => {
    const line = Buffer.concat(parts);
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const piece of file) {
    let from = 0;
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, from)) {
      add(piece.subarray(from, end));
      const line = take();
      if (line.length > 0) yield line;
      from = end + 1;
    }
    add(piece.subarray(from));
  }
  const last = take();
  if (last.length > 0) yield last;
}

const Tokens = z.int().min(0).nullish();
const Line = z.object({
  recordId: z.string(),
  modelOutput: z.unknown().optional(),
  error: z.object({ errorCode: z.coerce.number(), errorMessage: z.string().nullish() }).nullish(),
});
/** The body of an answer of Converse, as far as it is read. */
const Output = z.object({
  output: z.object({ message: z.object({ content: z.array(z.object({ text: z.string().nullish() })) }) }),
  stopReason: z.string().nullish(),
  usage: z
    .object({
      inputTokens: Tokens,
      outputTokens: Tokens,
      cacheReadInputTokens: Tokens,
      cacheWriteInputTokens: Tokens,
    })
    .nullish(),
});

/** A line of an output file; null for one that is cut off or of another form, whose call then has no answer. */
function readResult(line: string): BatchJobResult | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = Line.safeParse(value).data;
  if (parsed === undefined) return null;
  const { recordId, modelOutput, error } = parsed;
  const id = fromRecordId(recordId);
  if (error != null) return { id, outcome: { status: error.errorCode, body: error.errorMessage ?? '' } };
  const generation = readGeneration(modelOutput);
  return { id, outcome: generation === null ? { status: null, body: '' } : { generation } };
}

function readGeneration(modelOutput: unknown): Generation | null {
  const parsed = Output.safeParse(modelOutput);
  return parsed.success ? toGeneration(parsed.data as ConverseAnswer) : null;
}
