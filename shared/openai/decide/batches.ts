import * as z from 'zod';
import type { Caller } from '#shared/platform/access/caller.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { toHttpProblem } from '#shared/platform/errors/to-http.ts';
import { digitsOf } from '#shared/training/decide/model-name.ts';
import type { Batch, BatchEndpoint, BatchFault, BatchStatus } from '../schema/batches.ts';
import type { FileObject } from '../schema/files.ts';
import { fileIdOf, openaiId, ownId, unixSeconds } from './ids.ts';
import { FILE_VALUES_MAX, OBJECT_DEPTH_MAX, objectIn, type Room } from './object-in.ts';

/** Times of a batch by what happened, ISO 8601. */
export type BatchTimes = { readonly [at in BatchMoment]?: string };
type BatchMoment =
  | 'in_progress_at'
  | 'finalizing_at'
  | 'completed_at'
  | 'failed_at'
  | 'expired_at'
  | 'cancelling_at'
  | 'cancelled_at';

/** A batch as stored; its answers are objects of the bucket. */
export interface BatchRecord extends BatchTimes {
  readonly batch_id: string;
  readonly team_id: string;
  /** Which of the team's places for batches it holds, from 0. */
  readonly place: number;
  /** In whose name models are asked. */
  readonly caller: Caller;
  readonly endpoint: BatchEndpoint;
  readonly dataset_id: string;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly status: BatchStatus;
  readonly faults: readonly BatchFault[];
  readonly counts: Batch['request_counts'];
  readonly usage: Batch['usage'];
  /** Ids of the files that it leaves, which are there once it has ended, if they have lines. */
  readonly output_id: string;
  readonly error_id: string;
  readonly has_output: boolean;
  readonly has_errors: boolean;
  readonly created_at: string;
  /** When no further request is sent. */
  readonly window_ends_at: string;
  /** When a worker last wrote of it, and when a request of it was last answered. */
  readonly worked_at: string;
  readonly progressed_at: string;
}

export type BatchChange = BatchTimes &
  Partial<
    Pick<
      BatchRecord,
      | 'place'
      | 'status'
      | 'faults'
      | 'counts'
      | 'usage'
      | 'has_output'
      | 'has_errors'
      | 'worked_at'
      | 'progressed_at'
    >
  >;
export type BatchAddress = Pick<BatchRecord, 'team_id' | 'batch_id'>;
/** What a list of batches is made of. */
export type BatchHead = Pick<BatchRecord, 'batch_id' | 'created_at'>;

/** A file that a batch has left. */
export interface BatchFile {
  readonly file_id: string;
  readonly team_id: string;
  readonly name: string;
  readonly bytes: number;
  readonly created_at: string;
}

export interface BatchRepository {
  create(record: BatchRecord): Promise<void>;
  /** Consistent read. */
  find(teamId: string, batchId: string): Promise<BatchRecord | null>;
  /** Those of a team, the newest first. Consistent read. */
  list(teamId: string): Promise<BatchHead[]>;
  /** Changes a batch of one of these statuses; null, and no change, if it has another or is gone. */
  change(
    batch: BatchAddress,
    from: readonly BatchStatus[],
    changes: BatchChange,
  ): Promise<BatchRecord | null>;
  /** Writes that work is taken up at a time. @returns false if the batch has ended, or was worked on since it was read */
  takeUp(batch: BatchRecord, at: string): Promise<boolean>;
  remove(batch: BatchAddress): Promise<void>;
  createFile(file: BatchFile): Promise<void>;
  findFile(teamId: string, fileId: string): Promise<BatchFile | null>;
  removeFile(file: Pick<BatchFile, 'team_id' | 'file_id'>): Promise<void>;
}

/** Statuses of a batch that has not ended. */
export const OPEN: readonly BatchStatus[] = ['validating', 'in_progress', 'finalizing', 'cancelling'];

export const isOpen = ({ status }: Pick<BatchRecord, 'status'>): boolean => OPEN.includes(status);

/** Milliseconds of silence after which the work on a batch is taken up again. */
const SILENT_MILLISECONDS = 20 * 60_000;

