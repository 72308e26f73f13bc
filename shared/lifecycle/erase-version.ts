import * as z from 'zod';
import type { VersionRepository } from '#shared/datasets/decide/versions.ts';
import { findJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { removePrefixes } from './remove-prefixes.ts';

export interface EraseVersionPorts {
  readonly versions: Pick<VersionRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'list' | 'remove'>;
}

/** What the manifest of a search index says of its rows. */
const IndexedRows = z.object({ rows_of: z.string(), build_id: z.string() });

/**
 * Deletes every object of a deleted version: the results and the report of its run, exports, the row index, comparisons
 * with other versions, and a search index of its rows. The record of the run stays, as do recorded model calls, which
 * belong to the dataset, and trainings, which have their own copy of the rows. Safe to repeat.
 */
export async function eraseVersion(
  { versions, objects }: EraseVersionPorts,
  { dataset_id: datasetId, version: number }: { readonly dataset_id: string; readonly version: number },
): Promise<{ objects: number }> {
  const version = await versions.find(datasetId, number);
  if (version?.deleted_at === undefined) return { objects: 0 };
  const { run_id: runId } = version;
  const indexed = await findJson(objects, objectKeys.indexManifest(datasetId), IndexedRows);
  const prefixes = [
    objectKeys.run(runId),
    objectKeys.exportsOf(datasetId, runId),
    ...(await listDiffs(objects, datasetId, number)),
    ...(indexed?.rows_of === runId
      ? [objectKeys.indexManifest(datasetId), objectKeys.indexBuild(datasetId, indexed.build_id)]
      : []),
  ];
  return { objects: await removePrefixes(objects, prefixes) };
}

/** The prefixes of the comparisons of a version with others. */
async function listDiffs(
  objects: Pick<ObjectStore, 'list'>,
  datasetId: string,
  version: number,
): Promise<string[]> {
  const below = objectKeys.diffs(datasetId);
  const prefixes = new Set<string>();
  for await (const key of objects.list(below)) {
    const [from, to] = (key.slice(below.length).split('/')[0] ?? '').split('-').map(Number);
    if (from === version || to === version)
      prefixes.add(objectKeys.diff(datasetId, Number(from), Number(to)));
  }
  return [...prefixes];
}
