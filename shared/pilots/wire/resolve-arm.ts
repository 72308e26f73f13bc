import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { resolveArm } from '../resolve-arm.ts';

type ResolvePilotArm = (
  caller: Caller,
  datasetId: string,
  asked: AdaptRequest,
) => ReturnType<typeof resolveArm>;

/** The request that runs an arm of a pilot. */
export const resolvePilotArm = /* @__PURE__ */ need<ResolvePilotArm>(
  { table: 'read', bucket: { read: ['runs'] } },
  (use) => async (caller, datasetId, asked) => {
    const dataset = await createDatasetRepository(use(theTable)).require(caller, datasetId);
    const ports = { runs: createRunRepository(use(theTable)), objects: use(theObjects) };
    return resolveArm(ports, dataset, asked);
  },
);
