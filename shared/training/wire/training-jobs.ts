import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { createTaskTokens } from '../adapters/task-tokens.ts';
import { createTrainingJobLauncher, createTrainingJobStopper } from '../adapters/training-jobs.ts';
import { followTrainingJob as follow, stopTrainingJobs as stop } from '../follow-training-job.ts';
import { launchTrainingJob as launch } from '../launch-training-job.ts';
import { TrainerMessage, type TrainingJobState } from '../schema/training-job.ts';
import { theTrainings } from './trainings.ts';

const bucket = { read: ['trainings'] } as const;

/** Handles a message of the trainer's queue. */
export const launchTrainingJob = /* @__PURE__ */ need<(message: string) => ReturnType<typeof launch>>(
  { table: 'write', bucket, trainingJobs: 'launch', fails: ['train'] },
  () => (message) =>
    launch(
      {
        trainings: theTrainings(),
        objects: theObjects(),
        tokens: createTaskTokens(),
        jobs: {
          ...createTrainingJobStopper(env.stage()),
          ...createTrainingJobLauncher(env.stage(), {
            image: env.trainingJobImage(),
            roleArn: env.trainingJobRoleArn(),
            sourceUrl: env.trainingJobSourceUrl(),
            instanceType: env.trainingJobInstanceType(),
            volumeGb: env.trainingJobVolumeGb(),
            hoursMax: env.trainingJobHoursMax(),
            spot: env.trainingJobSpot(),
          }),
        },
      },
      TrainerMessage.parse(JSON.parse(message)),
    ),
);

export const followTrainingJob = /* @__PURE__ */ need<
  (state: TrainingJobState, now: number) => ReturnType<typeof follow>
>(
  { table: 'write', bucket, trainingJobs: 'stop', fails: ['train'] },
  () => (state, now) =>
    follow(
      {
        trainings: theTrainings(),
        objects: theObjects(),
        tokens: createTaskTokens(),
        jobs: createTrainingJobStopper(env.stage()),
      },
      state,
      now,
    ),
);

export const stopTrainingJobs = /* @__PURE__ */ need<(input: string) => ReturnType<typeof stop>>(
  { table: 'read', trainingJobs: 'stop' },
  () => (input) => stop({ trainings: theTrainings(), jobs: createTrainingJobStopper(env.stage()) }, input),
);
