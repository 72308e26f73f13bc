import { datasets } from '#shared/datasets/wire.ts';
import { rowReads } from '#shared/exports/wire.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { type Access, newId, theTable } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { createVerdictRepository } from './store/verdicts.ts';

export const verdicts = (access: Access) =>
  need({ table: access }, (use) => createVerdictRepository(use(theTable)));

/** What it takes to read what is to be reviewed. */
export const reviewReads = {
  ...rowReads,
  // The hashes of rows with verdicts are remembered beside the row index.
  objects: /* @__PURE__ */ objects({ read: ['datasets', 'exports', 'runs'], write: ['exports'] }),
  verdicts: /* @__PURE__ */ verdicts('read'),
  datasets: /* @__PURE__ */ datasets('read'),
};

/** What it takes to record verdicts. */
export const verdictWrites = {
  ...reviewReads,
  verdicts: /* @__PURE__ */ verdicts('write'),
  newId,
};
