import {
  type App,
  CliCredentialsStackSynthesizer,
  type IStackSynthesizer,
  type StackProps,
} from 'aws-cdk-lib';
import { ApiStack } from './api-stack.ts';
import type { Config } from './config.ts';
import { DataStack } from './data-stack.ts';
import { OperationsStack } from './operations-stack.ts';
import { PipelinesStack } from './pipelines-stack.ts';

/** Adds the stacks of an environment: what lives on, what runs long, what answers, what watches them. */
export function addStacks(
  app: App,
  config: Config,
): { data: DataStack; pipelines: PipelinesStack; api: ApiStack; operations: OperationsStack } {
  const props = (part: string): StackProps => ({
    stackName: `tunesmith-${config.stage}-${part}`,
    description: `Tunesmith (${config.stage}): ${part}`,
    // An emulator that enforces IAM refuses the roles through which the default synthesizer publishes assets.
    ...(config.emulated ? { synthesizer: new CliCredentialsStackSynthesizer() as IStackSynthesizer } : {}),
  });
  const data = new DataStack(app, 'Data', config, props('data'));
  const pipelines = new PipelinesStack(app, 'Pipelines', config, data, props('pipelines'));
  const api = new ApiStack(app, 'Api', config, data, props('api'));
  // The API names machines and functions by their derived names, which CloudFormation cannot see.
  api.addStackDependency(pipelines, 'its functions start machines and invoke functions');
  const operations = new OperationsStack(
    app,
    'Operations',
    config,
    {
      data,
      deadLetters: pipelines.deadLetters.queueName,
      unreadableJobs: data.unreadableJobs.queueName,
      hasTrainingJobs: config.sagemaker !== null,
    },
    props('operations'),
  );
  operations.addStackDependency(api, 'it filters the access log');
  return { data, pipelines, api, operations };
}
