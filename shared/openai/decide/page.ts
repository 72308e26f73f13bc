import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { PAGE_DEFAULT, type PageQuery } from '../schema/page.ts';

interface Page<Item> {
  object: 'list';
  data: Item[];
  has_more: boolean;
  first_id: string | null;
  last_id: string | null;
}

/** Things as a page of OpenAI's API. */
export const pageOf = <Item extends { readonly id: string }>(data: Item[], hasMore: boolean): Page<Item> => ({
  object: 'list',
  data,
  has_more: hasMore,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
});

/**
 * The page of a list that is whole.
 * @throws {ServiceError} `invalid_request` where `after` is none of its things
 */
export function cutPage<Item extends { readonly id: string }>(
  all: readonly Item[],
  { after, limit = PAGE_DEFAULT }: PageQuery,
): Page<Item> {
  const at = after === undefined ? -1 : all.findIndex(({ id }) => id === after);
  if (after !== undefined && at < 0)
    throw invalidField('query.after', 'is not the id of a thing of this list');
  const from = at + 1;
  return pageOf(all.slice(from, from + limit), all.length > from + limit);
}
