import * as z from 'zod';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import type { UnbilledAllowance } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { findJson, readJson, readJsonLines, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { missingRowsWarning } from '#shared/runs/decide/missing-rows.ts';
import type { StoredReport } from '#shared/runs/decide/report.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { asServiceError, rowsMissing, runCancelled } from '#shared/runs/decide/stop-reasons.ts';
import { CopiedRows, deliverRows } from '#shared/runs/deliver-rows.ts';
import { readResults } from '#shared/runs/read-results.ts';
import type { RowCounts } from '#shared/runs/schema/row-counts.ts';
import {
  type RunContext,
  SearchPlan,
  type ShardPlace,
  WritingPlan,
  WrittenKind,
} from '#shared/runs/schema/run-context.ts';
import { GrowResult } from '#shared/runs/schema/run-result.ts';
import type { CombineRowsPorts } from './combine-rows.ts';
import {
  AUGMENTATION_COLUMNS,
  type AugmentationKind,
  AugmentRunRequest,
  Candidate,
  countRows,
  ExampleRow,
  Exchange,
  PoolSearch,
  promptsOf,
  textColumns,
  wantedRows,
  writtenRows,
} from './decide/pool/augment-request.ts';
import { type Hit, Nearest } from './decide/pool/exact-search.ts';
import { KnownPrompts } from './decide/pool/known-prompts.ts';
import { PoolRow } from './decide/pool/pool.ts';
import { aboutText, RowShape, readRow, shapeOf, withTextBehind } from './decide/pool/row-request.ts';
import { describeLacking } from './decide/pool/shortfall.ts';

export interface AssembleAugmentationPorts {
  readonly datasets: Pick<DatasetRepository, 'recordFindings'>;
  readonly runs: Pick<RunRepository, 'find'>;
  readonly unbilled: Pick<UnbilledAllowance, 'add'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write' | 'writeNew' | 'list'>;
  readonly writeRows: CombineRowsPorts['writeRows'];
}

interface AugmentationTally {
  readonly added: Record<AugmentationKind, number>;
  /** Requested model-generated rows that are missing. */
  missing: number;
  /** Whether all rows of the pool on the topics were looked at. */
  isExhausted: boolean;
  /** Tokens of written rows that the dataset has already. */
  unbilled: number;
  input: number;
  output: number;
  calls: number;
  seconds: number;
}

/**
 * Adds what was found and written to the rows of the source: of each topic its nearest rows, of the drawn rows those
 * that are farthest from all topics, and what a model wrote; none whose question the dataset has already, exactly
 * or nearly. Holds 256 bytes for each prompt that is compared and the texts of the rows that are looked at together. Safe to
 * repeat.
 * @throws {ServiceError} why the run was stopped; `nothing_to_add` where the dataset has all there is
 */
export async function assembleAugmentation(
  ports: AssembleAugmentationPorts,
  context: RunContext,
  now: number,
): Promise<{ rows: RowCounts }> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), AugmentRunRequest);
  const taken = await readJson(objects, objectKeys.combined(runId, 0), CopiedRows);
  const run = await ports.runs.find(datasetId, runId);
  if (run === null) throw new ServiceError('run_interrupted', 'The dataset of the run is gone.');

  const book: AugmentationTally = {
    added: { domain: 0, general: 0, similar: 0 },
    missing: 0,
    isExhausted: true,
    unbilled: 0,
    input: 0,
    output: 0,
    calls: 0,
    seconds: 0,
  };
  const chunkKey = (n: number): string => objectKeys.rows(datasetId, taken.chunks.length + n);
  // What the model wrote before is delivered; rows of the pool are only added here.
  const isCancelled = run.stop_reason?.code === runCancelled.code;
  const added = isCancelled ? { ...request, domain_rows: 0, general_rows: 0 } : request;
  const made = await ports.writeRows({
    rows: addedRows(objects, runId, added, taken, book),
    columns: taken.columns.map(({ name, type }) => ({ name, type })),
    chunkKey,
    writeChunk: (n, body) => objects.write(chunkKey(n), body, 'application/jsonl'),
  });

  const wanted = wantedRows(request);
  const rows = {
    ...{ total: taken.row_count, kept: taken.row_count, expanded: made.row_count },
    ...{ changed: 0, dropped: 0, failed: 0, not_selected: 0 },
    expansion_failed: countRows(wanted) - made.row_count,
  };
  const left = book.missing + (isCancelled ? request.domain_rows + request.general_rows : 0);
  const failure =
    left > 0
      ? asServiceError(rowsMissing(run, { missing: left, planned: countRows(wanted) }, now))
      : made.row_count === 0
        ? new ServiceError('nothing_to_add', NOTHING_TO_ADD)
        : null;
  const report: StoredReport = {
    rows,
    tokens: { input: book.input, output: book.output, calls: book.calls },
    call_seconds: book.seconds,
    edits: [],
    safety_scorers: {},
    pairs: 0,
    reported_rows: [],
    is_whole: failure === null,
    stages: (['domain', 'general', 'similar'] as const)
      .filter((kind) => wanted[kind] > 0)
      .map((kind) => ({
        name: kind,
        rows_in: wanted[kind],
        rows_out: book.added[kind],
        started_at: run.started_at,
        ended_at: new Date(now).toISOString(),
      })),
  };
  await objects.write(objectKeys.report(runId), JSON.stringify(report), 'application/json');
  if (made.row_count > 0) {
    const description = describeLacking({
      wanted,
      added: book.added,
      isCancelled,
      isInterrupted: book.missing > 0,
      isExhausted: book.isExhausted,
      isGeneralWritten: request.written_general_rows > 0,
    });
    const delivery = {
      columns: columnsOf(taken, made),
      mapping: request.mapping,
      kept: taken.chunks,
      keptRows: taken.row_count,
      made,
      ...(description === null ? {} : { description }),
      warnings: missingRowsWarning(made.row_count, countRows(wanted), description ?? ''),
    };
    await deliverRows(ports, context, delivery, now);
  }
  await ports.unbilled.add(context.team_id, book.unbilled, now);
  if (failure !== null) throw failure;
  return { rows };
}

