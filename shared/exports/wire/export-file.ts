import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { exportFile as wait } from '../export-file.ts';

type ExportFile = (input: Parameters<typeof wait>[1]) => Promise<void>;

export const exportFile = /* @__PURE__ */ need<ExportFile>(
  { table: 'write', bucket: { read: ['exports'] }, invokes: ['tasks/exports/build-export'] },
  (use) => {
    const invoker = use(theInvokers)('tasks/exports/build-export');
    const claims = createClaims(use(theTable));
    return (input) =>
      wait({ claims, objects: use(theObjects), startBuild: (payload) => invoker.start(payload) }, input);
  },
);
