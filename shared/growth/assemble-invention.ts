import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { describeReasons, missingRowsWarning } from '#shared/runs/decide/missing-rows.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import { asServiceError } from '#shared/runs/decide/stop-reasons.ts';
import { describeShortfall, targetWarnings } from '#shared/runs/decide/target-counts.ts';
import { type CopiedRows, deliverRows } from '#shared/runs/deliver-rows.ts';
import type { TargetCount } from '#shared/runs/schema/expansion.ts';
import type { RowCounts } from '#shared/runs/schema/row-counts.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { type AssembleGrowthPorts, madeRows, newBook } from './assemble-growth.ts';
import { ExpandRunRequest, targetsOf } from './decide/expand-request.ts';
import { InventRunRequest } from './decide/invent/invent-request.ts';
import { InventedRows, inventedMapping } from './plan-round.ts';

/**
 * Writes the invented rows, and their versions in other languages, into the dataset. A stopped run, or one without
 * further candidates, delivers what it has. Idempotent.
 * @throws {ServiceError} why the run was stopped; `run_interrupted` if rows are missing because nothing was made of their
 * candidates, `run_timed_out` if a day was over before any was written; `too_many_rows_failed` if none was accepted
 */
export async function assembleInvention(
  ports: AssembleGrowthPorts,
  context: RunContext,
  now: number,
): Promise<{ rows: RowCounts }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), InventRunRequest);
  const {
    taken,
    report,
    repeated_tokens: repeated,
    interrupted_rows: interrupted,
    reasons,
  } = await readJson(objects, objectKeys.invention(runId), InventedRows);
  const run = await ports.runs.find(datasetId, runId);
  if (run === null) throw new ServiceError('run_interrupted', 'The dataset of the run is gone.');

  const { made, missing, unbilled } = await makeLanguages(
    ports,
    runId,
    datasetId,
    taken,
    report,
    run.started_at,
  );
  for (const stage of report.stages) stage.ended_at = new Date(now).toISOString();
  // Of a run that was stopped before they were planned, or has too few rows for any.
  const lacksLanguages = report.targets === undefined && request.expansion !== null;
  const { accepted = 0, candidates = 0, requested = 0, is_late: isLate = false } = report.invention ?? {};
  const failure = failureOf(run, { accepted, candidates, requested, interrupted, missing, lacksLanguages });
  report.is_whole = failure === null;
  await objects.write(objectKeys.report(runId), JSON.stringify(report), 'application/json');

  if (accepted > 0) {
    const isShort = accepted < requested && run.stop_reason === undefined;
    const day = isLate ? ' After a day no more are written.' : '';
    const shortfall = lacksLanguages ? 'none in other languages' : describeShortfall(report.targets ?? []);
    const inLanguages = shortfall === null ? '' : `, and ${shortfall}`;
    const description = isShort
      ? `${accepted} of ${requested} rows${inLanguages}: ${candidates} candidates were written, and the others were not accepted.${day}`
      : `${accepted} rows${inLanguages}.`;
    await deliverRows(
      ports,
      context,
      {
        columns: taken.columns,
        mapping: inventedMapping(request),
        kept: taken.chunks,
        keptRows: taken.row_count,
        made,
        ...(isShort || shortfall !== null ? { description } : {}),
        warnings: [
          ...missingRowsWarning(
            accepted,
            requested,
            `${candidates} candidates were written.`,
            describeReasons('those that were not accepted', reasons),
            day.trim(),
          ),
          ...targetWarnings(report.targets ?? (failure === null ? unplannedTargets(request) : [])),
        ],
      },
      now,
    );
  }
  await ports.unbilled.add(context.team_id, repeated + unbilled, now);
  if (failure !== null) throw failure;
  return { rows: report.rows };
}

/** The targets of an invention that has too few rows for any of them. */
const unplannedTargets = ({ expansion }: Pick<InventRunRequest, 'expansion'>): TargetCount[] =>
  (expansion?.targets ?? []).map((target) => ({ ...target, planned: 0, made: 0 }));

/** Why an invention fails that has these rows; null if it succeeds. */
function failureOf(
  run: Pick<RunRecord, 'stop_reason'>,
  {
    accepted,
    candidates,
    requested,
    interrupted,
    missing,
    lacksLanguages,
  }: Record<'accepted' | 'candidates' | 'requested' | 'interrupted' | 'missing', number> & {
    readonly lacksLanguages: boolean;
  },
): ServiceError | null {
  const isWhole = accepted >= requested && missing === 0 && !lacksLanguages;
  if (run.stop_reason !== undefined && !isWhole) return asServiceError(run.stop_reason);
  if (interrupted > 0) {
    return new ServiceError(
      'run_interrupted',
      `${interrupted} of ${requested} rows are missing, since the work on their candidates broke off. Send the request again.`,
    );
  }
  if (candidates === 0) {
    return new ServiceError('run_timed_out', 'The day of the run was over before a candidate was written.');
  }
  if (accepted === 0) {
    return new ServiceError(
      'too_many_rows_failed',
      `None of ${candidates} candidates was accepted. See the report.`,
    );
  }
  if (missing > 0) {
    return new ServiceError(
      'run_interrupted',
      `${missing} rows in other languages were not processed. Start the run again.`,
    );
  }
  return null;
}

/** Rows in other languages, if planned; counts them in the report. */
async function makeLanguages(
  { objects, writeRows }: AssembleGrowthPorts,
  runId: string,
  datasetId: string,
  taken: CopiedRows,
  report: StoredReport,
  startedAt: string,
): Promise<{ made: Pick<CopiedRows, 'row_count' | 'chunks'>; missing: number; unbilled: number }> {
  const none = { made: { row_count: 0, chunks: [] }, missing: 0, unbilled: 0 };
  const planKey = objectKeys.expansionPlan(runId);
  const body = await objects.read(planKey);
  if (body === null || body.length === 0) return none;
  const request = await readJson(objects, objectKeys.expansionRequest(runId), ExpandRunRequest);
  const book = newBook(targetsOf(request));
  const chunkKey = (n: number): string => objectKeys.rows(datasetId, taken.chunks.length + n);
  const made = await writeRows({
    rows: madeRows(objects, planKey, runId, request, taken, book),
    columns: taken.columns.map(({ name, type }) => ({ name, type })),
    chunkKey,
    writeChunk: (n, block) => objects.write(chunkKey(n), block, 'application/jsonl'),
  });
  report.targets = book.targets.counts();
  report.rows.expanded = book.made;
  report.rows.expansion_failed = book.failed;
  report.tokens.input += book.input;
  report.tokens.output += book.output;
  report.tokens.calls += book.calls;
  report.call_seconds += book.seconds;
  report.reported_rows.push(...book.reportedRows);
  report.stages.push({
    name: 'expand',
    rows_in: book.made + book.failed,
    rows_out: book.made,
    started_at: startedAt,
    ended_at: null,
  });
  return { made, missing: book.missing, unbilled: book.unbilled };
}
