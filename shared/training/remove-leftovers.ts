import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { TrainingRecord } from './decide/record.ts';

/** What trainers call their models. */
const MODEL_FILES = ['/artifact.tar.gz', '/adapter.gguf'] as const;

/**
 * Deletes the checkpoints of a training that has ended, and the models of its iterations but the best: of a comparison,
 * which has no best one, all. Safe to repeat.
 */
export async function removeLeftovers(
  objects: Pick<ObjectStore, 'list' | 'remove'>,
  { experiment_id, best }: Pick<TrainingRecord, 'experiment_id' | 'best'>,
): Promise<void> {
  const batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await objects.remove(batch.splice(0));
  };
  const prefix = objectKeys.training(experiment_id);
  for await (const key of objects.list(`${prefix}iterations/`)) {
    const isModel = MODEL_FILES.some((name) => key.endsWith(name));
    const isKept = key === best?.artifact_key || key === best?.gguf_key;
    if (key.includes('/checkpoints/') || (isModel && !isKept)) batch.push(key);
    if (batch.length === 500) await flush();
  }
  await flush();
}
