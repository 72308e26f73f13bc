import type { UnbilledAllowance } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { readJson, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import {
  countReason,
  describeReasons,
  missingRowsWarning,
  type ReasonCounts,
} from '#shared/runs/decide/missing-rows.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import {
  asServiceError,
  FAILED_SHARE_MAX,
  rowsMissing,
  tooManyRowsFailed,
} from '#shared/runs/decide/stop-reasons.ts';
import { describeShortfall, TargetTally, targetWarnings } from '#shared/runs/decide/target-counts.ts';
import { CopiedRows, type DeliverRowsPorts, deliverRows } from '#shared/runs/deliver-rows.ts';
import { readResults } from '#shared/runs/read-results.ts';
import { ExpansionSelection, type ExpansionTarget } from '#shared/runs/schema/expansion.ts';
import type { ReportRow } from '#shared/runs/schema/report-row.ts';
import type { RowCounts } from '#shared/runs/schema/row-counts.ts';
import { GrowPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { GrowResult, type RowReason } from '#shared/runs/schema/run-result.ts';
import { formatBytes } from '#shared/tabular/decide/file-error.ts';
import { ROW_BYTES_MAX } from '#shared/tabular/decide/limits.ts';
import { buildRawObject, splitRawArray, splitRawObject } from '#shared/tabular/decide/raw-object.ts';
import type { CombineRowsPorts } from './combine-rows.ts';
import { ExpandRunRequest, ORIGIN_COLUMNS, targetsOf } from './decide/expand-request.ts';
import { Fingerprints, REPEATED } from './decide/fingerprints.ts';
import { identityOf, madeIdentity } from './decide/row-identity.ts';

export interface AssembleGrowthPorts extends DeliverRowsPorts {
  readonly unbilled: Pick<UnbilledAllowance, 'add'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>;
  readonly writeRows: CombineRowsPorts['writeRows'];
}

const INTERRUPTED: RowReason = {
  code: 'run_interrupted',
  message: 'The run ended before the row was done.',
};
const TOO_LARGE: RowReason = {
  code: 'row_too_long',
  message: `The row is larger than ${formatBytes(ROW_BYTES_MAX)}, the limit of one row. Shorten its source`,
};

/**
 * The rows that a run generated → its dataset and report. Rows in other languages follow those of the source, without
 * duplicates; only extended conversations are included. Checkpoints of unfinished workers count too, so that a stopped
 * run delivers its finished rows. Holds a chunk and a few bytes a row; idempotent.
 * @throws {ServiceError} why the run was stopped, if rows have no result, or `run_timed_out` after a day; `too_many_rows_failed` if none was generated, or
 * more than half failed
 */
export async function assembleGrowth(
  ports: AssembleGrowthPorts,
  context: RunContext,
  now: number,
): Promise<{ rows: RowCounts }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), ExpandRunRequest);
  const taken = await readJson(objects, objectKeys.combined(runId, 0), CopiedRows);
  const run = await ports.runs.find(datasetId, runId);
  if (run === null) throw new ServiceError('run_interrupted', 'The dataset of the run is gone.');

  const book = newBook(targetsOf(request));
  const kept = request.kind === 'languages' ? taken.chunks : [];
  const keptRows = request.kind === 'languages' ? taken.row_count : 0;
  const chunkKey = (n: number): string => objectKeys.rows(datasetId, kept.length + n);
  const made = await ports.writeRows({
    rows: madeRows(objects, objectKeys.plan(runId), runId, request, taken, book),
    columns: taken.columns.map(({ name, type }) => ({ name, type })),
    chunkKey,
    writeChunk: (n, body) => objects.write(chunkKey(n), body, 'application/jsonl'),
  });

  const rows = countsOf(request, taken.row_count, book);
  const planned = book.made + book.failed;
  const targets = book.targets.counts();
  const failure = failureOf(run, book, now);
  const report: StoredReport = {
    rows,
    tokens: { input: book.input, output: book.output, calls: book.calls },
    call_seconds: book.seconds,
    edits: [],
    safety_scorers: {},
    pairs: 0,
    reported_rows: book.reportedRows,
    ...(targets.length === 0 ? {} : { targets }),
    is_whole: failure === null,
    stages: [
      {
        name: request.kind === 'languages' ? 'expand' : 'extend',
        rows_in: planned,
        rows_out: book.made,
        started_at: run.started_at,
        ended_at: new Date(now).toISOString(),
      },
    ],
  };
  await objects.write(objectKeys.report(runId), JSON.stringify(report), 'application/json');
  if (book.made > 0) {
    // The column profile of the source's cells also applies to the generated ones.
    const columns = request.kind === 'languages' ? taken.columns : made.columns;
    const left = describeUnplanned(request, planned);
    const shortfall =
      describeShortfall(targets) ??
      (left === '' ? null : `${book.made} of ${request.rows} rows in other languages`);
    const delivery = {
      ...{ columns, mapping: request.mapping, kept, keptRows, made },
      ...(shortfall === null
        ? {}
        : { description: [`The rows of the source, and ${shortfall}.`, left].join(' ').trim() }),
      warnings:
        request.kind === 'languages'
          ? [
              ...targetWarnings(targets),
              ...(left === '' ? [] : missingRowsWarning(book.made, request.rows, left)),
            ]
          : missingRowsWarning(book.made, planned, describeReasons('the others', book.reasons)),
    };
    await deliverRows(ports, context, delivery, now);
  }
  await ports.unbilled.add(context.team_id, book.unbilled, now);
  if (failure !== null) throw failure;
  return { rows };
}