const NOTHING_TO_ADD =
  'The pool has no rows that are on the topics of the dataset, and pool and model none that it does not have already.';

/** The canonical lines of the added rows, in blocks. */
async function* addedRows(
  objects: AssembleAugmentationPorts['objects'],
  runId: string,
  request: AugmentRunRequest,
  taken: CopiedRows,
  book: AugmentationTally,
): AsyncGenerator<Buffer> {
  const shape =
    (await findJson(objects, objectKeys.rowShape(runId), RowShape)) ??
    // A run that was planned before plans had it.
    shapeOf(await readJsonLines(objects, objectKeys.examples(runId), ExampleRow));
  const known = await learnSource(objects, request, shape, taken);
  const lineOf = lineWriter(request, shape, taken.columns);
  const blockOf = (kind: AugmentationKind, rows: readonly PoolRow[]): Buffer => {
    book.added[kind] += rows.length;
    return Buffer.from(rows.map((row) => `${lineOf(row, kind)}\n`).join(''), 'utf8');
  };
  if (request.domain_rows + request.general_rows > 0) {
    for await (const { kind, rows } of poolRows(objects, runId, request, known, book))
      yield blockOf(kind, rows);
  }
  for await (const { kind, rows } of writtenByModel(objects, runId, request, { known, shape }, book)) {
    yield blockOf(kind, rows);
  }
}

async function learnSource(
  objects: Pick<ObjectStore, 'read'>,
  request: AugmentRunRequest,
  shape: RowShape,
  { chunks, row_count: rowCount }: CopiedRows,
): Promise<KnownPrompts> {
  const known = new KnownPrompts(promptsOf(request, rowCount));
  for (const { key } of chunks) {
    for (const line of await readLines(objects, key)) {
      for (const asked of readRow(line, request).requests) known.add(asked.prompt, aboutText(asked, shape));
    }
  }
  return known;
}

/** Number of rows whose texts are loaded and compared together. */
const LOOKED_AT = 20_000;

interface FoundPoolRows {
  readonly kind: AugmentationKind;
  readonly rows: readonly PoolRow[];
}

