import { createCredentialLender } from '../../adapters/sts/credential-lender.ts';
import { lendCredentials as lend } from '../../operations/lend-credentials.ts';
import type { LendCredentialsInput } from '../../schema/training-job.ts';
import { env } from '../env.ts';
import { logger } from '../logger.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTrainings } from './trainings.ts';

export const lendCredentials = need<(input: LendCredentialsInput) => ReturnType<typeof lend>>(
  { table: 'read', bucket: { read: ['trainings'] }, lendsCredentials: true },
  () => {
    const trainings = theTrainings();
    const lender = createCredentialLender({
      roleArn: env.attemptRoleArn(),
      bucket: env.bucketName(),
      itemOf: trainings.attemptItem,
      onPacked: (percent) => logger.info('policy of a session', { packed_policy_percent: percent }),
    });
    return (input) => lend({ trainings, objects: theObjects(), lender }, input);
  },
);
