import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { BatchJobResult, BatchProvider, SubmittedBatchJob } from '../decide/batch-provider.ts';
import { ModelError } from '../decide/port.ts';
import { DISPENSABLE, toCompletionBody, toGeneration } from './openai-completion.ts';
import {
  connectOpenAiHttp,
  FieldRefused,
  type OpenAiOptions,
  type SentBody,
  toBatchedError,
} from './openai-connection.ts';
import { type Dialect, learn, newDialect } from './openai-dialect.ts';

/** The key of a batch's metadata that holds the name of its job. */
const NAME_KEY = 'tunesmith_job';

/** The provider takes 200 MB; smaller files keep the memory of the function small that handles them. */
const BYTES_MAX = 64 * 1024 * 1024;
/** The provider takes 50,000. With 12 KB an answer, those of a job fit into what is read of them. */
const CALLS_MAX = 20_000;
/** Bytes of a file of results that are read; calls beyond are made singly. */
const RESULT_BYTES_MAX = 256 * 1024 * 1024;

/** Batches, or files, that are looked through for one that was submitted before a crash: newest first. */
const PAGES_MAX = 20;
const PAGE_ENTRIES = 100;

const ENDED = ['completed', 'failed', 'expired', 'cancelled'];
/** Code of a batch that failed since an organization may queue only so many tokens of a model. */
const QUEUE_FULL = 'token_limit_exceeded';

const Batch = z.object({
  id: z.string().min(1),
  status: z.string(),
  input_file_id: z.string().nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  errors: z.object({ data: z.array(z.looseObject({ code: z.string().nullish() })).nullish() }).nullish(),
});
type Batch = z.infer<typeof Batch>;
const File = z.object({ id: z.string().min(1), filename: z.string().nullish() });
const Page = z.object({ data: z.array(z.unknown()), has_more: z.boolean().nullish() });

const Line = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.int(), body: z.unknown() }).nullish(),
  error: z.looseObject({}).nullish(),
});

export interface OpenAiBatchOptions extends OpenAiOptions {
  readonly objects: Pick<ObjectStore, 'read'>;
}

