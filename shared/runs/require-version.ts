import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import {
  type VersionRecord,
  type VersionRepository,
  versionNotFound,
} from '#shared/datasets/decide/versions.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import { isAppend, makesRows } from './decide/run-kinds.ts';

export interface RequireVersionPorts {
  readonly versions: Pick<VersionRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
}

/** A version, and the run that its rows are read by; null for rows that a run made with the dataset. */
export interface FoundVersion {
  readonly version: VersionRecord;
  readonly run: RunRecord | null;
}

/**
 * Finds a version of a dataset.
 * @throws {ServiceError} `version_not_found` if there is none with this number, or it was deleted
 */
export async function requireVersion(
  { versions, runs }: RequireVersionPorts,
  { dataset_id }: Pick<DatasetRecord, 'dataset_id'>,
  number: number,
): Promise<FoundVersion> {
  const version = await versions.find(dataset_id, number);
  if (version === null || version.deleted_at !== undefined) throw versionNotFound(number);
  const run = await runs.find(dataset_id, version.run_id);
  if (run === null) throw versionNotFound(number);
  return { version, run: !makesRows(run) || isAppend(run) ? run : null };
}
