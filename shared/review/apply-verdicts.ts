import * as z from 'zod';
import { assembleResults } from '#shared/adaptation/assemble-results.ts';
import { countDoubts, findRunDoubts } from '#shared/adaptation/read-doubts.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { readExpansion } from '#shared/exports/build-export.ts';
import { nameOfMapping, RowDoubts } from '#shared/exports/decide/row-doubts.ts';
import { joinOutcomes } from '#shared/exports/decide/row-index/join-outcomes.ts';
import { rowTextsReader } from '#shared/exports/decide/row-texts.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import {
  findJson,
  readJson,
  readJsonLines,
  readLines,
  writeLines,
} from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { manifestKeyOf, type RunRecord } from '#shared/runs/decide/record.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { Doubt } from '#shared/runs/schema/doubt.ts';
import { BatchPlan, type ExpandPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { ExpansionResult, RunResult } from '#shared/runs/schema/run-result.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import type { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import { judgeRow } from './decide/judge-rows.ts';
import { type BaseRow, type MendingRules, mendRow, textsOf } from './decide/mend-row.ts';
import { planBatches } from './decide/plan-batches.ts';
import { ReviewRequestObject } from './decide/review-request.ts';
import { contentHash, type VerdictRecord, type VerdictRepository } from './decide/verdict.ts';

export interface ApplyVerdictsPorts {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: Pick<RunRepository, 'find' | 'recordBatchProgress'>;
  readonly verdicts: Pick<VerdictRepository, 'list' | 'readTexts'>;
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write' | 'writeNew' | 'list'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Seconds before the end of an invocation after which nothing is begun. */
const RESERVE_SECONDS = 120;
/** Seconds that a request to stop is not looked for. */
const LOOK_SECONDS = 5;
const RowNumbers = z.array(z.int().min(0));

/** What is read of a review's run, and of the version that it is made of. */
interface Applying {
  readonly run: RunRecord;
  readonly request: ReviewRequestObject;
  readonly manifest: RowsManifest;
  readonly base: RunRecord | null;
  /** The batches of the version before; none of rows as they came. */
  readonly baseBatches: readonly BatchPlan[];
  /** What witnesses that ask no model said of the version before. */
  readonly found: RunDoubts | null;
  /** The doubts of rows as they came; those of a run are in its results. */
  readonly doubtOf: ReadonlyMap<number, Doubt>;
  readonly rules: MendingRules;
}

/**
 * Applies the verdicts of a dataset to the rows of the version that was reviewed: writes a result for each row, as workers of an
 * adaptation do, and then the report. Holds one batch, and goes on where an earlier invocation ended: a batch is written once,
 * with the verdicts that there are by then.
 * @throws {ServiceError} `run_interrupted` if the run is no longer active, or was stopped
 */
export async function applyVerdicts(
  ports: ApplyVerdictsPorts,
  context: RunContext,
  invocation: { readonly deadlineMs: number; readonly now: number },
): Promise<{ status: 'finished' | 'unfinished' }> {
  const { dataset, run } = await requireActive(ports, context);
  const applying = await open(ports, run);
  const verdicts = await ports.verdicts.list(context.dataset_id);
  const batches = await planOf(ports.objects, context, applying, verdicts);
  const isLate = (): boolean => ports.clock() > invocation.deadlineMs - RESERVE_SECONDS * 1000;
  const start = await firstMissing(ports.objects, context.run_id, batches);
  let looked = ports.clock();
  for (const [place, batch] of batches.slice(start).entries()) {
    if (place > 0 && isLate()) return { status: 'unfinished' };
    if (ports.clock() - looked >= LOOK_SECONDS * 1000) {
      await requireActive(ports, context);
      looked = ports.clock();
    }
    await applyToBatch(ports, applying, batch, verdicts);
    await ports.runs.recordBatchProgress(context.run_id, batch.n, batch.row_count);
  }
  // The rest takes as long as it takes: an invocation has begun with it, or begins anew.
  if (start < batches.length && isLate()) return { status: 'unfinished' };
  const changed = await readChanged(ports.objects, context.run_id);
  await carryExpansion(ports.objects, applying, batches.length, changed);
  await carryDoubts(ports.objects, applying, changed);
  await writeReport(ports.objects, applying, dataset, invocation.now);
  return { status: 'finished' };
}

/** @throws {ServiceError} `run_interrupted`, or the reason for which the run was stopped */
async function requireActive(
  { datasets, runs }: Pick<ApplyVerdictsPorts, 'datasets' | 'runs'>,
  { dataset_id, run_id }: RunContext,
): Promise<{ dataset: DatasetRecord; run: RunRecord }> {
  const [dataset, run] = await Promise.all([datasets.find(dataset_id), runs.find(dataset_id, run_id)]);
  if (dataset !== null && run?.status === 'running' && run.stop_reason === undefined) return { dataset, run };
  throw new ServiceError(
    'run_interrupted',
    run?.stop_reason?.message ?? 'The run has ended before the verdicts were applied.',
  );
}

async function open(
  { runs, objects }: Pick<ApplyVerdictsPorts, 'runs' | 'objects'>,
  run: RunRecord,
): Promise<Applying> {
  const { dataset_id, run_id } = run;
  const [request, manifest] = await Promise.all([
    readJson(objects, objectKeys.runRequest(run_id), ReviewRequestObject),
    readJson(objects, manifestKeyOf(dataset_id, run), RowsManifest),
  ]);
  const { base_run_id: baseId, wrong, rows_version: version } = request.review;
  const base = baseId === null ? null : await runs.find(dataset_id, baseId);
  if (baseId !== null && base === null) {
    throw new ServiceError('run_interrupted', 'The version that was reviewed is gone.');
  }
  const { mode, mapping, safety } = request.specification;
  const found = await findDoubtsOf(objects, dataset_id, { baseId, version, mapping });
  return {
    run,
    request,
    manifest,
    base,
    found,
    doubtOf: new Map(base === null ? found?.rows.map(({ row, ...doubt }) => [row, doubt]) : []),
    baseBatches: baseId === null ? [] : await readJsonLines(objects, objectKeys.plan(baseId), BatchPlan),
    rules: {
      base: base === null ? 'source' : base.status === 'failed' ? 'failed' : 'succeeded',
      wrong,
      writesPrompts: mode === 'chat' || mode === 'universal_prompt',
      scoresSafety: safety !== null,
    },
  };
}

/** What witnesses that ask no model said of the rows that were reviewed. */
async function findDoubtsOf(
  objects: Pick<ObjectStore, 'read'>,
  datasetId: string,
  {
    baseId,
    version,
    mapping,
  }: {
    readonly baseId: string | null;
    readonly version: string | undefined;
    readonly mapping: ConfiguredColumnMapping;
  },
): Promise<RunDoubts | null> {
  if (baseId !== null) return findRunDoubts(objects, baseId);
  if (version === undefined) return null;
  const doubts = await findJson(objects, objectKeys.rowDoubts(datasetId, version), RowDoubts);
  return doubts?.mapping === nameOfMapping(mapping) ? doubts.found : null;
}

/** The batches as the first invocation cut them. */
async function planOf(
  objects: ApplyVerdictsPorts['objects'],
  context: RunContext,
  { manifest }: Pick<Applying, 'manifest'>,
  verdicts: readonly VerdictRecord[],
): Promise<BatchPlan[]> {
  const key = objectKeys.plan(context.run_id);
  if ((await objects.head(key)) !== null) return readJsonLines(objects, key, BatchPlan);
  const batches = planBatches(context, manifest.chunks, verdicts);
  await writeLines(objects, key, batches);
  return batches;
}

/** The first batch without a result: they are written in their order. */
async function firstMissing(
  objects: Pick<ObjectStore, 'head'>,
  runId: string,
  batches: readonly BatchPlan[],
): Promise<number> {
  let low = 0;
  let high = batches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { n } = batches[middle] as BatchPlan;
    if ((await objects.head(objectKeys.result(runId, n))) === null) high = middle;
    else low = middle + 1;
  }
  return low;
}

async function applyToBatch(
  { objects, verdicts: store }: Pick<ApplyVerdictsPorts, 'objects' | 'verdicts'>,
  applying: Applying,
  batch: BatchPlan,
  verdicts: readonly VerdictRecord[],
): Promise<void> {
  const { run, rules } = applying;
  const rows = await readBase(objects, applying, batch);
  const said = verdictsOf(verdicts, batch);
  const judged = rows.map((base) => {
    const ofRow = said.get(base.row);
    if (ofRow === undefined) return { base, opinion: null };
    const isThere = isInBase(base, rules);
    return { base, opinion: judgeRow(ofRow, isThere ? contentHash(textsOf(base)) : null) };
  });
  const texts = await store.readTexts(
    run.dataset_id,
    judged.flatMap(({ opinion }) => opinion?.mended?.text_id ?? []),
  );
  const changed: number[] = [];
  const results = judged.map(({ base, opinion }) => {
    const text = texts.get(opinion?.mended?.text_id ?? '') ?? null;
    const { result, isChanged } = mendRow(base, opinion, text, rules);
    if (isChanged) changed.push(base.row);
    return result;
  });
  if (changed.length > 0) {
    const key = objectKeys.reviewedRows(run.run_id, batch.n);
    await objects.write(key, JSON.stringify(changed), 'application/json');
  }
  await writeLines(objects, objectKeys.result(run.run_id, batch.n), results);
}

/** Whether the version before has the row. */
const isInBase = ({ result }: BaseRow, { base }: MendingRules): boolean =>
  result?.outcome !== 'dropped' && !(base === 'failed' && (result === null || result.outcome === 'failed'));

/** The verdicts on the rows of a batch, by row. */
function verdictsOf(
  verdicts: readonly VerdictRecord[],
  { first_row: first, row_count: count }: BatchPlan,
): Map<number, VerdictRecord[]> {
  let [low, high] = [0, verdicts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((verdicts[middle] as VerdictRecord).row < first) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < verdicts.length && (verdicts[end] as VerdictRecord).row < first + count) end += 1;
  return groupBy(verdicts.slice(low, end), ({ row }) => row);
}

/** The rows of a batch, with what the version before has of them. */
async function readBase(
  objects: Pick<ObjectStore, 'read'>,
  { request, base, baseBatches, doubtOf }: Applying,
  { chunk_key: key, first_line: line, first_row: first, row_count: count }: BatchPlan,
): Promise<BaseRow[]> {
  const results = new Map<number, RunResult>();
  for (const { n, first_row, row_count } of baseBatches) {
    if (base === null || first_row >= first + count || first_row + row_count <= first) continue;
    for (const text of await readLines(objects, objectKeys.result(base.run_id, n))) {
      const result = resultIn(text);
      if (result !== null && !results.has(result.row)) results.set(result.row, result);
    }
  }
  const body = await objects.read(key);
  if (body === null) throw new Error(`The object ${key} does not exist.`);
  const reader = rowTextsReader(request.specification);
  const carried = request.specification.carried ?? [];
  const names = [...new Set([...reader.columns, ...carried])];
  const rows: BaseRow[] = [];
  const source = (async function* () {
    yield body;
  })();
  for await (const { row: place, cells } of joinOutcomes(source, null, names, () => null)) {
    if (place < line || place >= line + count) continue;
    const row = first + place - line;
    const came = new Map(names.map((name, at) => [name, cells[at] ?? null]));
    const { prompt, completion } = reader.read(came, null);
    rows.push({
      row,
      result: results.get(row) ?? null,
      own: {
        prompt,
        completion,
        carried: Object.fromEntries(carried.map((name) => [name, came.get(name) ?? null])),
      },
      doubt: doubtOf.get(row) ?? null,
    });
  }
  return rows;
}

/** A line that cannot be read is that of a row without a result. */
function resultIn(line: string): RunResult | null {
  try {
    return RunResult.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

/** The rows that have another text by now, or were dropped. */
async function readChanged(
  objects: Pick<ObjectStore, 'read' | 'list'>,
  runId: string,
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>();
  for await (const key of objects.list(objectKeys.reviewed(runId))) {
    for (const row of await readJson(objects, key, RowNumbers)) changed.add(row);
  }
  return changed;
}

/** Carries the rows in other languages over, but those that were made of a row that has another text by now. */
async function carryExpansion(
  objects: Pick<ObjectStore, 'read' | 'write'>,
  { run, base }: Applying,
  batches: number,
  changed: ReadonlySet<number>,
): Promise<void> {
  if (base === null) return;
  const plans: ExpandPlan[] = [];
  for (const [place, plan] of (await readExpansion(objects, base.run_id)).entries()) {
    const n = batches + place;
    const results: ExpansionResult[] = [];
    for (const line of await readLines(objects, objectKeys.result(base.run_id, plan.n))) {
      const { data } = ExpansionResult.safeParse(JSON.parse(line));
      if (data !== undefined) results.push(carried(data, changed));
    }
    const selection = await readLines(objects, plan.selection_key);
    const key = objectKeys.expansionSelection(run.run_id, n);
    await objects.write(key, selection.map((line) => `${line}\n`).join(''), 'application/jsonl');
    await writeLines(objects, objectKeys.result(run.run_id, n), results);
    plans.push({ ...plan, run_id: run.run_id, n, selection_key: key });
  }
  if (plans.length > 0) await writeLines(objects, objectKeys.expansionPlan(run.run_id), plans);
}

function carried({ seconds: _, ...result }: ExpansionResult, changed: ReadonlySet<number>): ExpansionResult {
  const unused = { tokens: { input: 0, output: 0 }, calls: 0 };
  if (result.outcome === 'failed' || !changed.has(result.source_row)) return { ...result, ...unused };
  const { row, source_row, target } = result;
  return {
    row,
    source_row,
    target,
    outcome: 'failed',
    reason: {
      code: 'source_reviewed',
      message: 'The row that it was made of has another text since its review, or was dropped.',
    },
    ...unused,
  };
}

/** Carries over what witnesses say of rows that are as they were. */
async function carryDoubts(
  objects: Pick<ObjectStore, 'write'>,
  { run, found }: Applying,
  changed: ReadonlySet<number>,
): Promise<void> {
  if (found === null) return;
  const rows = found.rows.filter(({ row }) => !changed.has(row));
  await objects.write(objectKeys.doubts(run.run_id), JSON.stringify({ ...found, rows }), 'application/json');
}

async function writeReport(
  objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>,
  { run, request, manifest, base }: Applying,
  { row_count }: Pick<DatasetRecord, 'row_count'>,
  now: number,
): Promise<void> {
  const totals = await assembleResults(objects, run, request, row_count ?? manifest.row_count);
  const { counts, doubted, doubtful } = totals;
  const selected = counts.total - counts.not_selected;
  const doubts =
    base === null
      ? undefined
      : await countDoubts(objects, run.run_id, request, { selected, doubted, doubtful });
  const report: StoredReport = {
    rows: counts,
    tokens: { input: 0, output: 0, calls: 0 },
    call_seconds: 0,
    edits: [...totals.edits],
    safety_scorers: { ...totals.safetyScorers },
    pairs: totals.pairs,
    ...(doubts === undefined ? {} : { doubts }),
    reported_rows: [...totals.reportedRows],
    ...(totals.targets.length === 0 ? {} : { targets: [...totals.targets] }),
    stages: [
      {
        name: 'review',
        rows_in: counts.total,
        rows_out: counts.total - counts.dropped,
        started_at: run.started_at,
        ended_at: timestamp(now),
      },
    ],
  };
  await objects.write(objectKeys.report(run.run_id), JSON.stringify(report), 'application/json');
}
