import { forEachAtOnce } from '#shared/platform/for-each-at-once.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';

const REMOVED_AT_ONCE = 1000;
/** Most prefixes of a dataset with many runs are empty, and each takes a request all the same. */
const LISTED_AT_ONCE = 16;

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
  for (let at = 0; at < prefixes.length; at += LISTED_AT_ONCE) {
    const begun = await forEachAtOnce(prefixes.slice(at, at + LISTED_AT_ONCE), async (prefix) => {
      const keys = objects.list(prefix)[Symbol.asyncIterator]();
      return { keys, first: await keys.next() };
    });
    for (const { keys, first } of begun) {
      for (let next = first; next.done !== true; next = await keys.next()) {
        batch.push(next.value);
        if (batch.length === REMOVED_AT_ONCE) await flush();
      }
    }
  }
  await flush();
  return removed;
}
