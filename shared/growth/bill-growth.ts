import { priceRows } from '#shared/access/decide/prices.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import { kindOf } from '#shared/runs/decide/run-kinds.ts';
import type { RowCounts } from '#shared/runs/schema/row-counts.ts';

export interface BillGrowthPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read'>;
}

/**
 * Counts and bills the new rows of a run that creates a dataset, not those copied from the source. Rows are delivered
 * once the dataset's record names them, which is the last step of such a run. A run that reserved less, because a
 * training pays for its rows, is billed at most that. One that had nothing to fail of then is whole: it has succeeded whatever ends it.
 */
export async function billGrowth(
  { datasets, objects }: BillGrowthPorts,
  run: Pick<RunRecord, 'dataset_id' | 'run_id' | 'pipeline' | 'reserved_credits'>,
): Promise<{ billedCredits: number; counts: RowCounts | null; isWhole?: boolean }> {
  const dataset = await datasets.find(run.dataset_id);
  const { addedRowPrice: price } = kindOf(run);
  if (price === null || dataset === null || dataset.manifest_key === null)
    return { billedCredits: 0, counts: null };
  const { rows, is_whole: isWhole } = await readJson(objects, objectKeys.report(run.run_id), StoredReport);
  return {
    billedCredits: Math.min(run.reserved_credits, priceRows(rows.changed + rows.expanded, price)),
    counts: rows,
    ...(isWhole === true ? { isWhole } : {}),
  };
}
