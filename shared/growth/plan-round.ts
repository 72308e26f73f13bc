import * as z from 'zod';
import { EXPAND_ROWS_PROMPTS } from '#shared/adaptation/decide/expand-rows.ts';
import { CALL_SECONDS_ASSUMED } from '#shared/adaptation/decide/quote.ts';
import type { JudgeCalibration } from '#shared/judging/decide/calibration.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { own } from '#shared/platform/own.ts';
import { readJson, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { countReason, type ReasonCounts } from '#shared/runs/decide/missing-rows.ts';
import { batchRows, workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { sampleRows } from '#shared/runs/decide/sample-rows.ts';
import { isLate } from '#shared/runs/decide/stop-reasons.ts';
import { CopiedRows } from '#shared/runs/deliver-rows.ts';
import { inStage } from '#shared/runs/in-stage.ts';
import { readResults } from '#shared/runs/read-results.ts';
import type { Diversity, Invention } from '#shared/runs/schema/invention.ts';
import type { ReportRow } from '#shared/runs/schema/report-row.ts';
import { CandidatePlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { CandidateResult } from '#shared/runs/schema/run-result.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import type { RowsColumn } from '#shared/tabular/schema/rows-manifest.ts';
import type { CombineRowsPorts } from './combine-rows.ts';
import { type ExpandRunRequest, ORIGIN_COLUMNS, rowsInLanguages } from './decide/expand-request.ts';
import { DIVERSITY_ROWS_MAX, type DiverseRow, measureDiversity } from './decide/invent/diversity.ts';
import { InventRunRequest, SCORE_MIN } from './decide/invent/invent-request.ts';
import { callsPerCandidate, INVENT_PROMPTS } from './decide/invent/invent-row.ts';
import { requireMeasured } from './decide/invent/require-measured.ts';
import { ROUNDS_MAX, roundSize, Selection, type Verdict } from './decide/invent/selection.ts';
import { planGrowth } from './take-source.ts';

export interface PlanRoundPorts {
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan' | 'recordStage'>;
  readonly objects: ObjectStore;
  readonly writeRows: CombineRowsPorts['writeRows'];
  readonly modelConcurrency: number;
  /** Measures how far the judge is believed, unless that was done; null without one, or where it cannot be measured. */
  readonly measureJudge: () => Promise<JudgeCalibration | null>;
  /** Model id by role, as used in this run. */
  readonly models: Readonly<Record<string, string>>;
}

export interface PlannedRound {
  /** `candidates` must be generated, accepted rows must be translated to `languages`, or nothing is left. */
  readonly next: 'candidates' | 'languages' | 'nothing';
  readonly plan_key: string;
  readonly max_concurrency: number;
}

/** Rounds in a row without any result, after which none begins. */
const SILENT_ROUNDS_MAX = 2;

/** The final result of an invention: its rows, and the report of all candidates. */
export const InventedRows = z.object({
  taken: CopiedRows,
  report: StoredReport,
  candidate_chunks: z.int().min(0),
  /** Tokens of candidates that were rejected because they repeat another one. */
  repeated_tokens: z.int().min(0).default(0),
  /** Rows that are missing because candidates have no result, and not for want of candidates or time. */
  interrupted_rows: z.int().min(0).default(0),
  /** Candidates that were not accepted, by the code of the reason. */
  reasons: z.record(z.string(), z.int()).default({}),
});
export type InventedRows = z.infer<typeof InventedRows>;

/**
 * Selects rows from all candidates so far. If rows are missing, and candidates and time are left, it plans the next round;
 * otherwise it writes the rows. The selection is recomputed from the workers' results each time, so that a retry
 * decides the same and nothing is written twice. Candidates without a result, of a round that broke off, are replaced by
 * others. Holds a chunk and 256 bytes per row.
 */
export async function planRound(
  ports: PlanRoundPorts,
  context: RunContext,
  { round, now }: { readonly round: number; readonly now: number },
): Promise<PlannedRound> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), InventRunRequest);
  const run = await ports.runs.find(datasetId, runId);
  if (run?.status !== 'running') {
    throw new ServiceError('run_interrupted', 'The run has ended before all its rows were there.');
  }
  // Of two sound answers only a judge says which is better, and none is believed before it is measured.
  if (round === 0 && request.training_type === 'preference_pairs') {
    requireMeasured(await inStage(ports.runs, context, 'measuring_judge', ports.measureJudge));
  }
  const chunks: CandidatePlan[] = [];
  const firsts: number[] = [];
  for (let n = 0; n < round; n += 1) {
    const lines = await readLines(objects, objectKeys.roundPlan(runId, n));
    if (lines.length === 0) throw new Error(`The plan of round ${n} does not exist.`);
    firsts.push(chunks.length);
    for (const line of lines) chunks.push(CandidatePlan.parse(JSON.parse(line)));
  }
  const found = await findRows(objects, runId, request, chunks, firsts);
  const candidates = candidatesOf(chunks);
  const missing = request.rows - found.accepted;
  const left = request.candidates_max - found.written;
  // No round begins later, so that its machine outlasts the last one.
  const isOver = isLate(run, now);
  const isSilent =
    round >= SILENT_ROUNDS_MAX &&
    found.rounds.slice(-SILENT_ROUNDS_MAX).every(({ candidates: written }) => written === 0);
  const mayGoOn = left > 0 && round < ROUNDS_MAX && run.stop_reason === undefined && !isOver && !isSilent;
  if (missing > 0 && mayGoOn) {
    const size = roundSize(missing, left, found.rounds.at(-1) ?? null);
    return planCandidates(ports, context, request, {
      round,
      size,
      from: candidates,
      firstChunk: chunks.length,
    });
  }
  const end = endOf({ missing, isStopped: run.stop_reason !== undefined, isLate: isOver, isSilent });
  return writeDown(ports, context, request, { run, ...end }, chunks, found);
}

