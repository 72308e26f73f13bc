import { createAccessRepository } from '../../adapters/dynamodb/access.ts';
import { authenticate as check } from '../../domain/access/authenticate.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

/** Finds out who the sender of an `Authorization` header is; null where its key is not valid. */
export const authenticate = need<(header: string | undefined) => Promise<Caller | null>>(
  { table: 'read' },
  () => {
    const access = createAccessRepository(theTable());
    return (header) => check(header, access);
  },
);
