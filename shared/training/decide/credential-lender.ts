import type { LentCredentials } from '../schema/training-job.ts';
import type { AttemptId } from './repository.ts';

/** Seconds that lent credentials last: the most that AWS gives to a role which another role assumes. */
export const LENT_SECONDS = 3600;

/** Whoever has credentials made that open one attempt and nothing else. */
export interface CredentialLender {
  lend(id: AttemptId): Promise<LentCredentials>;
}
