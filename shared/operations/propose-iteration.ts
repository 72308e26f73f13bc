import { objectKeys } from '../domain/storage/object-keys.ts';
import type { ObjectStore } from '../domain/storage/object-store.ts';
import { proposeHyperparams } from '../domain/training/propose.ts';
import { toStageHyperparams } from '../domain/training/recommend-hyperparams.ts';
import type { TrainingRecord } from '../domain/training/record.ts';
import type { TrainingRepository } from '../domain/training/repository.ts';
import { modelOf } from '../domain/training/resolve.ts';
import type { RunContext } from '../schema/run-context.ts';
import { IterationOutcome, type Proposal, TrainingData } from '../schema/training-outcome.ts';
import { readJson } from './json-objects.ts';
import { requireTraining } from './require-training.ts';

export interface ProposeIterationPorts {
  readonly trainings: Pick<TrainingRepository, 'find'>;
  readonly objects: Pick<ObjectStore, 'read' | 'write'>;
}

/** Decides and stores the hyperparameters of the next iteration. Idempotent: the result is deterministic. */
export async function proposeIteration(
  ports: ProposeIterationPorts,
  context: RunContext,
): Promise<{ iteration: number }> {
  const { objects } = ports;
  const training = await requireTraining(ports, context);
  const { experiment_id: id } = training;
  const history = await readOutcomes(objects, training);
  const iteration = history.length + 1;
  const { stages, why } = proposeHyperparams({ ...training, history });
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
