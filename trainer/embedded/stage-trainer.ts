import { type AwsEnvironment, clientOptions } from '#local/aws-environment.ts';
import type { Service } from '#local/child.ts';
import { requireOutput, type StackOutputs } from '#local/deployment.ts';
import { provideTrainerUser, readPolicy } from './identity.ts';
import { startTrainer } from './start.ts';

/** Starts the embedded trainer of a stage on an emulator, with exactly the permissions of trainers in the stacks. */
export async function startStageTrainer(
  stage: string,
  outputs: StackOutputs,
  awsEnvironment: AwsEnvironment,
  logFile: string,
): Promise<Service> {
  const connection = clientOptions(awsEnvironment);
  const policy = await readPolicy(requireOutput(outputs, 'TrainerPolicyArn'), connection);
  const credentials = await provideTrainerUser(trainerUser(stage), policy, connection);
  return startTrainer({
    queueUrl: requireOutput(outputs, 'EmbeddedTrainerQueueUrl'),
    awsEnvironment: { ...awsEnvironment, ...credentials },
    logFile,
  });
}

/** The IAM user of a stage's embedded trainer. */
export const trainerUser = (stage: string): string => `tunesmith-${stage}-trainer`;
