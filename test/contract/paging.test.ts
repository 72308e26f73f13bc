import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { contracts } from '#shared/service/contracts/index.ts';

/** The names of the query of a contract. */
const namesOf = (query: z.ZodType | undefined): string[] =>
  query === undefined ? [] : Object.keys((z.toJSONSchema(query, { io: 'input' }).properties as object) ?? {});

/** The field that says where a page begins. */
const placeOf = (query: z.ZodType | undefined): string | undefined =>
  ['cursor', 'after', 'before', 'offset'].find((name) => namesOf(query).includes(name));

const paged = contracts.flatMap(({ id, query }) => {
  const place = placeOf(query);
  return query === undefined || place === undefined ? [] : [[id, place, query] as const];
});

test('every list that takes a limit says where a page begins, but for the rows to review, which are chosen anew', () => {
  const unpaged = contracts.filter(
    ({ query }) => namesOf(query).includes('limit') && placeOf(query) === undefined,
  );
  expect(unpaged.map(({ id }) => id)).toEqual(['datasets.review.list']);
  expect(new Set(paged.map(([, place]) => place)).size).toBe(4);
});

test.each(paged)('%s refuses a page number, and says that `%s` pages', (_, place, query) => {
  const refusal = (sent: object): string => {
    try {
      parseInput('query', query, sent);
    } catch (error) {
      return (error as ServiceError).message;
    }
    return 'accepted';
  };

  const meant = `did you mean \`${place}\``;
  expect(refusal({ page: '2' })).toContain(`query.page: is not a known field here; ${meant}`);
  if (place !== 'offset') expect(refusal({ offset: '20' })).toContain(meant);
  if (namesOf(query).includes('limit')) expect(refusal({ per_page: '5' })).toContain('did you mean `limit`');
});
