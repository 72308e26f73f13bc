import { cutPage, pageOf } from './decide/page.ts';
import type { PageQuery } from './schema/page.ts';

/** Bytes of the things of a page: a function answers 6 MB. */
export const PAGE_BYTES_MAX = 4_000_000;

/**
 * The page of a list of which the ids are at hand. Its things are read one after the other, until they are as many as are asked for
 * or `PAGE_BYTES_MAX`; one that is gone meanwhile is left out.
 * @param ids of the whole list, as callers know them
 * @throws {ServiceError} `invalid_request` where `after` is none of them
 */
export async function readPage<Item extends { readonly id: string }>(
  ids: readonly string[],
  query: PageQuery,
  read: (id: string) => Promise<Item | null>,
) {
  const { data, has_more: hasMore } = cutPage(
    ids.map((id) => ({ id })),
    query,
  );
  const found: Item[] = [];
  let bytes = 0;
  for (const { id } of data) {
    const item = await read(id);
    if (item === null) continue;
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > PAGE_BYTES_MAX && found.length > 0) return pageOf(found, true);
    found.push(item);
  }
  const last = data.at(-1);
  // An empty page would end the reading of clients.
  if (found.length === 0 && hasMore && last !== undefined)
    return readPage(ids, { ...query, after: last.id }, read);
  return pageOf(found, hasMore);
}
