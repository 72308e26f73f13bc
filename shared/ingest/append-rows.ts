import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { objectKeys, safeFileName } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { isAppend } from '#shared/runs/decide/run-kinds.ts';
import type { LaunchRun } from '#shared/runs/launch-run.ts';
import { type AppendRequestObject, linesOf } from './decide/append.ts';
import { fileFormat, fileNameOf } from './decide/source.ts';
import { appendedName, readUploadKey, uploadMissing } from './decide/upload.ts';
import type { OpenUploads } from './open-uploads.ts';
import type { Append, AppendRequest } from './schema/append.ts';

export interface AppendRowsPorts {
  readonly objects: Pick<ObjectStore, 'head' | 'write'>;
  readonly launchRun: LaunchRun;
  readonly openUploads: OpenUploads;
  readonly uploadBytesMax: number;
  readonly newId: () => string;
}

export interface AppendRowsInput {
  readonly caller: Caller;
  readonly dataset: DatasetRecord;
  readonly request: AppendRequest;
  readonly idempotencyKey: string | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Appends rows to a dataset, or says where to upload a file of them. The rows of a request are checked at once, those of
 * a file when it is read. An append that is accepted waits for an active run and lands as the next version.
 * @throws {ServiceError} `invalid_request`, `schema_mismatch`, `upload_missing`, `file_too_large`, and what a launch throws
 */
export async function appendRows(ports: AppendRowsPorts, input: AppendRowsInput): Promise<Append> {
  const { rows, file, s3_key: key, sha256 } = input.request;
  if ([rows, file, key].filter((each) => each !== undefined).length !== 1) {
    throw invalidField('rows', 'or file, or s3_key: send exactly one of them');
  }
  if (sha256 !== undefined && key === undefined) throw invalidField('sha256', 'goes with s3_key only');
  if (file !== undefined) return openFile(ports, input, file);
  return rows === undefined ? appendFile(ports, input, key ?? '') : appendLines(ports, input, rows);
}

async function openFile(
  { openUploads, newId }: AppendRowsPorts,
  { caller, dataset, now }: AppendRowsInput,
  file: NonNullable<AppendRequest['file']>,
): Promise<Append> {
  const format = fileFormat('file.file_format', file.file_format, file.name);
  const key = objectKeys.upload(
    caller.team_id,
    dataset.dataset_id,
    `append-${newId()}-${fileNameOf(file.name, format).slice(-60)}`,
  );
  const [url = ''] = await openUploads(caller.team_id, [{ key, bytes: file.file_size_bytes ?? null }]);
  return {
    ...pending(null, dataset, null, now),
    status: 'awaiting_upload',
    upload_instructions: { url, method: 'PUT', s3_key: key },
  };
}

async function appendFile(ports: AppendRowsPorts, input: AppendRowsInput, sent: string): Promise<Append> {
  const { caller, dataset, request } = input;
  const { key, datasetId } = readUploadKey(sent, caller.team_id);
  const fileName = key.split('/').at(-1) ?? '';
  const name = appendedName(key);
  if (datasetId !== dataset.dataset_id || name === null) throw uploadMissing('s3_key');
  const head = await ports.objects.head(key);
  if (head !== null && head.bytes > ports.uploadBytesMax) {
    throw new ServiceError(
      'file_too_large',
      `The file has ${head.bytes} bytes; the limit is ${ports.uploadBytesMax}.`,
    );
  }
  // A file is appended once: a repetition finds it gone, and gets the first response, with a key or without.
  const once = { ...input, idempotencyKey: input.idempotencyKey ?? `s3_key ${key}` };
  return launch(ports, once, { s3_key: key, sha256: request.sha256 ?? null }, null, () => {
    if (head === null) throw uploadMissing('s3_key');
    return {
      append: {
        name,
        format: fileFormat('s3_key', undefined, fileName),
        upload_key: key,
        kept_key: objectKeys.raw(dataset.dataset_id, fileName),
        sha256: request.sha256?.toLowerCase() ?? null,
      },
    };
  });
}

async function appendLines(
  ports: AppendRowsPorts,
  input: AppendRowsInput,
  rows: NonNullable<AppendRequest['rows']>,
): Promise<Append> {
  const { dataset_id: datasetId, columns } = input.dataset;
  const fileName = `append-${ports.newId()}.jsonl`;
  const uploadKey = objectKeys.upload(input.caller.team_id, datasetId, fileName);
  requireFewCells(rows, columns ?? []);
  const lines = columns === null ? [] : linesOf(rows, columns);
  const request = (): AppendRequestObject => ({
    append: {
      name: safeFileName('the rows of the request'),
      is_request: true,
      format: 'jsonl',
      upload_key: uploadKey,
      kept_key: objectKeys.raw(datasetId, fileName),
      sha256: null,
    },
  });
  // Uploads expire: nothing stays of rows whose append is refused.
  return launch(ports, input, { rows }, rows.length, request, () =>
    ports.objects.write(uploadKey, lines.map((line) => `${line}\n`).join(''), 'application/jsonl'),
  );
}

/** Bytes of the nulls that columns without a value take in the rows of a request: few rows can have many columns. */
const NULLS_BYTES_MAX = 16 * 1024 * 1024;

function requireFewCells(rows: readonly object[], columns: readonly { readonly name: string }[]): void {
  const ofRow = columns.reduce((bytes, { name }) => bytes + name.length + '"":null,'.length, 0);
  if (rows.length * ofRow <= NULLS_BYTES_MAX) return;
  throw invalidField(
    'rows',
    `are too many for ${columns.length} columns: send at most ${Math.floor(NULLS_BYTES_MAX / ofRow)}, or append a file`,
  );
}

/**
 * @param asked what a repetition of the request must send again
 * @param store stores the rows; not called for a replay
 */
async function launch(
  { launchRun }: AppendRowsPorts,
  { caller, dataset, idempotencyKey, now }: AppendRowsInput,
  asked: object,
  rowCount: number | null,
  requestOf: () => AppendRequestObject,
  store?: () => Promise<void>,
): Promise<Append> {
  let request: AppendRequestObject | { refused: unknown };
  try {
    request = requestOf();
  } catch (refused) {
    request = { refused };
  }
  return launchRun({
    caller,
    dataset,
    pipeline: 'append',
    request: 'refused' in request ? null : request,
    ...(idempotencyKey === null
      ? {}
      : {
          idempotency: {
            operation: 'append' as const,
            key: idempotencyKey,
            request: asked,
            path: 'header.Idempotency-Key',
          },
        }),
    store,
    decide: () => {
      if ('refused' in request) throw request.refused;
      return {
        credits: 0,
        rows: rowCount,
        response: (runId: string) => pending(runId, dataset, rowCount, now),
      };
    },
    now,
  });
}

function pending(
  append_id: string | null,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  appended_rows: number | null,
  now: number,
): Append {
  return {
    append_id,
    dataset_id,
    status: 'pending',
    appended_rows,
    version: null,
    upload_instructions: null,
    error_data: null,
    created_at: timestamp(now),
    ended_at: null,
  };
}

/**
 * Describes an append by its run.
 * @throws {ServiceError} `append_not_found`
 */
export function describeAppend(run: RunRecord | null): Append {
  if (run === null || !isAppend(run)) {
    throw new ServiceError(
      'append_not_found',
      'The dataset has no append with this id. Take the append_id that the request answered.',
    );
  }
  // Once its rows are there, nothing takes them away.
  const status = run.version !== undefined ? 'succeeded' : run.status === 'failed' ? 'failed' : 'pending';
  return {
    append_id: run.run_id,
    dataset_id: run.dataset_id,
    status,
    appended_rows: run.total_rows,
    version: run.version ?? null,
    upload_instructions: null,
    error_data: status === 'failed' ? run.error_data : null,
    created_at: run.started_at,
    ended_at: run.ended_at,
  };
}