/** Says how many of the rows that were asked for no source row was left for; empty where each has one. */
function describeUnplanned({ kind, rows }: Pick<ExpandRunRequest, 'kind' | 'rows'>, planned: number): string {
  if (kind !== 'languages' || planned >= rows) return '';
  return `${rows - planned} of the ${rows} rows that were asked for were not planned: rows without text, and those that repeat the texts and the context of another, are not expanded.`;
}

/** Why a run fails that has made these rows; null if it succeeds. */
function failureOf(run: RunRecord, { made, failed, missing, unmade }: GrowthTally, now: number) {
  const planned = made + failed;
  if (missing > 0) return asServiceError(rowsMissing(run, { missing, planned }, now));
  if (made === 0) {
    return new ServiceError('too_many_rows_failed', `None of ${planned} rows could be made. See the report.`);
  }
  return unmade > planned * FAILED_SHARE_MAX ? asServiceError(tooManyRowsFailed(unmade, planned)) : null;
}

type MadeCells = NonNullable<GrowResult['cells']>;

/** Counts of the generated rows. */
export interface GrowthTally {
  made: number;
  /** Includes those without a result. */
  failed: number;
  missing: number;
  /** Those for which the model gave nothing usable, or was not asked. */
  unmade: number;
  /** Tokens of made rows that are not added. */
  unbilled: number;
  input: number;
  output: number;
  calls: number;
  seconds: number;
  readonly reportedRows: number[];
  /** Why rows were not made. */
  readonly reasons: ReasonCounts;
  /** Rows of each target. */
  readonly targets: TargetTally;
}

export function newBook(targets: readonly ExpansionTarget[]): GrowthTally {
  const counts = { made: 0, failed: 0, missing: 0, unmade: 0, unbilled: 0 };
  return {
    ...counts,
    input: 0,
    output: 0,
    calls: 0,
    seconds: 0,
    reportedRows: [],
    reasons: {},
    targets: new TargetTally(targets),
  };
}

function countsOf(request: ExpandRunRequest, sourceRows: number, { made, failed }: GrowthTally): RowCounts {
  const none = { total: sourceRows, changed: 0, kept: 0, dropped: 0, failed: 0, not_selected: 0 };
  return request.kind === 'languages'
    ? { ...none, kept: sourceRows, expanded: made, expansion_failed: failed }
    : {
        ...none,
        changed: made,
        failed,
        not_selected: sourceRows - made - failed,
        expanded: 0,
        expansion_failed: 0,
      };
}

