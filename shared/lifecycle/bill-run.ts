import { priceDelivered } from '#shared/adaptation/decide/price-rows.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import { targetWarnings } from '#shared/runs/decide/target-counts.ts';

/**
 * Prices the counted results of a run, at most the reserved credits: rows that a quote expected to be reused, and that
 * were asked about again, are the service's. Later quotes for the dataset then expect none. The warnings are of what it did not make.
 */
export async function billReport(
  ports: { readonly objects: Pick<ObjectStore, 'read'> },
  { run_id: runId, reserved_credits: reserved }: Pick<RunRecord, 'run_id' | 'reserved_credits'>,
  report: StoredReport,
): Promise<{
  billedCredits: number;
  counts: StoredReport['rows'];
  warnings: ReturnType<typeof targetWarnings>;
}> {
  const request = await readJson(ports.objects, objectKeys.runRequest(runId), RunRequestObject);
  return {
    billedCredits: Math.min(reserved, priceDelivered(request, report)),
    counts: report.rows,
    warnings: targetWarnings(report.targets ?? []),
  };
}
