import * as z from 'zod';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { DatasetRecord } from './record.ts';

/**
 * A version of a dataset as stored. Nothing of it changes but its deletion: what its run is doing is in the record of
 * the run. The first version has the rows of the upload; each append, adaptation and review makes another.
 */
export const VersionRecord = z.object({
  dataset_id: z.uuid(),
  version: z.int().min(1),
  /** What made it: a pipeline. */
  made_by: z.string(),
  /** The version whose rows it was made of; null for the first. */
  parent_version: z.int().min(1).nullable(),
  run_id: z.string(),
  /** Object with the manifest of its source rows, and their number. */
  manifest_key: z.string(),
  row_count: z.int().min(0),
  configured_column_mapping: ConfiguredColumnMapping.nullable(),
  created_by_user_id: z.uuid(),
  created_at: z.iso.datetime(),
  /** When it was deleted; the record stays, so that no other version gets its number. */
  deleted_at: z.iso.datetime().optional(),
});
export type VersionRecord = z.infer<typeof VersionRecord>;

/** Why a version cannot be deleted; null if it was. */
export type RefusedDeletion = 'missing' | 'active' | 'current' | 'trained';

/** Stores the versions of a dataset, which are written with the runs that make them. */
export interface VersionRepository {
  find(datasetId: string, version: number): Promise<VersionRecord | null>;
  /** The versions below `before`, newest first; all if it is null. `next` is the `before` of the next page. */
  list(
    datasetId: string,
    page: { readonly before: number | null; readonly limit: number },
  ): Promise<{ versions: VersionRecord[]; next: number | null }>;
  /**
   * Marks a version that an adaptation made, and its run, as deleted. Refuses it while its run is active, while reads
   * without a version mean it, and while a training reads it: one that is launched meanwhile is refused, or refuses.
   */
  delete(version: VersionRecord, now: number): Promise<RefusedDeletion | null>;
}

/** The number of the latest version of a dataset with rows. */
export function latestVersion({ latest_version: latest = 1 }: Pick<DatasetRecord, 'latest_version'>): number {
  return latest;
}

/** The version whose rows the next run of a dataset reads. */
export function rowsVersion({ rows_version: version = 1 }: Pick<DatasetRecord, 'rows_version'>): number {
  return version;
}

/**
 * The version that reads without a version mean, if no failed adaptation left finished rows: the latest adaptation that
 * succeeded, else the latest rows. While none has succeeded, reads mean the finished rows of a failed one
 * (`deliveredRunId`). Raw and grown datasets succeed with their rows.
 */
export function currentVersion(dataset: Pick<DatasetRecord, 'result' | 'rows_version'>): number {
  return dataset.result === undefined ? rowsVersion(dataset) : (dataset.result.version ?? 1);
}

/** The error for a version that is missing or deleted. */
export function versionNotFound(version: number): ServiceError {
  return new ServiceError(
    'version_not_found',
    `The dataset has no version ${version}, or it was deleted. GET /api/v1/datasets/{dataset_id}/versions lists the versions.`,
  );
}