/**
 * The Batch API of OpenAI and of servers that have it too: a file of requests to `/v1/chat/completions` becomes a batch,
 * whose answers and errors are files (https://platform.openai.com/docs/guides/batch).
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each operation on batches, all by the same connection
export function connectOpenAiBatches({ objects, ...options }: OpenAiBatchOptions): BatchProvider {
  const connection = connectOpenAiHttp(options);

  const batchOf = async ({ jobId }: Pick<SubmittedBatchJob, 'jobId'>): Promise<Batch> =>
    parse(Batch, await connection.get(`/batches/${encodeURIComponent(jobId)}`), 'a batch');

  /** Looks through a list, newest first, for what `matches`. */
  async function search<T extends { readonly id: string }>(
    path: string,
    schema: z.ZodType<T>,
    matches: (entry: T) => boolean,
  ): Promise<string | null> {
    let after = '';
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const query = `limit=${PAGE_ENTRIES}${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`;
      const { data, has_more: hasMore } = parse(
        Page,
        await connection.get(`${path}${path.includes('?') ? '&' : '?'}${query}`),
        'a list',
      );
      // A list may hold what others have made, in forms of their own.
      const entries = data.flatMap((entry) => schema.safeParse(entry).data ?? []);
      const found = entries.find(matches);
      if (found !== undefined) return found.id;
      const last = entries.at(-1)?.id;
      if (hasMore !== true || last === undefined) return null;
      after = last;
    }
    return null;
  }

  async function uploadInput(name: string, inputKey: string): Promise<string> {
    const filename = `${name}.jsonl`;
    const earlier = await search('/files?purpose=batch', File, (file) => file.filename === filename);
    if (earlier !== null) return earlier;
    const body = await objects.read(inputKey);
    if (body === null) throw new ModelError('rejected', 'The input of the batch is gone');
    const form = toForm({ purpose: 'batch' }, { name: filename, body });
    const file = await connection.send('POST', '/files', form, ({ body }) => body.json());
    return parse(File, file, 'a file').id;
  }

  async function* readResults(fileId: string | null | undefined): AsyncGenerator<BatchJobResult, void> {
    if (fileId == null) return;
    const path = `/files/${encodeURIComponent(fileId)}/content`;
    const body = await connection.send('GET', path, null, ({ body }) => readAtMost(body, RESULT_BYTES_MAX));
    for (const line of linesOf(body)) {
      const result = readResult(line);
      if (result !== null) yield result;
    }
  }

  return {
    limits: { callsMin: 1, callsMax: CALLS_MAX, bytesMax: BYTES_MAX },

    toLine: (id, modelId, request, refused) =>
      JSON.stringify({
        custom_id: id,
        method: 'POST',
        url: '/v1/chat/completions',
        body: toCompletionBody(modelId, request, dialectOf(refused)),
      }),

    refusedField(modelId, request, refused, { status, body }) {
      if (status === null) return null;
      const dialect = dialectOf(refused);
      const error = toBatchedError(status, body, toCompletionBody(modelId, request, dialect));
      return error instanceof FieldRefused && learn(dialect, error.field, DISPENSABLE) ? error : null;
    },

    async submit({ name, inputKey }) {
      const batch = await connection.post('/batches', {
        input_file_id: await uploadInput(name, inputKey),
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
        metadata: { [NAME_KEY]: name },
      });
      return parse(Batch, batch, 'a batch').id;
    },

    find: (name) => search('/batches', Batch, ({ metadata }) => metadata?.[NAME_KEY] === name),

    async look(job) {
      const { status, errors } = await batchOf(job);
      if (!ENDED.includes(status)) return { state: 'running', said: status };
      const isQueueFull = status === 'failed' && errors?.data?.some(({ code }) => code === QUEUE_FULL);
      return { state: isQueueFull === true ? 'queue_full' : 'ended', said: status };
    },

    async *results(job) {
      const { output_file_id: output, error_file_id: errors } = await batchOf(job);
      yield* readResults(output);
      yield* readResults(errors);
    },

    async cancel(job) {
      const { status } = await batchOf(job);
      if (ENDED.includes(status) || status === 'cancelling') return;
      await connection.post(`/batches/${encodeURIComponent(job.jobId)}/cancel`, {});
    },

    async forget(job) {
      const { input_file_id: input, output_file_id: output, error_file_id: errors } = await batchOf(job);
      for (const id of [input, output, errors]) {
        if (id == null) continue;
        const deleted = connection.send('DELETE', `/files/${encodeURIComponent(id)}`, null, (response) =>
          response.body.dump(),
        );
        await deleted.catch((error: unknown) => {
          // It is gone: an earlier attempt has deleted it.
          if (!(error instanceof ModelError && error.kind === 'misconfigured')) throw error;
        });
      }
    },
  };
}

function dialectOf(refused: readonly string[]): Dialect {
  const dialect = newDialect();
  for (const field of refused) learn(dialect, field, DISPENSABLE);
  return dialect;
}

function parse<T>(schema: z.ZodType<T>, body: unknown, what: string): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ModelError('garbage', `The model endpoint's answer is not ${what}`);
  return parsed.data;
}

/** The beginning of a body, if it is longer. */
async function readAtMost(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > bytesMax) break;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Form data by RFC 7578. Names and fields are the service's own, and need no escapes. */
function toForm(
  fields: Readonly<Record<string, string>>,
  { name, body }: { readonly name: string; readonly body: Buffer },
): SentBody {
  const boundary = `form-${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
  const part = (head: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n`;
  const before = Object.entries(fields).map(([field, value]) => `${part(`name="${field}"`)}\r\n${value}\r\n`);
  const head = `${part(`name="file"; filename="${name}"`)}Content-Type: application/jsonl\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(before.join('') + head), body, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function* linesOf(body: Buffer): Generator<string, void> {
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf(10, from);
    const to = end === -1 ? body.length : end;
    if (to > from) yield body.toString('utf8', from, to);
    from = to + 1;
  }
}

/** A line of a file of results; null for one that is cut off or of another form, whose call then has no answer. */
function readResult(line: string): BatchJobResult | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const parsed = Line.safeParse(value).data;
  if (parsed === undefined) return null;
  const { custom_id: id, response, error } = parsed;
  if (response != null && response.status_code === 200) {
    try {
      return { id, outcome: { generation: toGeneration(response.body) } };
    } catch (cause) {
      if (!(cause instanceof ModelError)) throw cause;
      return { id, outcome: { status: null, body: '' } };
    }
  }
  const said = response?.body ?? error ?? null;
  return {
    id,
    outcome: {
      status: response?.status_code ?? null,
      body: typeof said === 'string' ? said : JSON.stringify(said),
    },
  };
}
