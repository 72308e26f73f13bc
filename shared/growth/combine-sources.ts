import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import { type CombineSource, combineSource } from './decide/combine/source.ts';

/** Reads a dataset's contribution to a merge: its rows after `runId`, or if that is null the uploaded rows. */
export async function readCombineSource(
  objects: Pick<ObjectStore, 'read'>,
  dataset: DatasetRecord,
  columns: readonly RowsColumn[],
  runId: string | null,
): Promise<CombineSource> {
  if (runId === null) return combineSource(dataset, columns, null);
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  return combineSource(dataset, columns, specification);
}