/** Whether no worker is at an open batch: it writes at least every few minutes. */
export const standsStill = (batch: BatchRecord, now: number): boolean =>
  isOpen(batch) && now - Date.parse(batch.worked_at) > SILENT_MILLISECONDS;

/** @throws {ServiceError} `batch_not_found` */
export async function requireBatch(
  batches: Pick<BatchRepository, 'find'>,
  teamId: string,
  id: string,
): Promise<BatchRecord> {
  const uuid = ownId('batch_', id);
  const found = uuid === null ? null : await batches.find(teamId, uuid);
  if (found !== null) return found;
  throw new ServiceError(
    'batch_not_found',
    'There is no batch with this id in your team, or its 30 days are over. Check the id, or list your batches.',
  );
}

/** A batch for callers. */
export function toBatch(record: BatchRecord): Batch {
  const { faults, has_output, has_errors } = record;
  const at = (moment: BatchMoment): number | null => {
    const time = record[moment];
    return time === undefined ? null : unixSeconds(time);
  };
  return {
    id: openaiId('batch_', record.batch_id),
    object: 'batch',
    endpoint: record.endpoint,
    errors: faults.length === 0 ? null : { object: 'list', data: [...faults] },
    input_file_id: fileIdOf(record.dataset_id),
    completion_window: '24h',
    status: record.status,
    output_file_id: has_output ? fileIdOf(record.output_id) : null,
    error_file_id: has_errors ? fileIdOf(record.error_id) : null,
    created_at: unixSeconds(record.created_at),
    in_progress_at: at('in_progress_at'),
    expires_at: unixSeconds(record.window_ends_at),
    finalizing_at: at('finalizing_at'),
    completed_at: at('completed_at'),
    failed_at: at('failed_at'),
    expired_at: at('expired_at'),
    cancelling_at: at('cancelling_at'),
    cancelled_at: at('cancelled_at'),
    request_counts: record.counts,
    usage: record.usage,
    metadata: record.metadata,
  };
}

/** A file that a batch has left, as a file of OpenAI's API. */
export const toBatchFile = ({ file_id, name, bytes, created_at }: BatchFile): FileObject => ({
  id: fileIdOf(file_id),
  object: 'file',
  bytes,
  created_at: unixSeconds(created_at),
  filename: name,
  purpose: 'batch_output',
  status: 'processed',
  status_details: null,
});