interface RoundsEnd {
  readonly endedBy: Invention['ended_by'];
  readonly interruptedRows: number;
}

function endOf({
  missing,
  isStopped,
  isLate,
  isSilent,
}: {
  missing: number;
  isStopped: boolean;
  isLate: boolean;
  isSilent: boolean;
}): RoundsEnd {
  if (missing <= 0) return { endedBy: 'rows', interruptedRows: 0 };
  if (isStopped) return { endedBy: 'stop', interruptedRows: 0 };
  if (isLate) return { endedBy: 'time', interruptedRows: 0 };
  return isSilent
    ? { endedBy: 'stop', interruptedRows: missing }
    : { endedBy: 'candidates', interruptedRows: 0 };
}

const candidatesOf = (chunks: readonly CandidatePlan[]): number =>
  chunks.reduce((sum, { row_count: count }) => sum + count, 0);

interface FoundCandidates {
  readonly accepted: number;
  /** Candidates that have a result. */
  readonly written: number;
  /** The same of each round. */
  readonly rounds: readonly { readonly candidates: number; readonly accepted: number }[];
}

/**
 * Iterates over all candidates in order.
 * @param firsts index of the first chunk of each round
 */
async function findRows(
  objects: PlanRoundPorts['objects'],
  runId: string,
  request: InventRunRequest,
  chunks: readonly CandidatePlan[],
  firsts: readonly number[],
): Promise<FoundCandidates> {
  const rounds = firsts.map(() => ({ candidates: 0, accepted: 0 }));
  for await (const { chunk, verdict, result } of verdicts(objects, runId, request, chunks)) {
    const round = rounds[firsts.findLastIndex((first) => first <= chunk)];
    if (round === undefined || result === undefined) continue;
    round.candidates += 1;
    round.accepted += verdict.kind === 'accepted' ? 1 : 0;
  }
  const sum = (of: 'candidates' | 'accepted'): number => rounds.reduce((all, round) => all + round[of], 0);
  return { accepted: sum('accepted'), written: sum('candidates'), rounds };
}

interface JudgedCandidate {
  /** Index of the chunk among all. */
  readonly chunk: number;
  readonly candidate: number;
  readonly verdict: Verdict;
  readonly result: CandidateResult | undefined;
}

async function* verdicts(
  objects: PlanRoundPorts['objects'],
  runId: string,
  request: InventRunRequest,
  chunks: readonly CandidatePlan[],
): AsyncGenerator<JudgedCandidate> {
  const selection = new Selection(request.rows);
  for (const [at, chunk] of chunks.entries()) {
    const results = await readResults(
      objects,
      { run_id: runId, n: chunk.n },
      (value) => CandidateResult.safeParse(value).data ?? null,
    );
    for (let candidate = chunk.first_row; candidate < chunk.first_row + chunk.row_count; candidate += 1) {
      const result = results.get(candidate);
      yield { chunk: at, candidate, result, verdict: selection.take(candidate, result) };
    }
  }
}

async function planCandidates(
  ports: PlanRoundPorts,
  context: RunContext,
  request: InventRunRequest,
  { round, size, from, firstChunk }: { round: number; size: number; from: number; firstChunk: number },
): Promise<PlannedRound> {
  const { objects, runs } = ports;
  const workforce = workforceOf(ports.modelConcurrency);
  const seconds = callsPerCandidate(request.training_type) * CALL_SECONDS_ASSUMED;
  const rowsMax = batchRows(seconds, workforce, size);
  const plan: CandidatePlan[] = [];
  for (let at = 0; at < size; at += rowsMax) {
    plan.push({
      ...context,
      n: firstChunk + plan.length,
      first_row: from + at,
      row_count: Math.min(rowsMax, size - at),
    });
  }
  const planKey = objectKeys.roundPlan(context.run_id, round);
  await writeLines(objects, planKey, plan);
  await record(runs, context, ports, request, from + size);
  return {
    next: 'candidates',
    plan_key: planKey,
    max_concurrency: workforce.workers,
  };
}

