import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { LENT_SECONDS } from './decide/credential-lender.ts';
import { hasEnded } from './decide/has-ended.ts';
import type { AttemptId, TrainingRepository } from './decide/repository.ts';
import { removeLeftovers } from './remove-leftovers.ts';

export interface RemoveLateOutputsPorts {
  readonly trainings: Pick<TrainingRepository, 'listRevoked' | 'forgetRevoked' | 'findOfAnyTeam'>;
  readonly objects: Pick<ObjectStore, 'list' | 'remove'>;
}

/** A request that begins with credentials in their last second may take as long again. */
const WRITES_UNTIL_SECONDS = 2 * LENT_SECONDS;

/**
 * Removes what trainers wrote after their attempt was revoked, once their training has ended: a trainer that is writing
 * its artifact at that moment goes on with the credentials that it has. It waits until no trainer of the attempt can
 * write any more, two hours after the revocation. A failure of one does not affect the others, and the next call tries
 * it again.
 * @returns attempts that were looked after, and those that could not be
 */
export async function removeLateOutputs(
  { trainings, objects }: RemoveLateOutputsPorts,
  now: number,
): Promise<{ cleared: number; failures: (AttemptId & { readonly cause: unknown })[] }> {
  const failures: (AttemptId & { readonly cause: unknown })[] = [];
  let cleared = 0;
  for await (const id of trainings.listRevoked(timestamp(now - WRITES_UNTIL_SECONDS * 1000))) {
    try {
      const training = await trainings.findOfAnyTeam(id.experiment_id);
      if (training !== null && !hasEnded(training)) continue;
      await removeLeftovers(objects, training ?? { experiment_id: id.experiment_id, best: null });
      await trainings.forgetRevoked(id);
      cleared += 1;
    } catch (cause) {
      failures.push({ ...id, cause });
    }
  }
  return { cleared, failures };
}
