import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { Books } from '../decide/ledger/books.ts';
import { findAnswerCost as findCost, readCreditUsage as read } from '../read-credit-usage.ts';
import type { AnswerCost, CreditUsage } from '../schema/credits.ts';
import { createBooks } from '../store/books.ts';
import { createMeterRepository } from '../store/meter.ts';

/** Balances and ledger entries. */
export const books = /* @__PURE__ */ need<Books>({ table: 'read', credits: 'read' }, (use) =>
  createBooks(use(theTable)),
);

/** An entry has some 400 bytes: these are eight pages of a megabyte, which are read one after the other. */
const USAGE_ENTRIES_MAX = 20_000;

type ReadCreditUsage = (teamId: string, days: number, now: number) => Promise<CreditUsage>;

export const readCreditUsage = /* @__PURE__ */ need<ReadCreditUsage>(
  { table: 'read', credits: 'read' },
  (use) => {
    const table = use(theTable);
    const ports = {
      meter: createMeterRepository(table),
      books: createBooks(table),
      entriesMax: USAGE_ENTRIES_MAX,
    };
    return (...asked) => read(ports, ...asked);
  },
);

type FindAnswerCost = (teamId: string, responseId: string) => Promise<AnswerCost | null>;

export const findAnswerCost = /* @__PURE__ */ need<FindAnswerCost>(
  { table: 'read', credits: 'read' },
  (use) => {
    const meter = createMeterRepository(use(theTable));
    return (...asked) => findCost(meter, ...asked);
  },
);
