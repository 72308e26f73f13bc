import { TextCache } from '#shared/exports/decide/row-index/text-cache.ts';
import type { ReadRowsPorts } from '#shared/exports/read-rows.ts';
import type { World } from './world.ts';

/** What pages of rows are read with; nothing builds a missing index unless `replaced` does. */
export function rowPorts({ store, objects }: World, replaced: Partial<ReadRowsPorts> = {}): ReadRowsPorts {
  return {
    runs: store.runs,
    versions: store.versions,
    objects,
    claims: store.claims,
    searchBytesMax: 192 * 2 ** 20,
    texts: new TextCache(2 ** 30),
    startIndex: () => Promise.reject(new Error('There is no index.')),
    ...replaced,
  };
}
