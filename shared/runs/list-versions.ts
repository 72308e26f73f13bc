import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionRecord, VersionRepository } from '#shared/datasets/decide/versions.ts';
import type { Version, VersionsPage, VersionsQuery } from '#shared/datasets/schema/version.ts';
import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';
import { isResultVersion } from './decide/run-kinds.ts';

export interface ListVersionsPorts {
  readonly versions: VersionRepository;
  readonly runs: Pick<RunRepository, 'find'>;
}

const VERSIONS_DEFAULT = 20;

/** Lists the versions of a dataset with their lineage, newest first. */
export async function listVersions(
  { versions, runs }: ListVersionsPorts,
  dataset: DatasetRecord,
  { limit = VERSIONS_DEFAULT, before = null }: Omit<VersionsQuery, 'before'> & { before?: number | null },
): Promise<VersionsPage> {
  const page = await versions.list(dataset.dataset_id, { before, limit });
  const shown = await forEachAtOnce(page.versions, async (version) =>
    describeVersion(version, await runs.find(version.dataset_id, version.run_id), dataset),
  );
  return { versions: shown, next_before: page.next };
}

function describeVersion(
  version: VersionRecord,
  run: RunRecord | null,
  { processing_mode: mode }: Pick<DatasetRecord, 'processing_mode'>,
): Version {
  const { made_by, parent_version, run_id, row_count, configured_column_mapping, deleted_at } = version;
  // Rows are there with their version; those of an adaptation or a review are once its run has ended.
  const ofRows = mode === 'raw' ? 'succeeded' : 'awaiting_input';
  return {
    version: version.version,
    status:
      deleted_at !== undefined ? 'deleted' : isResultVersion(version) ? (run?.status ?? 'failed') : ofRows,
    made_by,
    parent_version,
    run_id,
    pilot_id: run?.pilot_id ?? null,
    row_count,
    models: run?.models ?? {},
    prompt_versions: run?.prompt_versions ?? {},
    configured_column_mapping,
    created_by_user_id: version.created_by_user_id,
    created_at: version.created_at,
    ended_at: run?.ended_at ?? null,
    deleted_at: deleted_at ?? null,
  };
}
