import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { deleteVersion as remove } from '../delete-version.ts';

const ERASER = 'tasks/datasets/erase-version';

type DeleteVersion = (dataset: DatasetRecord, version: number, now: number) => Promise<void>;

export const deleteVersion = /* @__PURE__ */ need<DeleteVersion>(
  { table: 'write', invokes: [ERASER] },
  (use) => {
    const ports = {
      versions: createVersionRepository(use(theTable)),
      startErasing: use(theInvokers)(ERASER).start,
    };
    return (dataset, version, now) => remove(ports, dataset, version, now);
  },
);