/** The canonical lines of the generated rows, one block for each batch of the plan; counts them. */
export async function* madeRows(
  objects: AssembleGrowthPorts['objects'],
  planKey: string,
  runId: string,
  request: ExpandRunRequest,
  taken: CopiedRows,
  book: GrowthTally,
): AsyncGenerator<Buffer> {
  const known = new Fingerprints();
  if (request.kind === 'languages') {
    for (const { key } of taken.chunks) {
      for (const line of await readLines(objects, key)) known.add(identityOf(line, request));
    }
  }

  const isNew = (original: string, cells: MadeCells, target: ExpansionTarget | null): boolean =>
    request.kind !== 'languages' || known.add(madeIdentity(original, cells, target, request));

  let source: { readonly key: string; readonly lines: readonly string[] } = { key: '', lines: [] };
  for (const line of await readLines(objects, planKey)) {
    const batch = GrowPlan.parse(JSON.parse(line));
    if (batch.chunk_key !== source.key) {
      source = { key: batch.chunk_key, lines: await readLines(objects, batch.chunk_key) };
    }
    const results = await readResults(objects, batch, (value) => GrowResult.safeParse(value).data ?? null);
    const reported: ReportRow[] = [];
    const lines: string[] = [];
    for (const [place, selected] of (await readLines(objects, batch.selection_key)).entries()) {
      const { row, target: index } = ExpansionSelection.parse(JSON.parse(selected));
      const target = targetsOf(request)[index] ?? null;
      book.targets.plan(index);
      const result = results.get(batch.first_row + place);
      if (result === undefined) book.missing += 1;
      else spend(book, result);
      const cells = result?.outcome === 'made' ? result.cells : undefined;
      const original = source.lines[row - batch.chunk_first_row];
      const made =
        cells === undefined || original === undefined
          ? null
          : { line: madeLine(original, taken.columns, cells, target, row), original, cells };
      // A row that no file may have fails alone.
      const isTooLarge = made !== null && Buffer.byteLength(made.line) >= ROW_BYTES_MAX;
      if (made === null || isTooLarge || !isNew(made.original, made.cells, target)) {
        book.failed += 1;
        if (result?.outcome === 'failed') book.unmade += 1;
        if (result?.outcome === 'made') book.unbilled += result.tokens.input + result.tokens.output;
        const reason =
          cells === undefined ? (result?.reason ?? INTERRUPTED) : isTooLarge ? TOO_LARGE : REPEATED;
        countReason(book.reasons, reason);
        reported.push(toReportRow(row, target, false, reason));
        continue;
      }
      book.made += 1;
      book.targets.make(index);
      for (const note of result?.notes ?? []) reported.push(toReportRow(row, target, true, note));
      lines.push(made.line);
    }
    book.reportedRows.push(reported.length);
    if (reported.length > 0) await writeLines(objects, objectKeys.reportRows(runId, batch.n), reported);
    if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`, 'utf8');
  }
}

function spend(book: GrowthTally, { tokens, calls, seconds = 0 }: GrowResult): void {
  book.input += tokens.input;
  book.output += tokens.output;
  book.calls += calls;
  book.seconds += seconds;
}

/** Types of columns whose cells can be any text, or a conversation. */
const HOLDS_TEXT = /^(?:VARCHAR|JSON)$|^STRUCT\(|\]$/;

/**
 * The source's row with the generated text. A conversation stays a list or an object if the source has one, and a column of
 * numbers or dates keeps its cells.
 */
function madeLine(
  original: string,
  columns: CopiedRows['columns'],
  cells: MadeCells,
  target: ExpansionTarget | null,
  row: number,
): string {
  const before = new Map(splitRawObject(original));
  const [language, country, sourceRow] = ORIGIN_COLUMNS;
  const origin = new Map<string, string>(
    target === null
      ? []
      : [
          [language.name, JSON.stringify(target.language)],
          [country.name, JSON.stringify(target.country)],
          [sourceRow.name, String(row)],
        ],
  );
  return buildRawObject(
    columns.flatMap(({ name, type }): [string, string][] => {
      const raw = before.get(name);
      const original = origin.get(name);
      if (original !== undefined) return [[name, original]];
      const text = HOLDS_TEXT.test(type) ? own(cells, name) : null;
      if (text == null) return raw === undefined ? [] : [[name, raw]];
      return [[name, (raw === undefined ? null : structureIn(text, raw)) ?? JSON.stringify(text)]];
    }),
  );
}

/**
 * A list, or an object, that a text is the JSON of, on one line; null if it is none, or another than the source has: a cell that begins
 * as a list need not be one.
 */
function structureIn(text: string, raw: string): string | null {
  if (!/^[[{]/.test(raw)) return null;
  try {
    if (raw.startsWith('[')) return `[${splitRawArray(text).join(',')}]`;
    return buildRawObject(splitRawObject(text));
  } catch {
    return null;
  }
}

function toReportRow(
  row: number,
  target: ExpansionTarget | null,
  isMade: boolean,
  { code, message }: RowReason,
): ReportRow {
  const outcome =
    target === null ? (isMade ? 'changed' : 'failed') : isMade ? 'expanded' : 'expansion_failed';
  return { row, outcome, code, message, similar_to_row: null, target, sources: [] };
}
