import { adaptedRunId, type DatasetRecord } from '#shared/datasets/decide/record.ts';
import { openCursor, sealCursor } from '#shared/platform/cursor.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunRecord } from './decide/record.ts';
import { ReportPosition, StoredReport, showInvention } from './decide/report.ts';
import type { RunRepository } from './decide/repository.ts';
import type { RunReport } from './schema/report.ts';
import { ReportRow } from './schema/report-row.ts';

export interface ReadReportPorts {
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'head' | 'read'>;
}

const ROWS_DEFAULT = 100;

/**
 * Reads the report of a dataset's active or latest run: counts, and a page of reported rows. If the version of the latest
 * run was deleted, it is that of the run whose rows the dataset delivers.
 * @throws {ServiceError} `no_data_yet` if there was no run, `cursor_invalid`
 */
export async function readReport(
  ports: ReadReportPorts,
  dataset: DatasetRecord,
  page: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
  signingKey: string,
): Promise<RunReport> {
  const run = await findReported(ports, dataset);
  if (run === null) {
    throw new ServiceError('no_data_yet', 'No run was started on the dataset, so there is no report.');
  }
  const { run_id: runId } = run;
  const boundTo = `report ${dataset.team_id} ${runId}`;
  const start =
    page.cursor === undefined
      ? { batch: 0, line: 0 }
      : ReportPosition.parse(JSON.parse(openCursor(page.cursor, boundTo, signingKey)));

  const hasCounts = (await ports.objects.head(objectKeys.report(runId))) !== null;
  const report = hasCounts ? await readJson(ports.objects, objectKeys.report(runId), StoredReport) : null;
  const { rows, next } =
    report === null
      ? { rows: [], next: null }
      : await readPage(ports.objects, runId, report.reported_rows, start, page.limit ?? ROWS_DEFAULT);

  return {
    dataset_id: dataset.dataset_id,
    run_id: runId,
    status: run.status,
    started_at: run.started_at,
    ended_at: run.ended_at,
    error_data: run.error_data,
    warnings: [
      ...(dataset.warnings ?? []),
      ...(runId === dataset.result?.run_id ? (dataset.result.warnings ?? []) : []),
    ],
    rows: report?.rows ?? null,
    ...(report?.reused === undefined ? {} : { reused_rows: report.reused }),
    stages: report?.stages ?? [],
    tokens: report?.tokens ?? null,
    ...(report?.batched === undefined ? {} : { batched: report.batched }),
    edits: report?.edits ?? [],
    safety_scorers: report?.safety_scorers ?? {},
    ...(report?.doubts === undefined ? {} : { doubts: report.doubts }),
    not_believed: report?.not_believed ?? [],
    ...(report?.targets === undefined ? {} : { targets: report.targets }),
    invention: report?.invention ? showInvention(report.invention) : null,
    credits: { reserved: run.reserved_credits, settled: run.settled_credits },
    models: run.models,
    left_out: run.left_out ?? {},
    prompt_versions: run.prompt_versions,
    reported_rows: rows,
    next_cursor: next === null ? null : sealCursor(JSON.stringify(next), boundTo, signingKey),
  };
}

async function findReported(
  { runs }: Pick<ReadReportPorts, 'runs'>,
  dataset: DatasetRecord,
): Promise<RunRecord | null> {
  const find = async (runId: string | null | undefined): Promise<RunRecord | null> =>
    typeof runId === 'string' ? runs.find(dataset.dataset_id, runId) : null;
  if (dataset.state === 'running') return find(dataset.run_id);
  const latest = await find(dataset.last_run_id ?? dataset.made_by_run_id);
  if (latest?.results_deleted_at === undefined) return latest;
  return find(adaptedRunId(dataset) ?? dataset.made_by_run_id);
}

async function readPage(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  reportedRows: readonly number[],
  start: ReportPosition,
  limit: number,
): Promise<{ rows: ReportRow[]; next: ReportPosition | null }> {
  const rows: ReportRow[] = [];
  let { line } = start;
  for (let batch = start.batch; batch < reportedRows.length; batch += 1) {
    if (reportedRows[batch] === 0) continue;
    const lines = await readLines(objects, objectKeys.reportRows(runId, batch));
    for (; line < lines.length; line += 1) {
      if (rows.length === limit) return { rows, next: { batch, line } };
      rows.push(ReportRow.parse(JSON.parse(lines[line] ?? '')));
    }
    line = 0;
  }
  return { rows, next: null };
}
