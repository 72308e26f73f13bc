import { createSafetyScorer, type SafetyScorer } from '#shared/judging/decide/safety/safety-scorer.ts';
import { safetyCell } from '#shared/judging/decide/safety/safety-scores.ts';
import { safetyJudge } from '#shared/judging/find-judge.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { readJson, readLines } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { rowsToMake } from '#shared/runs/rows-to-make.ts';
import { type Invocation, type RunRows, runWorker, type WorkStatus } from '#shared/runs/run-worker.ts';
import { ExpansionSelection } from '#shared/runs/schema/expansion.ts';
import type { ExpandPlan, ExpandWork } from '#shared/runs/schema/run-context.ts';
import { ExpansionResult, RunResult } from '#shared/runs/schema/run-result.ts';
import type { AdaptBatchPorts } from './adapt-batch.ts';
import { createRowExpander, type RowExpander } from './decide/expand-rows.ts';
import type { ProducedCells } from './decide/row-program.ts';
import { RunRequestObject } from './decide/run-request.ts';
import type { AdaptationSpecification } from './decide/specification.ts';
import { reviewCells } from './decide/with-safety.ts';
import { readLabels } from './read-labels.ts';

export interface ExpandBatchPorts extends Omit<AdaptBatchPorts, 'models' | 'search' | 'fetchImage'> {
  readonly models: Pick<AdaptBatchPorts['models'], 'rewrite' | 'judge' | 'embedder'> & {
    /** Null if the installation uses the rewriting model for translations. */
    readonly translate: ModelClient | null;
  };
}

/** Adds rows in other languages, each from a row of the batch that its plan names. */
export const expandBatch = (
  ports: ExpandBatchPorts,
  work: ExpandWork,
  invocation: Invocation,
): Promise<{ status: WorkStatus }> =>
  runWorker(ports, work, invocation, (plan: ExpandPlan) => openExpansion(ports, plan));

async function openExpansion(ports: ExpandBatchPorts, plan: ExpandPlan): Promise<RunRows<ExpansionResult>> {
  const { objects } = ports;
  const { run_id: runId } = plan;
  const { specification, budget } = await readJson(objects, objectKeys.runRequest(runId), RunRequestObject);
  const { safety } = specification;
  const targets = specification.expansion?.targets ?? [];
  const lines = await readLines(objects, plan.selection_key);
  const sources = await readSources(ports, runId, plan.batch, lines);
  const labels = await readLabels(objects, plan);
  const expander = await expanderOf(ports, specification, labels);
  const scorer = await scorerOf(ports, specification);
  const selectionOf = (line: string) => ExpansionSelection.parse(JSON.parse(line));

  return rowsToMake({
    lines,
    budget,
    known(line) {
      const { row, target } = selectionOf(line);
      return { source_row: row, target };
    },
    async make(line, _row, asking, meter) {
      const { row: sourceRow, target: index } = selectionOf(line);
      const cells = sources.get(sourceRow);
      const target = targets[index];
      if (cells === undefined || target === undefined) {
        throw new Error(`Row ${sourceRow} was selected for an expansion, but has no text.`);
      }
      const expanded = await expander.expand(cells, target, asking, meter);
      const reviewed =
        safety === null || scorer === null
          ? { cells: safety === null ? expanded.cells : unscored(expanded.cells), notes: [] }
          : await reviewCells(expanded.cells, safety, scorer, asking, meter);
      return {
        outcome: 'expanded',
        ...reviewed,
        notes: [...expanded.notes, ...reviewed.notes],
        cells: {
          ...reviewed.cells,
          expansion_language: target.language,
          expansion_country: target.country,
          expansion_source_row: sourceRow,
        },
      };
    },
    parse: (value) => ExpansionResult.parse(value),
  });
}

/** The run's output for the source rows of a batch. */
async function readSources(
  { objects }: Pick<ExpandBatchPorts, 'objects'>,
  runId: string,
  batch: number,
  selections: readonly string[],
): Promise<Map<number, ProducedCells>> {
  const wanted = new Set(selections.map((line) => ExpansionSelection.parse(JSON.parse(line)).row));
  const sources = new Map<number, ProducedCells>();
  for (const line of await readLines(objects, objectKeys.result(runId, batch))) {
    const { row, cells } = RunResult.parse(JSON.parse(line));
    if (wanted.has(row) && cells !== undefined) sources.set(row, cells);
  }
  return sources;
}

/** @throws {ServiceError} `model_unavailable` if the installation has no translation model */
async function expanderOf(
  { models, contextTokensMax }: ExpandBatchPorts,
  { expansion, prompt_metadata_injection: hasMetadata }: AdaptationSpecification,
  labels: readonly string[],
): Promise<RowExpander> {
  const model = models.translate ?? models.rewrite;
  if (model === null) {
    throw new ServiceError(
      'model_unavailable',
      'The installation has no model for translating: configure one.',
    );
  }
  const detectLanguage = await loadLanguageDetector();
  return createRowExpander({
    hasMetadata,
    type: expansion?.type ?? 'translate',
    labels,
    model,
    detectLanguage,
    contextTokensMax,
  });
}

/** The cells of a row that only the English word lists could score. Its source passed what the run asks for. */
const unscored = (cells: ProducedCells): ProducedCells => ({
  ...cells,
  prompt_safety_issues: safetyCell('language'),
  response_safety_issues: safetyCell('language'),
});

/** The scorer of added rows; null without requested safety, and if only the English word lists could score. */
async function scorerOf(
  { models, calibrations }: ExpandBatchPorts,
  { safety }: AdaptationSpecification,
): Promise<SafetyScorer | null> {
  const judge = safety === null ? null : await safetyJudge(models.judge, calibrations);
  if (judge === null) return null;
  return createSafetyScorer({
    judge,
    embedder: models.embedder,
    detectLanguage: await loadLanguageDetector(),
  });
}
