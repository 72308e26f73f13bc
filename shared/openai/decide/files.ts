import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { FilePurpose } from '#shared/datasets/schema/dataset.ts';
import type { FileSource } from '#shared/ingest/decide/source.ts';
import { fileFormat } from '#shared/ingest/decide/source.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import type { FileObject } from '../schema/files.ts';
import { fileIdOf, unixSeconds } from './ids.ts';

/**
 * How a file is read. Tables keep their columns as they are (raw mode), since nothing maps them.
 * @throws {ServiceError} `invalid_request` for an extension that is of no format
 */
export function sourceOf(name: string): FileSource {
  const format = fileFormat('file', name.includes('.') ? undefined : 'jsonl', name);
  const mode = TabularFormat.safeParse(format).success ? 'raw' : 'adapt';
  return { name, format, mode, mapping: null, deferred: false };
}

/** A dataset as a file. */
export function toFile(dataset: DatasetRecord): FileObject {
  const { state, row_count: rows, error_data: error } = dataset;
  const isUnreadable = state === 'failed' && rows === null;
  // What takes a file refuses one whose reading goes on, also where its rows are counted already.
  const isRead = rows !== null && state !== 'ingesting';
  return {
    id: fileIdOf(dataset.dataset_id),
    object: 'file',
    bytes: dataset.file_bytes ?? 0,
    created_at: unixSeconds(dataset.created_at),
    filename: dataset.name,
    purpose: shown(dataset.file_purpose ?? 'user_data'),
    status: isUnreadable ? 'error' : isRead ? 'processed' : 'uploaded',
    status_details: isUnreadable ? (error?.message ?? null) : null,
  };
}

const shown = (purpose: FilePurpose): FileObject['purpose'] => (purpose === 'evals' ? 'user_data' : purpose);