/** @throws {ServiceError} `run_interrupted` if the run is no longer active */
async function record(
  runs: PlanRoundPorts['runs'],
  { dataset_id: datasetId, run_id: runId }: RunContext,
  { models }: Pick<PlanRoundPorts, 'models'>,
  { expansion }: InventRunRequest,
  rows: number,
): Promise<void> {
  const isActive = await runs.recordPlan(datasetId, runId, {
    total_rows: rows,
    models: { ...models },
    prompt_versions: {
      ...INVENT_PROMPTS,
      ...(expansion === null ? {} : EXPAND_ROWS_PROMPTS[expansion.type]),
    },
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before it was planned.');
}

/** The columns of an invented dataset, which has no source columns (spec §4.15). */
function columnsOf({ training_type: trainingType, expansion }: InventRunRequest): RowsColumn[] {
  const names = [
    ...['original_prompt', 'original_completion', 'enhanced_prompt', 'enhanced_completion'],
    ...(trainingType === 'preference_pairs' ? ['chosen', 'rejected'] : []),
    ...['domain', 'subdomain'],
  ];
  return [
    ...names.map((name) => ({ name, type: 'VARCHAR' })),
    ...(expansion === null ? [] : ORIGIN_COLUMNS.map((column) => ({ ...column }))),
  ];
}

/** The mapping of an invented dataset. */
export function inventedMapping({
  training_type: trainingType,
}: Pick<InventRunRequest, 'training_type'>): ConfiguredColumnMapping {
  return {
    prompt: 'enhanced_prompt',
    completion: 'enhanced_completion',
    ...(trainingType === 'preference_pairs' ? { chosen: 'chosen', rejected: 'rejected' } : {}),
    context: [],
  };
}

/** Writes the accepted rows and the report of all candidates, and plans rows in other languages if requested. */
async function writeDown(
  ports: PlanRoundPorts,
  context: RunContext,
  request: InventRunRequest,
  { run, endedBy, interruptedRows }: { readonly run: RunRecord } & RoundsEnd,
  chunks: readonly CandidatePlan[],
  { accepted, written }: FoundCandidates,
): Promise<PlannedRound> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const columns = columnsOf(request);
  const sampled = new Set(sampleRows(accepted, DIVERSITY_ROWS_MAX, `diversity ${runId}`));
  const sample: DiverseRow[] = [];
  const covered = new Set<string>();
  const report: StoredReport = newReport(run);
  let repeatedTokens = 0;
  const reasons: ReasonCounts = {};

  async function* lines(): AsyncGenerator<Buffer> {
    let at = 0;
    let taken = 0;
    let reported: ReportRow[] = [];
    const closeChunk = async (): Promise<void> => {
      report.reported_rows.push(reported.length);
      const n = chunks[at]?.n ?? 0;
      if (reported.length > 0) await writeLines(objects, objectKeys.reportRows(runId, n), reported);
      reported = [];
    };
    for await (const { chunk, candidate, verdict, result } of verdicts(objects, runId, request, chunks)) {
      if (chunk !== at) {
        await closeChunk();
        at = chunk;
      }
      count(report, verdict, result);
      // Workers have told those of the others.
      if (verdict.kind === 'rejected' && result?.outcome === 'made') {
        repeatedTokens += result.tokens.input + result.tokens.output;
      }
      if (verdict.kind === 'rejected' || verdict.kind === 'failed') {
        countReason(reasons, verdict.reason);
        reported.push(toReportRow(candidate, verdict.kind, verdict.reason));
      }
      if (verdict.kind !== 'accepted' || result?.cells === undefined) continue;
      const { cells, subdomain } = result;
      covered.add(subdomain);
      if (sampled.has(taken)) {
        sample.push({
          prompt: cells.enhanced_prompt ?? '',
          completion: cells.enhanced_completion ?? '',
        });
      }
      taken += 1;
      const row: Record<string, string> = { ...cells, domain: subdomain.split('.')[0] ?? '', subdomain };
      const full = Object.fromEntries(columns.map(({ name }) => [name, own(row, name) ?? null]));
      yield Buffer.from(`${JSON.stringify(full)}\n`, 'utf8');
    }
    if (chunks.length > 0) await closeChunk();
  }
  const chunkKey = (n: number): string => objectKeys.rows(datasetId, n);
  const taken = await ports.writeRows({
    rows: lines(),
    columns,
    chunkKey,
    writeChunk: (n, body) => objects.write(chunkKey(n), body, 'application/jsonl'),
  });

  report.invention = {
    requested: request.rows,
    accepted,
    candidates: written,
    candidates_max: request.candidates_max,
    score_min: SCORE_MIN,
    ended_by: endedBy === 'time' ? 'candidates' : endedBy,
    is_late: endedBy === 'time',
    diversity: accepted === 0 ? null : diversityOf(sample, request.subdomains, covered),
  };
  const invented: InventedRows = {
    taken,
    report,
    candidate_chunks: chunks.length,
    repeated_tokens: repeatedTokens,
    interrupted_rows: interruptedRows,
    reasons,
  };
  await objects.write(objectKeys.invention(runId), JSON.stringify(invented), 'application/json');
  const nothing = { next: 'nothing', plan_key: '', max_concurrency: 1 } as const;
  if (request.expansion === null || accepted === 0 || run.stop_reason !== undefined || interruptedRows > 0) {
    return nothing;
  }
  return planLanguages(ports, context, request, invented, candidatesOf(chunks));
}

function newReport(run: RunRecord): StoredReport {
  return {
    rows: {
      total: 0,
      changed: 0,
      kept: 0,
      dropped: 0,
      failed: 0,
      not_selected: 0,
      expanded: 0,
      expansion_failed: 0,
    },
    tokens: { input: 0, output: 0, calls: 0 },
    call_seconds: 0,
    edits: [],
    safety_scorers: {},
    pairs: 0,
    reported_rows: [],
    stages: [{ name: 'invent', rows_in: 0, rows_out: 0, started_at: run.started_at, ended_at: null }],
  };
}

const COUNTED = {
  accepted: 'changed',
  surplus: 'not_selected',
  rejected: 'dropped',
  failed: 'failed',
} as const;

function count(report: StoredReport, { kind }: Verdict, result: CandidateResult | undefined): void {
  report.rows.total += 1;
  report.rows[COUNTED[kind]] += 1;
  report.tokens.input += result?.tokens.input ?? 0;
  report.tokens.output += result?.tokens.output ?? 0;
  report.tokens.calls += result?.calls ?? 0;
  report.call_seconds += result?.seconds ?? 0;
  const [stage] = report.stages;
  if (stage === undefined) return;
  stage.rows_in += 1;
  stage.rows_out += kind === 'accepted' ? 1 : 0;
}

function toReportRow(
  candidate: number,
  kind: 'rejected' | 'failed',
  {
    code,
    message,
    similar_to_row: similar,
  }: { code: string; message: string; similar_to_row?: number | undefined },
): ReportRow {
  return {
    row: candidate,
    outcome: kind === 'rejected' ? 'dropped' : 'failed',
    code,
    message,
    similar_to_row: similar ?? null,
    target: null,
    sources: [],
  };
}

function diversityOf(
  sample: readonly DiverseRow[],
  subdomains: readonly string[],
  covered: ReadonlySet<string>,
): Diversity {
  return {
    ...measureDiversity(sample),
    subdomains: subdomains.length,
    covered_subdomains: covered.size,
    coverage: Math.round((1000 * covered.size) / subdomains.length) / 1000,
  };
}

async function planLanguages(
  ports: PlanRoundPorts,
  context: RunContext,
  request: InventRunRequest,
  { taken, candidate_chunks: firstChunk }: InventedRows,
  candidates: number,
): Promise<PlannedRound> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const { expansion, budget } = request;
  const rows = rowsInLanguages(taken.row_count, expansion);
  if (expansion === null || rows === 0) {
    return { next: 'nothing', plan_key: '', max_concurrency: 1 };
  }
  const mapping = inventedMapping(request);
  const languages: ExpandRunRequest = {
    kind: 'languages',
    source: { dataset_id: datasetId, run_id: null },
    mapping,
    budget,
    expansion,
    rows,
    texts: [mapping.prompt, mapping.completion, mapping.chosen, mapping.rejected].filter(
      (name) => name !== undefined,
    ),
  };
  const requestKey = objectKeys.expansionRequest(runId);
  await objects.write(requestKey, JSON.stringify(languages), 'application/json');
  const planKey = objectKeys.expansionPlan(runId);
  const planned = await planGrowth(ports, context, languages, taken, { planKey, requestKey, firstChunk });
  await record(ports.runs, context, ports, request, candidates + planned.rows);
  return {
    next: planned.rows === 0 ? 'nothing' : 'languages',
    plan_key: planKey,
    max_concurrency: planned.workers,
  };
}
