import { logger } from '#shared/platform/runtime/logger.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { createCredentialLender } from '../adapters/credential-lender.ts';
import { lendCredentials as lend } from '../lend-credentials.ts';
import type { LendCredentialsInput } from '../schema/training-job.ts';
import { theTrainings } from './trainings.ts';

/** What lends trainers credentials. */
export const theCredentialLender = /* @__PURE__ */ resource('lent credentials', (use) =>
  createCredentialLender({
    roleArn: use.env.attemptRoleArn(),
    bucket: use.env.bucketName(),
    itemOf: theTrainings(use).attemptItem,
    onPacked: (percent) => logger.info('policy of a session', { packed_policy_percent: percent }),
  }),
);

export const lendCredentials = /* @__PURE__ */ need<(input: LendCredentialsInput) => ReturnType<typeof lend>>(
  { table: 'read', bucket: { read: ['trainings'] }, lendsCredentials: true },
  (use) => {
    const ports = {
      trainings: theTrainings(use),
      objects: use(theObjects),
      lender: use(theCredentialLender),
    };
    return (input) => lend(ports, input);
  },
);
