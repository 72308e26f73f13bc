import type { Hold, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { VersionRecord } from '#shared/datasets/decide/versions.ts';
import type { RunRecord } from '../record.ts';
import { growsDataset, kindOf, makesRows } from '../run-kinds.ts';
import type { Ending } from './repository.ts';

/**
 * The run as `ending` leaves it.
 * @throws RangeError if more is billed than was reserved
 */
export function endedRun(run: RunRecord, ending: Ending): RunRecord {
  const { billedCredits } = ending;
  if (!Number.isInteger(billedCredits) || billedCredits < 0 || billedCredits > run.reserved_credits) {
    throw new RangeError(
      `a run that reserved ${run.reserved_credits} credits cannot settle ${billedCredits}`,
    );
  }
  return {
    ...run,
    status: ending.status,
    settled_credits: billedCredits,
    counts: ending.counts,
    error_data: ending.errorData,
    ended_at: ending.endedAt,
  };
}

/** The fields that the end of `run` sets on its dataset. */
export function endedDataset(
  dataset: Pick<
    DatasetRecord,
    'processing_mode' | 'last_run_id' | 'configured_column_mapping' | 'result' | 'manifest_key'
  >,
  run: RunRecord,
  ending: Ending,
): Partial<DatasetRecord> {
  const { dataset_before: before } = run;
  if (ending.isUnstarted === true && before !== undefined && !makesRows(run)) {
    return { ...before, run_id: null, updated_at: ending.endedAt };
  }
  const succeeded =
    kindOf(run).reads === 'files' && dataset.processing_mode === 'adapt' ? 'awaiting_input' : 'succeeded';
  const state = ending.status === 'failed' ? 'failed' : succeeded;
  return {
    ...(makesRows(run) ? ending.changes : adaptedFields(dataset, ending)),
    state,
    run_id: null,
    // A run that generates rows has no download of its own: the rows are the dataset's own. A failed run that delivers nothing
    // leaves the finished rows of the one before.
    last_run_id:
      makesRows(run) || (ending.status === 'failed' && !kindOf(run).deliversPart)
        ? dataset.last_run_id
        : run.run_id,
    ...(growsDataset(run) ? { made_by_run_id: run.run_id } : {}),
    ...(state === 'succeeded' || deliversGrown(dataset, run)
      ? {
          result: {
            run_id: makesRows(run) ? null : run.run_id,
            ...(run.version === undefined ? {} : { version: run.version }),
            configured_column_mapping: dataset.configured_column_mapping,
            ...(ending.warnings === undefined ? {} : { warnings: [...ending.warnings] }),
          },
        }
      : {}),
    error_data: ending.errorData,
    updated_at: ending.endedAt,
  };
}

/**
 * Whether a run leaves rows in the dataset that it was to make, also where it failed: they are billed, and can be trained on and
 * grown from as those of a run that succeeded.
 */
const deliversGrown = ({ manifest_key }: Pick<DatasetRecord, 'manifest_key'>, run: RunRecord): boolean =>
  growsDataset(run) && manifest_key !== null;

/** The first version of a dataset, which a run that makes its rows leaves; null for others, and where it left none. */
export function endedVersion(
  dataset: Pick<DatasetRecord, 'manifest_key' | 'row_count' | 'configured_column_mapping'>,
  run: RunRecord,
  ending: Ending,
): VersionRecord | null {
  const manifestKey = ending.changes.manifest_key ?? dataset.manifest_key;
  if (!makesRows(run) || manifestKey === null) return null;
  if (ending.status === 'failed' && !deliversGrown(dataset, run)) return null;
  return {
    dataset_id: run.dataset_id,
    version: 1,
    made_by: run.pipeline,
    parent_version: null,
    run_id: run.run_id,
    manifest_key: manifestKey,
    row_count: ending.changes.row_count ?? dataset.row_count ?? 0,
    configured_column_mapping: dataset.configured_column_mapping,
    created_by_user_id: run.user_id,
    created_at: ending.endedAt,
  };
}

/** The dataset fields after an adaptation. A failed one keeps an earlier success. */
function adaptedFields({ result }: Pick<DatasetRecord, 'result'>, ending: Ending): Partial<DatasetRecord> {
  if (ending.status === 'failed' && result !== undefined) {
    return { configured_column_mapping: result.configured_column_mapping };
  }
  return { evaluation_summary: null, ...ending.changes, output_row_count: outputRowCount(ending) };
}

/** Rows in the download of a successful run; a failed one delivers its finished rows, uncounted. */
function outputRowCount({ status, counts }: Ending): number | null {
  return status === 'failed' || counts === null ? null : counts.total - counts.dropped + counts.expanded;
}

/** The hold as `ending` leaves it. */
export function endedHold(hold: Hold, ending: Ending): Hold {
  return {
    ...hold,
    state: ending.billedCredits > 0 ? 'settled' : 'released',
    settled_credits: ending.billedCredits,
    ended_at: ending.endedAt,
  };
}

/** The ledger entries of the billed and the returned credits, if not zero. */
export function endingEntries(
  run: RunRecord,
  ending: Ending,
): { settle?: LedgerEntry; release?: LedgerEntry } {
  if (!kindOf(run).countsAgainstPlan) return {};
  const entry = (type: 'settle' | 'release', credits: number): LedgerEntry => ({
    entry_id: `${run.run_id}-${type}`,
    team_id: run.team_id,
    type,
    credits,
    run_id: run.run_id,
    dataset_id: run.dataset_id,
    block: null,
    reason: ending.errorData?.code ?? null,
    created_at: ending.endedAt,
  });
  const released = run.reserved_credits - ending.billedCredits;
  return {
    ...(ending.billedCredits > 0 ? { settle: entry('settle', ending.billedCredits) } : {}),
    ...(released > 0 ? { release: entry('release', released) } : {}),
  };
}
