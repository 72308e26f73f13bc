import { assembleResults, type RunTotals } from '#shared/adaptation/assemble-results.ts';
import { priceDelivered } from '#shared/adaptation/decide/price-rows.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { countDoubts } from '#shared/adaptation/read-doubts.ts';
import { recordCoverage } from '#shared/adaptation/reuse-coverage.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { deliveredCount } from '#shared/runs/decide/outcomes.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { asServiceError, FAILED_SHARE_MAX, tooManyRowsFailed } from '#shared/runs/decide/stop-reasons.ts';
import { NotBelieved } from '#shared/runs/schema/report.ts';
import type { RowCounts } from '#shared/runs/schema/row-counts.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';

export interface AssembleRunPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>;
}

/**
 * Counts the results of a run whose rows are all done, and writes its report.
 * @throws {ServiceError} what `assembleFinished` says
 */
export async function assembleRun(
  ports: AssembleRunPorts,
  context: RunContext,
  options: { readonly now: number },
): Promise<StoredReport> {
  const { report, refusal } = await assembleFinished(ports, context, options);
  if (refusal !== null) throw refusal;
  return report;
}

/**
 * Counts the results of a run as far as it came, and writes its report.
 * @returns with the report why the run has not succeeded: `too_many_rows_failed`, also where all rows were dropped, or if a row has
 * no result the reason why the run was stopped; null if it has
 */
export async function assembleFinished(
  ports: AssembleRunPorts,
  context: RunContext,
  options: { readonly now: number },
): Promise<{ readonly report: StoredReport; readonly refusal: ServiceError | null }> {
  const { dataset_id: datasetId, run_id: runId } = context;
  const [dataset, run] = await Promise.all([
    ports.datasets.find(datasetId),
    ports.runs.find(datasetId, runId),
  ]);
  if (dataset?.row_count === null || dataset === null || run === null) {
    throw new ServiceError('run_interrupted', 'The dataset of the run is gone.');
  }
  const request = await readJson(ports.objects, objectKeys.runRequest(runId), RunRequestObject);
  const {
    counts,
    tokens,
    batched,
    edits,
    safetyScorers,
    pairs,
    reportedRows,
    missingRows,
    plannedRows,
    targets,
    isExpansionPlanned,
    reused,
    unpaired,
    delivered,
    doubted,
    doubtful,
  } = await assembleResults(ports.objects, run, request, dataset.row_count);
  const selected = counts.total - counts.not_selected;
  const doubts = await countDoubts(ports.objects, runId, request, { selected, doubted, doubtful });
  const notBelieved = await findJson(ports.objects, objectKeys.notBelieved(runId), NotBelieved.array());
  const report: StoredReport = {
    rows: counts,
    tokens: { input: tokens.input, output: tokens.output, calls: tokens.calls },
    ...(request.processing === 'batch' ? { batched } : {}),
    call_seconds: tokens.seconds,
    edits: [...edits],
    safety_scorers: { ...safetyScorers },
    pairs,
    reused,
    ...(unpaired.rows + unpaired.added === 0 ? {} : { unpaired }),
    ...(doubts === undefined ? {} : { doubts }),
    ...(notBelieved === null ? {} : { not_believed: notBelieved }),
    reported_rows: [...reportedRows],
    ...(targets.length === 0 ? {} : { targets: [...targets] }),
    stages: [
      {
        name: 'adapt',
        rows_in: selected,
        rows_out: deliveredCount(counts) + counts.failed,
        started_at: run.started_at,
        ended_at: new Date(options.now).toISOString(),
      },
      ...(plannedRows === 0
        ? []
        : [
            {
              name: 'expand',
              rows_in: plannedRows,
              rows_out: counts.expanded,
              started_at: null,
              ended_at: new Date(options.now).toISOString(),
            },
          ]),
    ],
  };
  await ports.objects.write(objectKeys.report(runId), JSON.stringify(report), 'application/json');
  const isKept = priceDelivered(request, report) <= run.reserved_credits;
  await recordCoverage(ports.objects, run, request, { delivered, isKept });
  const refusal = refusalOf(run, counts, { missingRows, plannedRows, isExpansionPlanned });
  return { report, refusal };
}

function refusalOf(
  { stop_reason }: Pick<RunRecord, 'stop_reason'>,
  counts: RowCounts,
  {
    missingRows,
    plannedRows,
    isExpansionPlanned,
  }: Pick<RunTotals, 'missingRows' | 'plannedRows' | 'isExpansionPlanned'>,
): ServiceError | null {
  const selected = counts.total - counts.not_selected;
  if (missingRows > 0 || !isExpansionPlanned) {
    if (stop_reason !== undefined) return asServiceError(stop_reason);
    const missing =
      missingRows > 0 ? `${missingRows} of ${selected + plannedRows} rows` : 'Rows in other languages';
    return new ServiceError('run_interrupted', `${missing} were not processed. Start the run again.`);
  }
  if (selected > 0 && counts.dropped === selected) {
    return new ServiceError(
      'too_many_rows_failed',
      `All of ${selected} rows were dropped, so nothing is delivered, and nothing is billed. The report says why for each of them.`,
    );
  }
  // Source rows that failed have none in other languages, so they are looked at alone too.
  const shares = [
    [counts.failed, selected],
    [counts.failed + counts.expansion_failed, selected + plannedRows],
  ] as const;
  const over = shares.find(([failed, of]) => failed > of * FAILED_SHARE_MAX);
  return over === undefined ? null : asServiceError(tooManyRowsFailed(...over));
}