/** A request of the input file. */
export interface BatchRequest {
  /** Number of its row, from 0. */
  readonly row: number;
  readonly custom_id: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const CUSTOM_ID_MAX = 512;
const FAULTS_MAX = 100;

/** The requests of a file, or what is wrong with its lines. */
export function readRequests(
  rows: readonly Readonly<Record<string, unknown>>[],
  endpoint: BatchEndpoint,
): { readonly requests: readonly BatchRequest[] } | { readonly faults: readonly BatchFault[] } {
  const seen = new Set<string>();
  const requests: BatchRequest[] = [];
  const faults: BatchFault[] = [];
  const room: Room = { values: FILE_VALUES_MAX };
  for (const [row, { custom_id, method, url, body }] of rows.entries()) {
    const add = (param: string, message: string): void => {
      faults.push({ code: 'invalid_request', message: `${param}: ${message}`, line: row + 1, param });
    };
    // A table may hold an id of digits as a number, and a body as the text of its JSON.
    const id = typeof custom_id === 'number' ? String(custom_id) : custom_id;
    const asked = objectIn(body, room);
    if (typeof id !== 'string' || id === '' || id.length > CUSTOM_ID_MAX) {
      add('custom_id', `must be a text of 1 to ${CUSTOM_ID_MAX} characters`);
    } else if (seen.has(id)) {
      add('custom_id', 'is the one of another line too');
    } else seen.add(id);
    if (method !== 'POST') add('method', 'must be POST');
    if (url !== endpoint) add('url', `must be ${endpoint}, the endpoint of the batch`);
    if (room.values < 0) {
      add(
        'body',
        `has more than ${FILE_VALUES_MAX} values with those of the lines before it; send fewer requests`,
      );
      break;
    }
    if (asked === null) {
      add('body', `must be an object of at most ${OBJECT_DEPTH_MAX} levels: the request`);
    } else if (asked.stream === true) add('body.stream', 'must be false: answers of a batch are whole');
    else requests.push({ row, custom_id: String(id), body: asked });
    if (faults.length >= FAULTS_MAX) break;
  }
  if (rows.length === 0) {
    faults.push({ code: 'invalid_request', message: 'The file has no requests.', line: null, param: null });
  }
  return faults.length === 0 ? { requests } : { faults: faults.slice(0, FAULTS_MAX) };
}

/** One line of a file that a batch leaves: what became of a request. */
export const BatchLine = z.object({
  id: z.string(),
  custom_id: z.string(),
  response: z
    .object({ status_code: z.int(), request_id: z.string(), body: z.record(z.string(), z.unknown()) })
    .nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type BatchLine = z.infer<typeof BatchLine>;

/** A line as its block keeps it: of a long one the body has the usage alone, and the whole line is an object of its own. */
export const KeptLine = BatchLine.extend({ is_long: z.literal(true).optional() });
export type KeptLine = z.infer<typeof KeptLine>;

/** What a block keeps of a long line. */
export const shortened = (line: BatchLine): KeptLine => ({
  ...line,
  response: line.response === null ? null : { ...line.response, body: { usage: line.response.body.usage } },
  is_long: true,
});

const lineIdOf = ({ batch_id }: BatchAddress, row: number): string =>
  `batch_req_${digitsOf(batch_id)}_${row}`;

/** The line of a request with an answer. */
export const answeredLine = (
  batch: BatchAddress,
  { row, custom_id }: BatchRequest,
  body: object,
): BatchLine => ({
  id: lineIdOf(batch, row),
  custom_id,
  response: { status_code: 200, request_id: lineIdOf(batch, row), body: { ...body } },
  error: null,
});

/** The line of a request that was refused, with the answer that its endpoint would have given. */
export function refusedLine(
  batch: BatchAddress,
  { row, custom_id }: BatchRequest,
  error: unknown,
): BatchLine {
  const id = lineIdOf(batch, row);
  const { status, body } = toHttpProblem(error, id);
  return {
    id,
    custom_id,
    response: { status_code: status, request_id: id, body: { error: body.error } },
    error: null,
  };
}

/** The line of a request that was not sent, or not answered in time. */
export const unsentLine = (
  batch: BatchAddress,
  { row, custom_id }: BatchRequest,
  error: { readonly code: string; readonly message: string },
): BatchLine => ({ id: lineIdOf(batch, row), custom_id, response: null, error });

export const isAnswered = ({ response }: BatchLine): boolean => response?.status_code === 200;

const Usage = z.object({
  input_tokens: z.number().optional(),
  prompt_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  completion_tokens: z.number().optional(),
  input_tokens_details: z.object({ cached_tokens: z.number() }).optional(),
  prompt_tokens_details: z.object({ cached_tokens: z.number() }).optional(),
  output_tokens_details: z.object({ reasoning_tokens: z.number() }).optional(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number() }).optional(),
});

export const NO_USAGE: NonNullable<Batch['usage']> = {
  input_tokens: 0,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 0,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 0,
};

/** The usage of answers with that of one more, of either endpoint. */
export function addUsage(sum: typeof NO_USAGE, { response }: BatchLine): typeof NO_USAGE {
  const read = Usage.safeParse(response?.body.usage);
  if (!read.success) return sum;
  const { data: usage } = read;
  const input = usage.input_tokens ?? usage.prompt_tokens ?? 0;
  const output = usage.output_tokens ?? usage.completion_tokens ?? 0;
  const { cached_tokens: cached = 0 } = usage.input_tokens_details ?? usage.prompt_tokens_details ?? {};
  const { reasoning_tokens: reasoning = 0 } =
    usage.output_tokens_details ?? usage.completion_tokens_details ?? {};
  return {
    input_tokens: sum.input_tokens + input,
    input_tokens_details: { cached_tokens: sum.input_tokens_details.cached_tokens + cached },
    output_tokens: sum.output_tokens + output,
    output_tokens_details: { reasoning_tokens: sum.output_tokens_details.reasoning_tokens + reasoning },
    total_tokens: sum.total_tokens + input + output,
  };
}
