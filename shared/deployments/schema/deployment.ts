import * as z from 'zod';
import { DateTime, decimal } from '#shared/platform/schema/common.ts';
import { TrainingId } from '#shared/training/schema/training.ts';

/**
 * What answers with trained models: Amazon Bedrock, which imports them, an endpoint of Amazon SageMaker, or the model server of
 * a laptop. Where an installation has several, the first one that takes a model is used.
 */
export const DeploymentPlatform = z.enum(['amazon_bedrock', 'amazon_sagemaker', 'model_server']);
export type DeploymentPlatform = z.infer<typeof DeploymentPlatform>;

/** Deployments of a team. The quota of an account is small, and all teams share it. */
export const DEPLOYMENTS_MAX = 3;

/** `preparing` merges an adapter with the weights of its base model, `importing` is the platform's own work. */
export const DeploymentStatus = z.enum([
  'not_deployed',
  'queued',
  'preparing',
  'importing',
  'ready',
  'failed',
  'deleting',
]);
export type DeploymentStatus = z.infer<typeof DeploymentStatus>;

export const DeploymentCosts = z
  .object({
    deployment_credits: z.literal(0).describe('Credits of the deployment itself: none.'),
    input_credits: decimal(0.02).describe('Credits for 1,000 input tokens of an answer.'),
    output_credits: decimal(0.08).describe('Credits for 1,000 output tokens of an answer.'),
    of_the_installation: z
      .array(z.string())
      .meta({ example: ['Importing costs nothing.'] })
      .describe('What the platform bills the operator of the installation, in sentences.'),
    units_per_copy: z
      .int()
      .nullable()
      .describe(
        'Custom Model Units of a running copy, by which Amazon Bedrock bills; null until it has imported the model, and elsewhere.',
      ),
    instance_type: z
      .string()
      .nullable()
      .meta({ example: 'ml.g6e.xlarge' })
      .describe('The instance that answers on Amazon SageMaker; null elsewhere.'),
    dollars_per_hour: decimal(2.61)
      .nullable()
      .describe(
        'What an hour of that instance costs the installation in `us-east-1`, in US dollars, while the model answers and for 20 minutes more; null elsewhere.',
      ),
  })
  .meta({ id: 'DeploymentCosts' });
export type DeploymentCosts = z.infer<typeof DeploymentCosts>;

export const Deployment = z
  .object({
    experiment_id: TrainingId,
    status: DeploymentStatus.describe(
      'State of the deployment; `not_deployed` before the first and after a deletion.',
    ),
    platform: DeploymentPlatform.nullable().describe(
      'What answers with this model, or would; null if nothing of the installation can.',
    ),
    can_be_deployed: z
      .boolean()
      .describe('Whether this installation can deploy the model; if not, `reason` says why.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Why the deployment failed, what it waits for (instances that AWS lacks, a quota, the hours of the next day), or why the model cannot be deployed; null otherwise.',
      ),
    progress_percent: z
      .int()
      .min(0)
      .max(100)
      .meta({ example: 40 })
      .describe('Share of the work that is done.'),
    created_at: DateTime.nullable().describe('When the deployment was requested; null if there is none.'),
    ready_at: DateTime.nullable().describe('Since when the model answers; null until it does.'),
    last_used_at: DateTime.nullable().describe('Hour of the last answer; null without one.'),
    hours_left_today: decimal(6.5)
      .nullable()
      .describe(
        'Hours for which the models of the team, all together, may still be kept ready on this day (UTC). Without any, a model does not answer, and a deployment on Amazon SageMaker starts its endpoint the next day. Null if they are not bounded.',
      ),
    deleted_after: DateTime.nullable().describe(
      'When the deployment is deleted if nobody uses it until then; null if it stays.',
    ),
    costs: DeploymentCosts.describe('What answers cost, and what the deployment costs the installation.'),
  })
  .meta({ id: 'Deployment' });
export type Deployment = z.infer<typeof Deployment>;
