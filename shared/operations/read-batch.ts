import type { DatasetRecord } from '../domain/datasets/record.ts';
import type { RowsManifest } from '../schema/rows-manifest.ts';
import { Batch } from '../schema/uploads.ts';
import { rawKeyOf } from './complete-batch.ts';
import { readJson } from './json-objects.ts';
import { keepUpload } from './keep-upload.ts';
import { type ReadFilesPorts, readFiles, streamObject } from './read-files.ts';

/**
 * The files of a batch as one dataset, in their order. They are moved out of the quarantine first.
 * @throws {ServiceError} `upload_missing`, `schema_mismatch`, or what is wrong with a file; each names the file
 */
export async function readBatch(
  ports: ReadFilesPorts,
  { dataset_id: datasetId }: Pick<DatasetRecord, 'dataset_id'>,
  batchKey: string,
): Promise<RowsManifest> {
  const batch = await readJson(ports.objects, batchKey, Batch);
  const keys = batch.map(({ upload_key }) => rawKeyOf(datasetId, upload_key));
  for (const [index, { upload_key }] of batch.entries()) {
    await keepUpload(ports.objects, upload_key, keys[index] as string);
  }
  return readFiles(
    ports,
    datasetId,
    batch.map(({ name, format }, index) => ({
      name,
      format,
      open: () => streamObject(ports.objects, keys[index] as string),
    })),
  );
}
