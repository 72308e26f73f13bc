import { type CombineSource, combineSource } from '../domain/combine/source.ts';
import type { DatasetRecord } from '../domain/datasets/record.ts';
import { RunRequestObject } from '../domain/runs/run-request.ts';
import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import type { RowsColumn } from '../schema/rows-manifest.ts';
import { readJson } from './json-objects.ts';

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
