import { need, resource } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { createTrainingJobLauncher, createTrainingJobStopper } from '../adapters/training-jobs.ts';
import { followTrainingJob as follow, stopTrainingJobs as stop } from '../follow-training-job.ts';
import { launchTrainingJob as launch } from '../launch-training-job.ts';
import { TrainerMessage, type TrainingJobState } from '../schema/training-job.ts';
import { theTaskTokens } from './task-tokens.ts';
import { theTrainings } from './trainings.ts';

/** What ends training jobs of SageMaker. */
export const theTrainingJobs = /* @__PURE__ */ resource('training jobs', ({ env }) =>
  createTrainingJobStopper(env.stage()),
);

/** What launches training jobs of SageMaker. */
export const theTrainingJobLauncher = /* @__PURE__ */ resource('launched training jobs', ({ env }) =>
  createTrainingJobLauncher(env.stage(), {
    image: env.trainingJobImage(),
    roleArn: env.trainingJobRoleArn(),
    sourceUrl: env.trainingJobSourceUrl(),
    instanceType: env.trainingJobInstanceType(),
    volumeGb: env.trainingJobVolumeGb(),
    hoursMax: env.trainingJobHoursMax(),
    spot: env.trainingJobSpot(),
  }),
);

const bucket = { read: ['trainings'] } as const;

/** Handles a message of the trainer's queue. */
export const launchTrainingJob = /* @__PURE__ */ need<(message: string) => ReturnType<typeof launch>>(
  { table: 'write', bucket, trainingJobs: 'launch', fails: ['train'] },
  (use) => (message) =>
    launch(
      {
        trainings: theTrainings(use),
        objects: use(theObjects),
        tokens: use(theTaskTokens),
        jobs: { ...use(theTrainingJobs), ...use(theTrainingJobLauncher) },
      },
      TrainerMessage.parse(JSON.parse(message)),
    ),
);

export const followTrainingJob = /* @__PURE__ */ need<
  (state: TrainingJobState, now: number) => ReturnType<typeof follow>
>(
  { table: 'write', bucket, trainingJobs: 'stop', fails: ['train'] },
  (use) => (state, now) =>
    follow(
      {
        trainings: theTrainings(use),
        objects: use(theObjects),
        tokens: use(theTaskTokens),
        jobs: use(theTrainingJobs),
      },
      state,
      now,
    ),
);

export const stopTrainingJobs = /* @__PURE__ */ need<(input: string) => ReturnType<typeof stop>>(
  { table: 'read', trainingJobs: 'stop' },
  (use) => (input) => stop({ trainings: theTrainings(use), jobs: use(theTrainingJobs) }, input),
);
