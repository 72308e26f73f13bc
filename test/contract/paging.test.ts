import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import type { ServiceError } from '#shared/platform/errors/service-error.ts';
import { contracts } from '#shared/service/contracts/index.ts';

/** The names of the query of a contract. */
const namesOf = (query: z.ZodType | undefined): string[] =>
  query === undefined ? [] : Object.keys((z.toJSONSchema(query, { io: 'input' }).properties as object) ?? {});

const paged = contracts.filter(({ query }) =>
  namesOf(query).some((name) => name === 'cursor' || name === 'after'),
);

test('lists that are paged by a cursor are known', () => {
  expect(paged.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['datasets.list', 'autoscientist.list', 'datasets.report', 'files.list']),
  );
});

test.each(paged.map(({ id, query }) => [id, query as z.ZodType] as const))(
  '%s refuses a page number, and says what pages by',
  (_, query) => {
    const names = namesOf(query);
    const refusal = (sent: object): string => {
      try {
        parseInput('query', query, sent);
      } catch (error) {
        return (error as ServiceError).message;
      }
      return 'accepted';
    };

    const cursor = names.includes('cursor') ? 'cursor' : 'after';
    expect(refusal({ page: '2' })).toContain(
      `query.page: is not a known field here; did you mean \`${cursor}\``,
    );
    expect(refusal({ offset: '20' })).toContain(`did you mean \`${cursor}\``);
    if (names.includes('limit')) expect(refusal({ per_page: '5' })).toContain('did you mean `limit`');
  },
);
