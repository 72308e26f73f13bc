import { need } from '#shared/platform/runtime/need.ts';
import { type Access, theTable } from '#shared/platform/wire.ts';
import { createAccessAdministration, createAccessRepository } from './store/access.ts';
import { createAuditLog } from './store/audit.ts';
import { createBooks } from './store/books.ts';
import { createIdempotencyRepository } from './store/idempotency.ts';
import { createMeterRepository } from './store/meter.ts';
import { createVoucherRepository } from './store/vouchers.ts';

/** Keys, users and teams, as authentication reads them. */
export const access = /* @__PURE__ */ need({ table: 'read' }, (use) => createAccessRepository(use(theTable)));

/** Finds callers by their keys. */
export const keys = /* @__PURE__ */ need({ table: 'read', apiKeys: 'read' }, (use) =>
  createAccessRepository(use(theTable)),
);

/** Teams and organizations, as their administration lists them. */
export const administration = /* @__PURE__ */ need({ table: 'read' }, (use) =>
  createAccessAdministration(use(theTable)),
);

/** Balances and ledger entries. */
export const books = /* @__PURE__ */ need({ table: 'read', credits: 'read' }, (use) =>
  createBooks(use(theTable)),
);

/** Reservations and bills of answers. */
export const meter = (credits: Access) =>
  need({ table: credits, credits }, (use) => createMeterRepository(use(theTable)));

export const vouchers = /* @__PURE__ */ need({ table: 'read' }, (use) =>
  createVoucherRepository(use(theTable)),
);

/** What operators did. */
export const auditLog = /* @__PURE__ */ need({ audit: 'read' }, (use) => createAuditLog(use(theTable)));

export const idempotency = /* @__PURE__ */ need({ table: 'write' }, (use) =>
  createIdempotencyRepository(use(theTable)),
);
