import { EXPAND_ROWS_PROMPTS } from '#shared/adaptation/decide/expand-rows.ts';
import { CALL_SECONDS_ASSUMED } from '#shared/adaptation/decide/quote.ts';
import { LabelLearner } from '#shared/answers/decide/label-learner.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { batchRows, workforceOf } from '#shared/runs/decide/plan.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import { sampleRows } from '#shared/runs/decide/sample-rows.ts';
import type { ExpansionSelection } from '#shared/runs/schema/expansion.ts';
import type { GrowPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import type { ExportColumn } from '#shared/tabular/decide/export-columns.ts';
import type { RowsChunk, RowsManifest } from '#shared/tabular/schema/rows-manifest.ts';
import { type CombineRowsPorts, openSource, takeRows } from './combine-rows.ts';
import { EXTENDED_PROMPT, ExpandRunRequest, ORIGIN_COLUMNS } from './decide/expand-request.ts';
import { EXTEND_PROMPTS } from './decide/extend-conversation.ts';
import { Fingerprints } from './decide/fingerprints.ts';
import { tellingColumns } from './decide/row-identity.ts';

export interface TakeSourcePorts extends Pick<CombineRowsPorts, 'datasets' | 'objects' | 'writeRows'> {
  readonly runs: Pick<RunRepository, 'find' | 'recordPlan'>;
  readonly modelConcurrency: number;
  /** Model id by role, as used in this run. */
  readonly models: Readonly<Record<string, string>>;
}

export interface PlannedGrowth {
  readonly plan_key: string;
  readonly max_concurrency: number;
}

/**
 * Copies the rows of the source's download, and plans the rows to generate from them. Rows in other languages derive
 * from distinct rows with text. Holds a chunk and a few bytes a row. Idempotent: the same rows are selected again.
 * @throws {ServiceError} `run_interrupted` if the source or the run is gone, `nothing_to_add` if no row has text
 */
export async function takeSource(ports: TakeSourcePorts, context: RunContext): Promise<PlannedGrowth> {
  const { objects } = ports;
  const { run_id: runId, dataset_id: datasetId } = context;
  const request = await readJson(objects, objectKeys.runRequest(runId), ExpandRunRequest);
  const isLanguages = request.kind === 'languages';
  const source = await openSource(ports, context, request.source);
  const taken = await takeRows(
    ports,
    (n) => (isLanguages ? objectKeys.rows(datasetId, n) : objectKeys.takenRows(runId, n)),
    source,
    withColumns(source.shape.columns, isLanguages ? ORIGIN_COLUMNS : [EXTENDED_PROMPT]),
  );
  await objects.write(objectKeys.combined(runId, 0), JSON.stringify(taken), 'application/json');

  const planKey = objectKeys.plan(runId);
  const planned = await planGrowth(ports, context, request, taken, {
    planKey,
    requestKey: objectKeys.runRequest(runId),
    firstChunk: 0,
  });
  if (planned.rows === 0) {
    throw new ServiceError('nothing_to_add', 'No row of the dataset has text to expand.');
  }
  const isActive = await ports.runs.recordPlan(datasetId, runId, {
    total_rows: planned.rows,
    models: { ...ports.models },
    prompt_versions: isLanguages ? EXPAND_ROWS_PROMPTS[request.expansion.type] : EXTEND_PROMPTS,
  });
  if (!isActive) throw new ServiceError('run_interrupted', 'The run has ended before it was planned.');
  return { plan_key: planKey, max_concurrency: planned.workers };
}

/**
 * Writes the workers' plans for generating rows from the copied ones; the plan's batches are numbered from `firstChunk`.
 */
export async function planGrowth(
  { objects, modelConcurrency }: Pick<TakeSourcePorts, 'objects' | 'modelConcurrency'>,
  context: RunContext,
  request: ExpandRunRequest,
  taken: Pick<RowsManifest, 'chunks' | 'row_count'>,
  at: { readonly planKey: string; readonly requestKey: string; readonly firstChunk: number },
): Promise<{ rows: number; workers: number }> {
  const workforce = workforceOf(modelConcurrency);
  const calls = request.kind === 'languages' ? request.texts.length : 1;
  const rowsMax = batchRows(calls * CALL_SECONDS_ASSUMED, workforce);
  const plan: GrowPlan[] = [];
  let firstRow = 0;
  const learner = new LabelLearner(labelled(request), request.mapping.prompt);
  const labelsKey = objectKeys.expansionLabels(context.run_id);
  for await (const { chunk, selections } of select(objects, taken, request, learner)) {
    for (let from = 0; from < selections.length; from += rowsMax) {
      const piece = selections.slice(from, from + rowsMax);
      const n = at.firstChunk + plan.length;
      const selectionKey = objectKeys.expansionSelection(context.run_id, n);
      await writeLines(objects, selectionKey, piece);
      plan.push({
        ...context,
        n,
        first_row: firstRow,
        row_count: piece.length,
        chunk_key: chunk.key,
        chunk_first_row: chunk.first_row,
        selection_key: selectionKey,
        labels_key: labelsKey,
        request_key: at.requestKey,
      });
      firstRow += piece.length;
    }
  }
  await writeLines(objects, labelsKey, learner.labels());
  await writeLines(objects, at.planKey, plan);
  return { rows: firstRow, workers: workforce.workers };
}

/** The columns whose texts may be labels. Instructions are none, however few and short they are, and neither are earlier turns. */
function labelled(request: ExpandRunRequest): string[] {
  if (request.kind !== 'languages') return [];
  const { history, system } = request.mapping.beside ?? {};
  return request.texts.filter((name) => name !== history && name !== system);
}

/** The columns of the source, and additional ones of a run, which are null in copied rows. */
export function withColumns(
  columns: readonly ExportColumn[],
  added: readonly { readonly name: string; readonly type: string }[],
): ExportColumn[] {
  const known = new Set(columns.map(({ name }) => name));
  return [
    ...columns,
    ...added.flatMap(({ name, type }) => (known.has(name) ? [] : [{ name, type, result: name }])),
  ];
}

interface ChunkSelection {
  readonly chunk: RowsChunk;
  readonly selections: readonly ExpansionSelection[];
}

/** The rows to generate for each chunk, by row, then by target. The learner takes all rows with text. */
async function* select(
  objects: Pick<ObjectStore, 'read'>,
  { chunks, row_count: rowCount }: Pick<RowsManifest, 'chunks' | 'row_count'>,
  request: ExpandRunRequest,
  learner: LabelLearner,
): AsyncGenerator<ChunkSelection> {
  const seed = request.source.dataset_id;
  const rows =
    request.kind === 'languages' ? await findRowsWithText(objects, chunks, request, learner) : null;
  const population = rows?.length ?? rowCount;
  const targets = request.kind === 'languages' ? request.expansion.targets : [null];
  const samples = targets.map((target, index) =>
    sampleRows(
      population,
      Math.min(population, shareOf(request.rows, targets.length, index)),
      `growth ${seed} ${target?.language} ${target?.country}`,
    ),
  );
  const next = samples.map(() => 0);
  let place = 0;
  for (const chunk of chunks) {
    const selections: ExpansionSelection[] = [];
    const end = chunk.first_row + chunk.row_count;
    for (; place < population; place += 1) {
      const row = rows === null ? place : (rows[place] as number);
      if (row >= end) break;
      for (const [target, sample] of samples.entries()) {
        const at = next[target] as number;
        if (sample[at] !== place) continue;
        selections.push({ row, target });
        next[target] = at + 1;
      }
    }
    yield { chunk, selections };
  }
}

/** The share of one of `parts` in `rows`: as equal as possible, the first ones take the rest. */
function shareOf(rows: number, parts: number, index: number): number {
  return Math.floor(rows / parts) + (index < rows % parts ? 1 : 0);
}

/** Distinct rows with text; of duplicates the first. Rows that differ by their context alone are distinct. */
async function findRowsWithText(
  objects: Pick<ObjectStore, 'read'>,
  chunks: readonly RowsChunk[],
  request: Extract<ExpandRunRequest, { kind: 'languages' }>,
  learner: LabelLearner,
): Promise<number[]> {
  const columns = tellingColumns(request);
  const known = new Fingerprints();
  const rows: number[] = [];
  for (const chunk of chunks) {
    for (const [line, text] of (await readLines(objects, chunk.key)).entries()) {
      const cells = readCells(text, columns);
      const hasText = request.texts.some((name) => cells.get(name)?.trim());
      if (hasText) learner.take(chunk.first_row + line, (name) => cells.get(name));
      if (hasText && known.add([...cells.values()])) rows.push(chunk.first_row + line);
    }
  }
  return rows;
}
