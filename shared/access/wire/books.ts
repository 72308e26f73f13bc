import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { Books } from '../decide/ledger/books.ts';
import { readCreditUsage as read } from '../read-credit-usage.ts';
import type { CreditUsage } from '../schema/credits.ts';
import { createBooks } from '../store/books.ts';
import { createMeterRepository } from '../store/meter.ts';

/** Balances and ledger entries. */
export const books = /* @__PURE__ */ need<Books>({ table: 'read', credits: 'read' }, (use) =>
  createBooks(use(theTable)),
);

type ReadCreditUsage = (teamId: string, days: number, now: number) => Promise<CreditUsage>;

export const readCreditUsage = /* @__PURE__ */ need<ReadCreditUsage>(
  { table: 'read', credits: 'read' },
  (use) => {
    const table = use(theTable);
    const ports = { meter: createMeterRepository(table), books: createBooks(table) };
    return (...asked) => read(ports, ...asked);
  },
);
