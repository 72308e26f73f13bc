import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

const REMOVED_AT_ONCE = 1000;

/** Removes the objects below these prefixes, in the order of the prefixes, and counts them. */
export async function removePrefixes(
  objects: Pick<ObjectStore, 'list' | 'remove'>,
  prefixes: readonly string[],
): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await objects.remove(batch);
    removed += batch.length;
    batch = [];
  };
  for (const prefix of prefixes) {
    for await (const key of objects.list(prefix)) {
      batch.push(key);
      if (batch.length === REMOVED_AT_ONCE) await flush();
    }
  }
  await flush();
  return removed;
}
