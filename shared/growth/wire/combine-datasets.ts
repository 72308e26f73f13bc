import { need } from '#shared/platform/runtime/need.ts';
import { createFreeUseLimiter } from '#shared/platform/store/rate-limiter.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { combineDatasets as combine } from '../combine-datasets.ts';
import type { CombineJob } from '../schema/combine.ts';
import { thePortsOfCombinations } from './check-combination.ts';

type CombineDatasets = (input: Parameters<typeof combine>[1]) => Promise<CombineJob>;

export const combineDatasets = /* @__PURE__ */ need<CombineDatasets>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
    starts: ['combine'],
  },
  (use) => {
    const ports = {
      ...thePortsOfCombinations(use),
      freeUses: createFreeUseLimiter(use(theTable)),
      launchRun: theLaunchRun(use),
      newId: use(newUuid),
    };
    return (input) => combine(ports, input);
  },
);
