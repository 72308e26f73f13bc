import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createFreeUseLimiter } from '#shared/platform/store/rate-limiter.ts';
import { theFunctions } from '#shared/platform/wire/functions.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { Inference } from '#shared/runs/schema/invention.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { launchInvention as launch } from '../launch-invention.ts';
import type { InventedDataset } from '../schema/invent.ts';

const INFER_TOPICS = 'tasks/topics/infer-topics';

type LaunchInvention = (input: Parameters<typeof launch>[1]) => Promise<InventedDataset>;

/** Starts to generate a dataset. Another function has the models, which keeps this one small. */
export const launchInvention = /* @__PURE__ */ need<LaunchInvention>(
  {
    table: 'write',
    credits: 'write',
    bucket: { write: ['runs'] },
    starts: ['invent'],
    invokes: [INFER_TOPICS],
  },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      ledger: theLedger(use),
      launchRun: theLaunchRun(use),
      newId: use(newUuid),
      freeUses: createFreeUseLimiter(use(theTable)),
      infer: async (prompt: string) => Inference.parse(await use(theFunctions)(INFER_TOPICS, { prompt })),
    };
    return (input) => launch(ports, input);
  },
);
