import { madeDataset } from '#shared/datasets/decide/made-dataset.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { DatasetRepository } from '#shared/datasets/decide/repository.ts';
import { readCombineSource } from '#shared/growth/combine-sources.ts';
import { type AugmentRunRequest, countRows, wantedRows } from '#shared/growth/decide/pool/augment-request.ts';
import { requireComparable } from '#shared/growth/launch-augmentation.ts';
import { derivedId } from '#shared/platform/derived-id.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { TabularFormat } from '#shared/platform/schema/file-format.ts';
import { DEFAULT_PLAN, type Plan } from '#shared/platform/schema/plan.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { adaptationOf } from '#shared/runs/decide/record.ts';
import type { RunRepository } from '#shared/runs/decide/repository.ts';
import type { EndRun } from '#shared/runs/end-run.ts';
import { createLaunchRun, type LaunchRunPorts } from '#shared/runs/launch-run.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { endAugmentation } from './bill-training.ts';
import { hasEnded } from './decide/has-ended.ts';
import type { ExampleColumns, TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';

export interface StartTrainingAugmentationPorts extends Omit<LaunchRunPorts, 'newId' | 'objects'> {
  readonly datasets: Pick<DatasetRepository, 'find'>;
  readonly runs: RunRepository;
  readonly trainings: Pick<TrainingRepository, 'find' | 'recordProgress'>;
  readonly endRun: EndRun;
  readonly objects: Pick<ObjectStore, 'head' | 'read' | 'write'>;
}

/** What the plan of the team limits was checked when the training was launched. */
const UNLIMITED: Plan = {
  ...DEFAULT_PLAN,
  name: 'training',
  runs_at_once: Number.MAX_SAFE_INTEGER,
  unbilled_tokens_per_hour: null,
};

/** The dataset with a training's own and added rows, and the run that creates it. */
export type TrainingAugmentation = NonNullable<TrainingRecord['augmented']>;

/**
 * Starts to make the dataset that a training with augmentation rows trains on: an ordinary augmented one, whose first
 * `source_rows` rows are the training's own. Its run costs nothing, since the training has reserved its rows, and does
 * not count where the team has as many runs as its plan allows. Safe to repeat: ids follow from that of the training.
 * @throws {ServiceError} `run_interrupted` where the training has ended
 */
export async function startTrainingAugmentation(
  ports: StartTrainingAugmentationPorts,
  training: TrainingRecord,
  now: number,
): Promise<TrainingAugmentation> {
  const { experiment_id: experimentId } = training;
  const augmented: TrainingAugmentation = {
    dataset_id: derivedId(`${experimentId} augmented dataset`),
    run_id: derivedId(`${experimentId} augmentation`),
  };
  const { dataset_id, run_id } = augmented;
  const begun = await ports.runs.find(dataset_id, run_id);
  if (begun !== null) {
    if (begun.status === 'running') {
      await ports.executions.start('augment', { run_id, dataset_id, team_id: training.team_id });
    }
    return augmented;
  }

  const source = await ports.datasets.find(training.dataset_id);
  if (source === null) throw new ServiceError('run_interrupted', 'The dataset of the training is gone.');
  const request = await requestOf(ports, training, source);
  const rows = countRows(wantedRows(request));
  requireComparable(request, training.source_rows);
  // The training names its run before there is one, so that a cancellation in between finds it.
  if (!(await ports.trainings.recordProgress(experimentId, { augmented, status: 'running' }))) {
    throw new ServiceError('run_interrupted', 'The training has ended before its rows were added.');
  }
  const launchRun = createLaunchRun({ ...ports, newId: () => run_id });
  await launchRun({
    caller: { ...training, plan: UNLIMITED },
    dataset: datasetOf(training, source, dataset_id, now),
    isNew: true,
    pipeline: 'augment',
    request,
    decide: () => ({
      credits: 0,
      rows,
      response: () => null,
    }),
    now,
  });
  // If the training ended before this run was there, nothing has ended the run.
  const current = await ports.trainings.find(training.team_id, experimentId);
  if (current === null || hasEnded(current)) {
    await endAugmentation(ports, { ...training, augmented }, now);
    throw new ServiceError('run_interrupted', 'The training ended while its rows were being added.');
  }
  return augmented;
}

async function requestOf(
  { runs, objects }: Pick<StartTrainingAugmentationPorts, 'runs' | 'objects'>,
  training: TrainingRecord,
  source: DatasetRecord,
): Promise<AugmentRunRequest> {
  const { columns, dataset_id, source_run_id } = training;
  const run = source_run_id === null ? null : await runs.find(dataset_id, source_run_id);
  const adaptedId = adaptationOf(run)?.run_id ?? null;
  const shape = await readCombineSource(objects, source, source.columns ?? [], adaptedId);
  // An adapted dataset has the original prompt besides the enhanced one: neither may be duplicated.
  const original = source.configured_column_mapping?.prompt;
  const hasOriginal = shape.columns.some(({ name }) => name === original);
  return {
    source: { dataset_id, run_id: source_run_id },
    mapping: mappingOf(columns),
    conversations: columns.conversations ?? [],
    context: [...columns.context],
    ...(columns.history === undefined ? {} : { history: columns.history }),
    ...(columns.system === undefined ? {} : { system: columns.system }),
    asks: [...new Set([columns.prompt, ...(original !== undefined && hasOriginal ? [original] : [])])],
    training_type: training.training_method === 'alignment' ? 'preference_pairs' : 'instruction_dataset',
    // Both are synthetic (spec §4.20): a model writes the ones after rows of the training's own dataset, the others after
    // briefs on topics of all kinds.
    domain_rows: 0,
    general_rows: 0,
    similar_rows: training.augmentation_domain_rows,
    written_general_rows: training.augmentation_general_rows,
    budget: training.augmentation_budget,
  };
}

/** The columns for the parts of an added row, so that the training finds them like its own. */
function mappingOf({ prompt, completion, chosen, rejected }: ExampleColumns): ConfiguredColumnMapping {
  if (completion === null && chosen === null) return { chat: prompt, context: [] };
  return {
    prompt,
    ...(completion === null ? {} : { completion }),
    ...(chosen === null || rejected === null ? {} : { chosen, rejected }),
    context: [],
  };
}

function datasetOf(
  training: TrainingRecord,
  source: DatasetRecord,
  datasetId: string,
  now: number,
): DatasetRecord {
  return madeDataset(
    training,
    {
      kind: 'augmented',
      sourceDatasetId: source.dataset_id,
      sources: [source],
      name: `${source.name.slice(0, 150)} (augmented for training ${training.experiment_id})`,
      description: `The rows of ${source.name}, and those that the training ${training.experiment_id} had added.`,
      format: TabularFormat.safeParse(source.file_format).data ?? 'jsonl',
    },
    datasetId,
    now,
  );
}
