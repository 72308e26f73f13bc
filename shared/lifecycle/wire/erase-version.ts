import { createVersionRepository } from '#shared/datasets/store/versions.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { eraseVersion as erase } from '../erase-version.ts';

type EraseVersion = (of: Parameters<typeof erase>[1]) => Promise<{ objects: number }>;

export const eraseVersion = /* @__PURE__ */ need<EraseVersion>(
  {
    table: 'read',
    bucket: { read: ['datasets', 'runs', 'exports'], delete: ['datasets', 'runs', 'exports'] },
  },
  (use) => (of) => erase({ versions: createVersionRepository(use(theTable)), objects: use(theObjects) }, of),
);
