import { vouchers } from '#shared/access/wire.ts';
import { datasets, versions } from '#shared/datasets/wire.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { type Bound, need, resource, setting } from '#shared/platform/runtime/need.ts';
import type { ServeInput } from '#shared/platform/runtime/read-request.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { type Access, theTable, unbilled } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { endRunNeed, executions, launchRun, runs } from '#shared/runs/wire.ts';
import { createCredentialLender } from './adapters/credential-lender.ts';
import { createTaskTokens } from './adapters/task-tokens.ts';
import { createTrainerQueue } from './adapters/trainer-queue.ts';
import { createTrainingJobLauncher, createTrainingJobStopper } from './adapters/training-jobs.ts';
import type { downloadTraining, linkTrainingDownload } from './contracts.ts';
import { ARTIFACT_CONTENT_TYPE, ARTIFACT_URL_SECONDS, artifactOf, noArtifact } from './decide/artifact.ts';
import { shownTraining } from './decide/record.ts';
import { Trainer } from './schema/training.ts';
import { createFinetuneJobRepository } from './store/finetune-jobs.ts';
import { trainingCompanion } from './store/training-transactions.ts';
import { createTrainingRepository } from './store/trainings.ts';

export const trainings = (access: Access) =>
  need({ table: access }, (use) => createTrainingRepository(use(theTable)));

export const finetuneJobs = /* @__PURE__ */ need({ table: 'read' }, (use) =>
  createFinetuneJobRepository(use(theTable)),
);

const companions = { train: trainingCompanion };

/** Launches trainings and comparisons. */
export const launchTrainingRun = /* @__PURE__ */ launchRun(['train'], {}, companions);

/** Ends a run of any kind: also one that is a training or a comparison. */
export const endAnyRun = /* @__PURE__ */ endRunNeed(companions);

/** The trainers of the installation. */
export const trainers = /* @__PURE__ */ need<readonly Trainer[]>({ trainers: true }, ({ env }) =>
  env.trainers().map((name) => Trainer.parse(name)),
);

/** What it takes to launch a training. */
export const trainingLaunch = {
  datasets: /* @__PURE__ */ datasets('read'),
  runs: /* @__PURE__ */ runs('read'),
  versions: /* @__PURE__ */ versions('read'),
  trainings: /* @__PURE__ */ trainings('write'),
  vouchers,
  objects: /* @__PURE__ */ objects({ read: ['datasets', 'runs'] }),
  launchRun: launchTrainingRun,
  trainers,
};

/** The queues of the trainers. */
export const theTrainerQueue = /* @__PURE__ */ resource('queues of trainers', ({ env }) =>
  createTrainerQueue((trainer) => env.trainerQueueUrl(trainer)),
);

/** The queues of the trainers, with what their jobs have to know of the installation. */
export const trainerQueue = {
  queue: /* @__PURE__ */ need({ trainerQueues: true }, (use) => use(theTrainerQueue)),
  bucket: /* @__PURE__ */ setting((env) => env.bucketName()),
  lender: /* @__PURE__ */ need({ trainerQueues: true }, ({ env }) =>
    env.functionName('tasks/attempts/lend-credentials'),
  ),
};

/** The waiting tasks of state machines. */
export const theTaskTokens = /* @__PURE__ */ resource('task tokens', () => createTaskTokens());

/** Ends the waiting tasks of trainings. */
export const taskTokens = /* @__PURE__ */ need({ fails: ['train'] }, (use) => use(theTaskTokens));

/** What lends trainers credentials. */
export const theCredentialLender = /* @__PURE__ */ resource('lent credentials', (use) =>
  createCredentialLender({
    roleArn: use.env.attemptRoleArn(),
    bucket: use.env.bucketName(),
    itemOf: createTrainingRepository(use(theTable)).attemptItem,
    onPacked: (percent) => logger.info('policy of a session', { packed_policy_percent: percent }),
  }),
);

export const credentialLender = /* @__PURE__ */ need({ lendsCredentials: true }, (use) =>
  use(theCredentialLender),
);

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
    network: env.trainingJobNetwork(),
    tags: env.jobTags(),
  }),
);

/** Ends training jobs. */
export const trainingJobStopper = /* @__PURE__ */ need({ trainingJobs: 'stop' }, (use) =>
  use(theTrainingJobs),
);

/** Launches training jobs, and ends them. */
export const trainingJobs = /* @__PURE__ */ need({ trainingJobs: 'launch' }, (use) => ({
  ...use(theTrainingJobs),
  ...use(theTrainingJobLauncher),
}));

/** What it takes to cancel a training. */
export const trainingCancellation = {
  trainings: /* @__PURE__ */ trainings('write'),
  datasets: /* @__PURE__ */ datasets('write'),
  objects: /* @__PURE__ */ objects({ read: ['runs'] }),
  runs: /* @__PURE__ */ runs('write'),
  unbilled,
  endRun: endAnyRun,
  executions: /* @__PURE__ */ executions({ stops: ['train'] }),
  onStopFailed: /* @__PURE__ */ need(
    {},
    () => (error: unknown) =>
      logger.warn('the execution of a cancelled training was not stopped', describeError(error)),
  ),
};

/** What it takes to link the model of a training. */
export const artifactLink = {
  trainings: /* @__PURE__ */ trainings('read'),
  objects: /* @__PURE__ */ objects({ read: ['trainings'] }),
};

/** The best model of a training, as a link that needs no key. */
export async function linkArtifact(
  { caller, params, now }: ServeInput<typeof downloadTraining | typeof linkTrainingDownload>,
  { trainings, objects }: Bound<typeof artifactLink>,
) {
  const training = shownTraining(await trainings.find(caller.team_id, params.experiment_id));
  const { key, fileName } = artifactOf(training);
  if ((await objects.head(key)) === null) {
    throw noArtifact('The model was removed together with the dataset that it was trained on.');
  }

  const url = await objects.presignGet(key, ARTIFACT_URL_SECONDS, fileName, ARTIFACT_CONTENT_TYPE);
  return {
    url,
    fileName,
    contentType: ARTIFACT_CONTENT_TYPE,
    expiresAt: timestamp(now + ARTIFACT_URL_SECONDS * 1000),
  };
}
