import { assembleResults } from '#shared/adaptation/assemble-results.ts';
import { RunRequestObject } from '#shared/adaptation/decide/run-request.ts';
import { countDoubts } from '#shared/adaptation/read-doubts.ts';
import { recordCoverage } from '#shared/adaptation/reuse-coverage.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { asServiceError, FAILED_SHARE_MAX, tooManyRowsFailed } from '#shared/runs/decide/stop-reasons.ts';
import { NotBelieved } from '#shared/runs/schema/report.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { priceDelivered } from './bill-run.ts';

export interface AssembleRunPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>;
}

/**
 * Counts the results of a run and writes its report.
 * @throws {ServiceError} `too_many_rows_failed`, also where all rows were dropped, or the reason why the run was stopped if a row has no result
 */
export async function assembleRun(
  ports: AssembleRunPorts,
  context: RunContext,
  options: { readonly mustBeComplete: boolean; readonly now: number },
): Promise<StoredReport> {
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
    stages: [
      {
        name: 'adapt',
        rows_in: selected,
        rows_out: counts.changed + counts.kept + counts.failed,
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
  if (!options.mustBeComplete) return report;
  if (missingRows > 0) {
    if (run.stop_reason !== undefined) throw asServiceError(run.stop_reason);
    throw new ServiceError(
      'run_interrupted',
      `${missingRows} of ${selected + plannedRows} rows were not processed. Start the run again.`,
    );
  }
  if (selected > 0 && counts.dropped === selected) {
    throw new ServiceError(
      'too_many_rows_failed',
      `All of ${selected} rows were dropped, so nothing is delivered, and nothing is billed. The report says why for each of them.`,
    );
  }
  // Source rows that failed have none in other languages, so they are looked at alone too.
  const shares = [
    [counts.failed, selected],
    [counts.failed + counts.expansion_failed, selected + plannedRows],
  ] as const;
  for (const [failed, of] of shares) {
    if (failed > of * FAILED_SHARE_MAX) throw asServiceError(tooManyRowsFailed(failed, of));
  }
  return report;
}
