import {
  CreateTrainingJobCommand,
  ResourceInUse,
  ResourceLimitExceeded,
  ResourceNotFound,
  SageMakerClient,
  StopTrainingJobCommand,
  type TrainingInstanceType,
} from '@aws-sdk/client-sagemaker';
import type { Network } from '#shared/platform/schema/network.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { CLAIM_SECONDS } from '../decide/trainer-settings.ts';
import {
  type TrainingJobLauncher,
  type TrainingJobStopper,
  trainingJobName,
} from '../decide/training-jobs.ts';

/** Settings of every training job of a stage. */
export interface TrainingJobSettings {
  readonly image: string;
  readonly roleArn: string;
  /** `s3://` URL of the source bundle. */
  readonly sourceUrl: string;
  readonly instanceType: string;
  readonly volumeGb: number;
  readonly hoursMax: number;
  /** Whether it uses spot instances. */
  readonly spot: boolean;
  /** The private network that it runs in; null for SageMaker's own. */
  readonly network: Network | null;
  readonly tags: Readonly<Record<string, string>>;
}

const ENTRY_POINT = 'sagemaker_entry.py';

/** SageMaker's permanent error for a request; its client has no class for it. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'ValidationException';

/** An account whose quota of a type is 0, as that of most types is in most accounts: there is never room. */
const NONE_ALLOWED = /training job usage' is 0 Instances/i;

/**
 * Launches training jobs on one of AWS's images, which downloads the source bundle, installs its requirements and
 * starts its entry point with the other hyperparameters as arguments:
 * https://github.com/aws/sagemaker-training-toolkit.
 * @param stage part of every job's name
 */
export function createTrainingJobLauncher(
  stage: string,
  settings: TrainingJobSettings,
  client = new SageMakerClient({}),
): TrainingJobLauncher {
  const runtimeSeconds = settings.hoursMax * 3600;
  return {
    async launch(id, { bucket, job_key, lender, secret }) {
      const hyperparameters = {
        bucket,
        job_key,
        lender,
        sagemaker_program: ENTRY_POINT,
        sagemaker_submit_directory: settings.sourceUrl,
      };
      const output = objectKeys.trainerOutput(id.experiment_id, id.iteration, id.attempt);
      try {
        await client.send(
          new CreateTrainingJobCommand({
            TrainingJobName: trainingJobName(stage, id),
            RoleArn: settings.roleArn,
            AlgorithmSpecification: { TrainingImage: settings.image, TrainingInputMode: 'File' },
            HyperParameters: Object.fromEntries(
              Object.entries(hyperparameters).map(([name, value]) => [name, JSON.stringify(value)]),
            ),
            // Not among the hyperparameters, which the image prints into its log.
            Environment: { ATTEMPT_SECRET: secret },
            // The trainer writes its model by itself: nothing but what SageMaker adds comes here.
            OutputDataConfig: { S3OutputPath: `s3://${bucket}/${output}sagemaker` },
            ResourceConfig: {
              InstanceType: settings.instanceType as TrainingInstanceType,
              InstanceCount: 1,
              VolumeSizeInGB: settings.volumeGb,
            },
            ...(settings.network === null
              ? {}
              : {
                  VpcConfig: {
                    Subnets: [...settings.network.subnets],
                    SecurityGroupIds: [...settings.network.securityGroups],
                  },
                }),
            Tags: Object.entries(settings.tags).map(([Key, Value]) => ({ Key, Value })),
            EnableManagedSpotTraining: settings.spot,
            StoppingCondition: {
              MaxRuntimeInSeconds: runtimeSeconds,
              ...(settings.spot ? { MaxWaitTimeInSeconds: runtimeSeconds + CLAIM_SECONDS } : {}),
            },
          }),
        );
        return { outcome: 'launched' };
      } catch (error) {
        if (error instanceof ResourceInUse) return { outcome: 'launched' };
        if (error instanceof ResourceLimitExceeded && !NONE_ALLOWED.test(error.message)) {
          return { outcome: 'no_room' };
        }
        if (error instanceof ResourceLimitExceeded || isRefusal(error))
          return { outcome: 'refused', reason: error.message };
        throw error;
      }
    },
  };
}

export function createTrainingJobStopper(
  stage: string,
  client = new SageMakerClient({}),
): TrainingJobStopper {
  return {
    async stop(id) {
      try {
        await client.send(new StopTrainingJobCommand({ TrainingJobName: trainingJobName(stage, id) }));
      } catch (error) {
        // Stopping a job that has ended is an error.
        if (!(error instanceof ResourceNotFound) && !isRefusal(error)) throw error;
      }
    },
  };
}