async function* poolRows(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  request: AugmentRunRequest,
  known: KnownPrompts,
  book: AugmentationTally,
): AsyncGenerator<FoundPoolRows> {
  const search = await readJson(objects, objectKeys.topics(runId), PoolSearch);
  const { byTopic, drawn, shards } = await mergeCandidates(objects, runId, search);
  // A topic with fewer candidates than it may have has all that are near enough.
  book.isExhausted = search.topics.every(
    ({ candidates }, topic) =>
      candidates === 0 || candidates >= search.pool_rows || (byTopic[topic] ?? []).length < candidates,
  );
  const looked = new Set<number>();

  /** Takes up to `count` new rows, in order of `hits`. */
  async function* take(
    kind: AugmentationKind,
    hits: readonly Hit[],
    count: number,
  ): AsyncGenerator<FoundPoolRows> {
    let left = count;
    for (let at = 0; at < hits.length && left > 0; ) {
      const batch: number[] = [];
      for (; at < hits.length && batch.length < Math.min(LOOKED_AT, left + 16); at += 1) {
        const { row } = hits[at] as Hit;
        if (looked.has(row)) continue;
        looked.add(row);
        batch.push(row);
      }
      const texts = await readPoolRows(objects, shards, batch);
      const rows: PoolRow[] = [];
      for (const row of batch) {
        const text = texts.get(row);
        if (text === undefined) throw new Error(`The pool lacks the row ${row} that a search found.`);
        if (rows.length === left) looked.delete(row);
        else if (known.add(text.prompt)) rows.push(text);
      }
      left -= rows.length;
      if (rows.length > 0) yield { kind, rows };
    }
  }

  let added = 0;
  for (const [topic, hits] of byTopic.entries()) {
    for await (const found of take('domain', hits, search.topics[topic]?.rows ?? 0)) {
      added += found.rows.length;
      yield found;
    }
  }
  // If a topic has too few rows, the others fill up: the nearest of all remaining ones that are near enough.
  const rest = byTopic.flat().sort((a, b) => b.score - a.score || a.row - b.row);
  yield* take('domain', rest, request.domain_rows - added);
  yield* take('general', drawn, request.general_rows);
}

async function mergeCandidates(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  { topics, nearness }: PoolSearch,
): Promise<{ byTopic: Hit[][]; drawn: Hit[]; shards: Map<number, ShardPlace> }> {
  const nearest = topics.map(({ candidates }) => new Nearest(candidates));
  const drawn: Hit[] = [];
  const shards = new Map<number, ShardPlace>();
  for (const line of await readLines(objects, objectKeys.plan(runId))) {
    const group = SearchPlan.parse(JSON.parse(line));
    let first = group.first_row;
    for (const shard of group.shards) {
      shards.set(first, shard);
      first += shard.row_count;
    }
    const body = await objects.read(objectKeys.candidates(runId, group.n));
    if (body === null) {
      throw new ServiceError(
        'run_interrupted',
        'A part of the pool was not searched. Send the request again.',
      );
    }
    for (const found of body.toString('utf8').split('\n')) {
      if (found === '') continue;
      const { row, topic, score } = Candidate.parse(JSON.parse(found));
      // Searches that were planned before this bound was known have none.
      if (topic === null && (nearness <= -1 || score < nearness)) drawn.push({ row, score });
      if (topic !== null) nearest[topic]?.offer(row, score);
    }
  }
  drawn.sort((a, b) => a.score - b.score || a.row - b.row);
  return { byTopic: nearest.map((found) => found.sorted()), drawn, shards };
}

/** Shards whose texts are read concurrently. */
const READ_AT_ONCE = 16;

/** The texts of rows by index; `shards` maps the index of each shard's first row. */
async function readPoolRows(
  objects: Pick<ObjectStore, 'read'>,
  shards: ReadonlyMap<number, ShardPlace>,
  rows: readonly number[],
): Promise<Map<number, PoolRow>> {
  const wanted = rows.toSorted((a, b) => a - b);
  const groups: { shard: ShardPlace; first: number; rows: number[] }[] = [];
  let next = 0;
  for (const [first, shard] of shards) {
    const own: number[] = [];
    for (let row = wanted[next]; row !== undefined && row < first + shard.row_count; row = wanted[next]) {
      own.push(row);
      next += 1;
    }
    if (own.length > 0) groups.push({ shard, first, rows: own });
  }
  const texts = new Map<number, PoolRow>();
  for (let at = 0; at < groups.length; at += READ_AT_ONCE) {
    await Promise.all(
      groups.slice(at, at + READ_AT_ONCE).map(async ({ shard, first, rows: own }) => {
        const lines = await readLines(objects, objectKeys.poolRows(shard.load_id, shard.n));
        for (const row of own) {
          const line = lines[row - first];
          if (line !== undefined) texts.set(row, PoolRow.parse(JSON.parse(line)));
        }
      }),
    );
  }
  return texts;
}

