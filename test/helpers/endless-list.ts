import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { vi } from 'vitest';
import type { World } from './world.ts';

/** Has each query of the table have a next page, and none find anything; returns how many pages were read until now. */
export function endlessList({ table }: World): () => number {
  const send = table.client.send.bind(table.client) as (command: unknown) => Promise<unknown>;
  let pages = 0;
  vi.spyOn(table.client, 'send').mockImplementation((async (command: unknown) => {
    if (!(command instanceof QueryCommand)) return send(command);
    pages += 1;
    // Of a list that nothing bounds, a failure rather than no end.
    if (pages > 100_000) throw new Error('A list was read without end.');
    return { Items: [], LastEvaluatedKey: { pk: 'DATASET#1', sk: 'DATASET' } };
  }) as never);
  return () => pages;
}
