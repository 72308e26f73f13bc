import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { TrainingRecord } from './decide/record.ts';

/**
 * Deletes checkpoints and the artifacts of iterations after a training has ended. The artifact of a training lies elsewhere
 * by then; a comparison has none. Safe to repeat.
 */
export async function removeLeftovers(
  objects: Pick<ObjectStore, 'list' | 'remove'>,
  { experiment_id }: Pick<TrainingRecord, 'experiment_id'>,
): Promise<void> {
  const batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await objects.remove(batch.splice(0));
  };
  const prefix = objectKeys.training(experiment_id);
  for await (const key of objects.list(`${prefix}iterations/`)) {
    if (key.includes('/checkpoints/') || key.endsWith('/artifact.tar.gz')) batch.push(key);
    if (batch.length === 500) await flush();
  }
  await flush();
}
