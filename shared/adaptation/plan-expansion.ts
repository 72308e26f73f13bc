import { LabelLearner } from '#shared/answers/decide/label-learner.ts';
import { own } from '#shared/platform/own.ts';
import { readJson, readJsonLines, readLines, writeLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { isDelivered } from '#shared/runs/decide/outcomes.ts';
import { batchRows, shareWorkers, workforceOf } from '#shared/runs/decide/plan.ts';
import { sampleRows } from '#shared/runs/decide/sample-rows.ts';
import type { ExpansionSelection, ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import { BatchPlan, type ExpandPlan, type RunContext } from '#shared/runs/schema/run-context.ts';
import { RunResult } from '#shared/runs/schema/run-result.ts';
import { isExpandable } from './decide/expand-rows.ts';
import { rowsPerTarget, secondsPerAddedRow } from './decide/quote.ts';
import { RunRequestObject } from './decide/run-request.ts';

export interface PlanExpansionPorts {
  readonly objects: ObjectStore;
  readonly modelConcurrency: number;
}

export interface PlannedExpansion {
  readonly plan_key: string;
  readonly chunk_count: number;
  readonly max_concurrency: number;
}

/**
 * Samples the delivered rows for each target, deterministically, and writes the workers' plans. Dropped and failed
 * rows, and those without text, are skipped. A run that lacks results will fail, and gets an empty plan.
 */
export async function planExpansion(
  ports: PlanExpansionPorts,
  context: RunContext,
): Promise<PlannedExpansion> {
  const { objects } = ports;
  const { run_id: runId } = context;
  const { specification } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  const { expansion } = specification;
  if (expansion === null) throw new Error('The run has no expansion to plan.');
  const workforce = workforceOf(ports.modelConcurrency);
  const batchRowsMax = batchRows(secondsPerAddedRow(specification), workforce);

  const batches = await readJsonLines(objects, objectKeys.plan(runId), BatchPlan);
  const learner = new LabelLearner(['enhanced_completion'], 'enhanced_prompt');
  const delivered = await readDelivered(objects, runId, batches, learner);
  const labelsKey = objectKeys.expansionLabels(runId);
  await writeLines(objects, labelsKey, learner.labels());
  const plan: ExpandPlan[] = [];
  let firstRow = 0;
  for (const { batch, selections } of select(delivered ?? [], expansion, context.dataset_id)) {
    for (let at = 0; at < selections.length; at += batchRowsMax) {
      const piece = selections.slice(at, at + batchRowsMax);
      const n = batches.length + plan.length;
      const key = objectKeys.expansionSelection(runId, n);
      await writeLines(objects, key, piece);
      const { run_id, dataset_id, team_id } = context;
      plan.push({
        run_id,
        dataset_id,
        team_id,
        n,
        first_row: firstRow,
        row_count: piece.length,
        batch,
        selection_key: key,
        labels_key: labelsKey,
      });
      firstRow += piece.length;
    }
  }
  await writeLines(objects, objectKeys.expansionPlan(runId), plan);
  const bytes = new Map(delivered?.map((batch) => [batch.batch, batch.bytes]));
  const work = shareWorkers(plan, {
    rowsMax: batchRowsMax,
    bytesOf: ({ batch }) => bytes.get(batch) ?? 0,
  });
  const planKey = objectKeys.expansionWork(runId);
  await writeLines(objects, planKey, work);
  return { plan_key: planKey, chunk_count: work.length, max_concurrency: workforce.workers };
}

interface Delivered {
  readonly batch: number;
  readonly rows: readonly number[];
  /** Bytes of its results, in UTF-16. */
  readonly bytes: number;
}

/** The possible source rows of each batch, from which labels are learned; null if a batch has no result. */
async function readDelivered(
  objects: Pick<ObjectStore, 'read'>,
  runId: string,
  batches: readonly BatchPlan[],
  learner: LabelLearner,
): Promise<Delivered[] | null> {
  const delivered: Delivered[] = [];
  for (const { n } of batches) {
    const lines = await readLines(objects, objectKeys.result(runId, n));
    if (lines.length === 0) return null;
    const rows = lines.flatMap((line) => {
      const result = RunResult.parse(JSON.parse(line));
      const { row, cells } = result;
      if (!isDelivered(result) || cells === undefined || !isExpandable(cells)) return [];
      learner.take(row, (column) => own(cells, column));
      return [row];
    });
    delivered.push({ batch: n, rows, bytes: lines.reduce((sum, line) => sum + 2 * line.length, 0) });
  }
  return delivered;
}

/** The rows to generate for each batch, by row, then by target. */
function* select(
  delivered: readonly Delivered[],
  expansion: ResolvedExpansion,
  seed: string,
): Generator<{ batch: number; selections: ExpansionSelection[] }> {
  const population = delivered.reduce((sum, { rows }) => sum + rows.length, 0);
  const count = rowsPerTarget(population, expansion);
  const samples = expansion.targets.map(({ language, country }) =>
    sampleRows(population, count, `expansion ${seed} ${language} ${country}`),
  );
  const next = samples.map(() => 0);
  let place = 0;
  for (const { batch, rows } of delivered) {
    const selections: ExpansionSelection[] = [];
    for (const row of rows) {
      for (const [target, sample] of samples.entries()) {
        const at = next[target] ?? 0;
        if (sample[at] !== place) continue;
        selections.push({ row, target });
        next[target] = at + 1;
      }
      place += 1;
    }
    yield { batch, selections };
  }
}
