import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { readColumns as readHeader } from '#shared/tabular/adapters/read-columns.ts';
import { createReadColumns, type ReadColumns } from '../read-columns.ts';

/** Reads the columns of uploaded files by itself: only for the function that holds no table. */
export const readColumns = /* @__PURE__ */ need<ReadColumns>({ bucket: { read: ['uploads'] } }, (use) =>
  createReadColumns({ objects: use(theObjects), readColumns: readHeader }),
);
