import { readJson } from '#shared/platform/storage/json-objects.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { nextHyperparams } from './decide/next-hyperparams.ts';
import { toStageHyperparams } from './decide/recommend-hyperparams.ts';
import type { TrainingRecord } from './decide/record.ts';
import type { TrainingRepository } from './decide/repository.ts';
import { modelOf } from './decide/resolve.ts';
import { requireTraining } from './require-training.ts';
import { IterationOutcome, type Proposal, TrainingData } from './schema/training-outcome.ts';

export interface ProposeHyperparamsPorts {
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

/** Decides and stores the hyperparameters of the next iteration. Idempotent: the result is deterministic. */
export async function proposeHyperparams(
  ports: ProposeHyperparamsPorts,
  context: RunContext,
): Promise<{ iteration: number }> {
  const { objects } = ports;
  const training = await requireTraining(ports, context);
  const { experiment_id: id } = training;
  const history = await readOutcomes(objects, training);
  const iteration = history.length + 1;
  const { stages, why } =
    training.comparison === undefined
      ? nextHyperparams({ ...training, pinned: training.overrides, history })
      : { stages: training.recommended, why: 'The same hyperparameters in all trainings of the comparison.' };
  const { train_rows: rows } = await readJson(objects, objectKeys.trainingData(id), TrainingData);
  const model = modelOf(training);
  const proposal: Proposal = {
    stages: stages.map(({ method, hyperparams }) => ({
      method,
      hyperparams: toStageHyperparams(model, method, rows, hyperparams),
    })),
    hyperparams: stages.at(-1)?.hyperparams ?? {},
    why,
  };
  await objects.write(objectKeys.proposal(id, iteration), JSON.stringify(proposal), 'application/json');
  return { iteration };
}

/** The outcomes of the iterations so far, in order. */
export async function readOutcomes(
  objects: Pick<ObjectStore, 'read'>,
  { experiment_id: id, iterations_completed }: Pick<TrainingRecord, 'experiment_id' | 'iterations_completed'>,
): Promise<IterationOutcome[]> {
  return Promise.all(
    Array.from({ length: iterations_completed }, (_, index) =>
      readJson(objects, objectKeys.iterationOutcome(id, index + 1), IterationOutcome),
    ),
  );
}
