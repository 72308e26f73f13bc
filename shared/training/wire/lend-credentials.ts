import { env } from '#shared/platform/runtime/env.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { createCredentialLender } from '../adapters/credential-lender.ts';
import { lendCredentials as lend } from '../lend-credentials.ts';
import type { LendCredentialsInput } from '../schema/training-job.ts';
import { theTrainings } from './trainings.ts';

export const lendCredentials = /* @__PURE__ */ need<(input: LendCredentialsInput) => ReturnType<typeof lend>>(
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
