import { openaiId } from '#shared/openai/decide/ids.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { assembleIteration } from '#shared/training/compare-iteration.ts';
import type { TrainingRecord } from '#shared/training/decide/record.ts';
import { deliverIteration, queueIteration } from './iterating.ts';
import { endTrainingNow, launchTraining, seedTrainable } from './training.ts';
import type { World } from './world.ts';

/** A training of a dataset of its own. */
export const beginJob = async (
  world: World,
  owner: Caller,
  fields: Partial<TrainingRecord> = {},
): Promise<TrainingRecord> => launchTraining(world, await seedTrainable(world, owner), fields);

/** The path of a job. */
export const jobParams = ({ experiment_id }: Pick<TrainingRecord, 'experiment_id'>) => ({
  fine_tuning_job_id: openaiId('ftjob-', experiment_id),
});

/** A training of two iterations, of two steps each, that won on 4 and on 8 of 20 rows that were held out. */
export async function measuredJob(world: World, owner: Caller): Promise<TrainingRecord> {
  const training = await beginJob(world, owner, {
    recommended: [{ method: 'sft', hyperparams: { n_epochs: 2, batch_size: 'max', learning_rate: 0.001 } }],
  });
  const { experiment_id: run_id, dataset_id, team_id } = training;
  const context = { run_id, dataset_id, team_id };
  const curve = { steps: 2, steps_planned: 2, seconds: 4 };
  const losses = [3, 2].map((loss, n) => ({ step: n + 1, loss }));
  for (const wins of [4, 8]) {
    const job = await queueIteration(world, context);
    await deliverIteration(world, job, wins, {
      stages: [{ method: 'sft', ...curve, train_loss: losses, held_out_loss: [{ step: 2, loss: 2.5 }] }],
    });
    const { iteration, attempt } = job;
    await assembleIteration(
      { ...world.store, objects: world.objects, judgeId: null },
      { ...context, iteration, attempt },
      null,
    );
  }
  await endTrainingNow(world, training, {});
  return training;
}
