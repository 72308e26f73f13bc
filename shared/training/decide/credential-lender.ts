import type { LentCredentials } from '../schema/training-job.ts';
import type { AttemptId } from './repository.ts';

/** Whoever has credentials made that open one attempt and nothing else. */
export interface CredentialLender {
  lend(id: AttemptId): Promise<LentCredentials>;
}
