import { createAccessRepository } from '../../adapters/dynamodb/access.ts';
import { authenticate as check } from '../../domain/access/authenticate.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

/** The caller of an `Authorization` header; null if its key is not valid. */
export const authenticate = need<(header: string | undefined) => Promise<Caller | null>>(
  { table: 'read', apiKeys: 'read' },
  () => {
    const access = createAccessRepository(theTable());
    return (header) => check(header, access);
  },
);
