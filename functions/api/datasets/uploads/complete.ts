import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { completeUpload } from '#shared/ingest/complete-upload.ts';
import { completeUpload as contract } from '#shared/ingest/contracts.ts';
import { newDataset } from '#shared/ingest/decide/new-dataset.ts';
import { fileFormat } from '#shared/ingest/decide/source.ts';
import { appendedName, readUploadKey, uploadMissing } from '#shared/ingest/decide/upload.ts';
import type { CompleteUploadRequest } from '#shared/ingest/schema/uploads.ts';
import { uploadCompletion } from '#shared/ingest/wire.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { serve } from '#shared/platform/runtime/serve.ts';

/** The dataset's id derives from the key, so that a repeated call finds the dataset of the first one. */
export const handler = serve(contract, uploadCompletion(), async ({ caller, body, now }, ports) => {
  const { key, datasetId } = readUploadKey(body.s3_key, caller.team_id);
  const format = fileFormat('file_format', body.file_format, body.name);
  const known = await ports.datasets.find(datasetId);
  if (known !== null && known.team_id !== caller.team_id) throw uploadMissing('s3_key');

  if (appendedName(key) !== null && known?.s3_key !== key) {
    throw invalidField(
      's3_key',
      `is of a file to append: send it to POST /api/v1/datasets/${datasetId}/rows, which adds its rows`,
    );
  }

  const deferred = body.defer_adaption ?? false;
  if (known?.state === 'awaiting_upload') requireAsCreated(known, { format, deferred: body.defer_adaption });
  const reading = {
    unreadableShareMax: body.max_unreadable_share,
    redactsPersonalData: body.redact_personal_data,
  };
  const mode = 'adapt' as const;
  const source = { name: body.name, format, mode, mapping: null, deferred, ...reading };
  return completeUpload(ports, {
    caller,
    dataset: known ?? newDataset(caller, source, datasetId, now, key),
    isNew: known === null,
    fileSizeBytes: body.file_size_bytes,
    sha256: body.sha256 ?? null,
    ...(known === null ? {} : { changes: saidAnew(body) }),
    now,
  });
});

/** The name, and how the file is read: the completion has the last word on both. */
const saidAnew = ({ name, max_unreadable_share, redact_personal_data }: CompleteUploadRequest) => ({
  name,
  ...(max_unreadable_share === undefined ? {} : { max_unreadable_share }),
  ...(redact_personal_data === undefined ? {} : { redact_personal_data }),
});

/** @throws {ServiceError} `invalid_request` if the request contradicts the dataset that its key belongs to */
function requireAsCreated(
  { dataset_id, file_format, defer_adaption }: DatasetRecord,
  { format, deferred }: { readonly format: string; readonly deferred: boolean | undefined },
): void {
  const complete = `POST /api/v1/datasets/${dataset_id}/upload/complete completes it as it was created`;
  if (format !== file_format) {
    throw invalidField(
      'file_format',
      `is ${format}, and the dataset was created for ${file_format}: ${complete}`,
    );
  }
  if (deferred !== undefined && deferred !== defer_adaption) {
    const created = defer_adaption ? 'with' : 'without';
    throw invalidField(
      'defer_adaption',
      `is ${deferred}, and the dataset was created ${created} it: ${complete}`,
    );
  }
}