async function* writtenByModel(
  objects: AssembleAugmentationPorts['objects'],
  runId: string,
  request: AugmentRunRequest,
  { known, shape }: { readonly known: KnownPrompts; readonly shape: RowShape },
  book: AugmentationTally,
): AsyncGenerator<FoundPoolRows> {
  const left = { ...writtenRows(request) };
  if (countRows(left) === 0) return;
  const missing = { similar: 0, general: 0 };
  for (const line of await readLines(objects, objectKeys.writingPlan(runId))) {
    const batch = WritingPlan.parse(JSON.parse(line));
    const results = await readResults(
      objects,
      { run_id: runId, n: batch.n },
      (value) => GrowResult.safeParse(value).data ?? null,
    );
    const { kind } = batch;
    missing[kind] += batch.row_count - results.size;
    const rows: PoolRow[] = [];
    for (const { outcome, cells, tokens, calls, seconds = 0 } of results.values()) {
      book.input += tokens.input;
      book.output += tokens.output;
      book.calls += calls;
      book.seconds += seconds;
      if (outcome !== 'made' || rows.length === left[kind]) continue;
      const { context = '', ...row } = PoolRow.parse(cells);
      const about = aboutText({ system: row.system ?? '', earlier: earlierOf(row), context }, shape);
      // Behind its prompt, as trainers read the context of the other rows.
      if (known.add(row.prompt, about)) rows.push({ ...row, prompt: withTextBehind(row.prompt, context) });
      else book.unbilled += tokens.input + tokens.output;
    }
    left[kind] -= rows.length;
    if (rows.length > 0) yield { kind, rows };
  }
  // Rows beyond those that were wanted are spares: that they were not reached takes nothing from the dataset.
  for (const kind of WrittenKind.options) if (left[kind] > 0) book.missing += missing[kind];
}

/** Writes a row with the dataset's column names. */
function lineWriter(
  request: AugmentRunRequest,
  { holdsRequest }: RowShape,
  columns: CopiedRows['columns'],
): (row: PoolRow, kind: AugmentationKind) => string {
  const { chat } = request.mapping;
  const texts = textColumns(request);
  const isText = (name: string): boolean => columns.find((each) => each.name === name)?.type === 'VARCHAR';
  const [kindColumn, sourceColumn] = AUGMENTATION_COLUMNS;
  return (row, kind) => {
    const cells = new Map<string, unknown>();
    const setCell = (name: string, value: readonly object[] | null): void => {
      cells.set(name, value !== null && isText(name) ? JSON.stringify(value) : value);
    };
    const setTurns = (name: string, ...turns: readonly object[]): void => setCell(name, turns);
    // What has a column of its own is not said in the turns as well.
    const question = turnsOf(request.system === undefined ? row : { ...row, system: undefined });
    if (chat !== undefined) setTurns(chat, ...question, { role: 'assistant', content: row.completion });
    for (const [name, text] of texts) {
      const content = row[text] ?? null;
      if (text === 'earlier') setCell(name, historyOf(row));
      else if (content === null || text === 'system' || !request.conversations.includes(name))
        cells.set(name, content);
      else if (text === 'prompt') setTurns(name, ...question);
      else setTurns(name, ...(holdsRequest ? question : []), { role: 'assistant', content });
    }
    cells.set(kindColumn.name, kind);
    cells.set(sourceColumn.name, row.source ?? null);
    return JSON.stringify(
      Object.fromEntries(columns.flatMap(({ name }) => (cells.has(name) ? [[name, cells.get(name)]] : []))),
    );
  };
}

/** The turns of an added row up to its prompt. */
const turnsOf = (row: PoolRow): object[] => [
  ...(row.system === undefined ? [] : [{ role: 'system', content: row.system }]),
  ...earlierOf(row).flatMap(({ user, assistant }) => [
    { role: 'user', content: user },
    { role: 'assistant', content: assistant },
  ]),
  { role: 'user', content: row.prompt },
];

/** The turns before its prompt as a cell of `history`: pairs of what the user says and the reply. */
const historyOf = (row: PoolRow): [string, string][] | null =>
  row.earlier === undefined ? null : earlierOf(row).map(({ user, assistant }) => [user, assistant]);

const earlierOf = ({ earlier }: Pick<PoolRow, 'earlier'>): Exchange[] =>
  earlier === undefined ? [] : z.array(Exchange).parse(JSON.parse(earlier));

/** A column that is empty in the source has the type of the added cells. */
function columnsOf(taken: CopiedRows, made: Pick<CopiedRows, 'columns'>): CopiedRows['columns'] {
  return taken.columns.map((column) => {
    const own = made.columns.find(({ name }) => name === column.name);
    return column.profile?.is_empty === true && own !== undefined ? own : column;
  });
}
