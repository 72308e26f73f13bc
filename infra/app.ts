import {
  CliCredentialsStackSynthesizer,
  type IStackSynthesizer,
  type Stack,
  type StackProps,
} from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { forwardTelemetry } from '#shared/telemetry/background.ts';
import { deliverWebhook } from '#shared/webhooks/background.ts';
import { ApiStack } from './api-stack.ts';
import { type Config, tagsOf } from './config.ts';
import { DataStack } from './data-stack.ts';
import { OperationsStack } from './operations-stack.ts';
import { PipelinesStack } from './pipelines-stack.ts';

/**
 * Adds the stacks of an environment to an app, or to a CDK stage of it: what lives on, what runs long, what answers, what
 * watches them.
 */
export function addStacks(
  scope: Construct,
  config: Config,
): { data: DataStack; pipelines: PipelinesStack; api: ApiStack; operations: OperationsStack } {
  const props = (part: string): StackProps => ({
    stackName: `tunesmith-${config.stage}-${part}`,
    description: `Tunesmith (${config.stage}): ${part}`,
    // CloudFormation propagates the tags of a stack to its resources.
    tags: tagsOf(config),
    // An emulator with IAM enforcement rejects the roles with which the default synthesizer publishes assets.
    ...(config.emulated ? { synthesizer: new CliCredentialsStackSynthesizer() as IStackSynthesizer } : {}),
  });
  const data = new DataStack(scope, 'Data', config, props('data'));
  const pipelines = new PipelinesStack(scope, 'Pipelines', config, data, props('pipelines'));
  const api = new ApiStack(scope, 'Api', config, data, props('api'));
  // The API names machines and functions by their derived names, which CloudFormation cannot see.
  api.addStackDependency(pipelines, 'its functions start machines and invoke functions');
  const operations = new OperationsStack(
    scope,
    'Operations',
    config,
    {
      data,
      deadLetters: pipelines.deadLetters.queueName,
      unreadableJobs: data.unreadableJobs.queueName,
      detailedMetrics: config.detailedMetrics,
      bounded: [
        ...(config.concurrency.webhooks === null ? [] : [deliverWebhook.id]),
        ...(config.telemetry?.concurrency == null ? [] : [forwardTelemetry.id]),
      ],
      hasProbe: config.probe,
      deploysModels: config.trainedModels?.platforms.some((each) => each !== 'model_server') === true,
      sendsTelemetry: config.telemetry !== null,
    },
    props('operations'),
  );
  operations.addStackDependency(api, 'it filters the access log');
  if (config.permissionsBoundary !== null)
    bound([data, pipelines, api, operations], config.permissionsBoundary);
  return { data, pipelines, api, operations };
}

/** Bounds every role of the stacks, those that the CDK makes too, by a policy of the account. */
function bound(stacks: readonly Stack[], policyName: string): void {
  for (const stack of stacks) {
    const policy = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', policyName);
    PermissionsBoundary.of(stack).apply(policy);
  }
}
