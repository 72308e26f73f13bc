import { createClaims } from '#shared/access/store/claims.ts';
import { createFunctionInvoker } from '#shared/platform/adapters/function-invoker.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { exportFile as wait } from '../export-file.ts';

type ExportFile = (input: Parameters<typeof wait>[1]) => Promise<void>;

export const exportFile = /* @__PURE__ */ need<ExportFile>(
  { table: 'write', bucket: { read: ['exports'] }, invokes: ['tasks/exports/build-export'] },
  () => {
    const invoker = createFunctionInvoker(env.functionName('tasks/exports/build-export'));
    const claims = createClaims(theTable());
    return (input) =>
      wait({ claims, objects: theObjects(), startBuild: (payload) => invoker.start(payload) }, input);
  },
);
