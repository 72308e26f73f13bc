import type { Caller } from '#shared/platform/access/caller.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { authenticate as check } from '../decide/authenticate.ts';
import { createAccessRepository } from '../store/access.ts';

/** The caller of an `Authorization` header; null if its key is not valid. */
export const authenticate = /* @__PURE__ */ need<(header: string | undefined) => Promise<Caller | null>>(
  { table: 'read', apiKeys: 'read' },
  (use) => {
    const access = createAccessRepository(use(theTable));
    return (header) => check(header, access);
  },
);
