import { priceProcessed, rowPriceOf } from '#shared/adaptation/decide/quote.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { deliveredCount } from '#shared/runs/decide/outcomes.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import { targetWarnings } from '#shared/runs/decide/target-counts.ts';

/**
 * Prices the results of a run in credits: changed, kept and added rows are billed; failed and dropped ones, reused ones,
 * those of a pilot among them, and those that lack a pair which was asked for are not. In a run with batch jobs every changed
 * and kept row costs half, also one whose calls had to be made singly: the caller cannot help that.
 */
export function priceDelivered(
  { specification, processing, reuse }: Pick<RunRequestObject, 'specification' | 'processing' | 'reuse'>,
  { rows, reused = 0, unpaired = { rows: 0, added: 0 } }: Pick<StoredReport, 'rows' | 'reused' | 'unpaired'>,
): number {
  // No reused row, though a pilot has delivered some: the run was planned before releases marked those, and may count them as unpaired.
  const billedBefore = reused === 0 ? (reuse?.rows ?? 0) : reused;
  const billed = {
    rows: Math.max(0, deliveredCount(rows) - billedBefore - unpaired.rows),
    added: rows.expanded - unpaired.added,
  };
  return priceProcessed(billed, rowPriceOf(specification), processing);
}

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
