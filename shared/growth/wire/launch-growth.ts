import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { launchExpansion as launchRows } from '../launch-expansion.ts';
import { launchExtension as launchTurns } from '../launch-extension.ts';
import type { ExpansionStarted, ExtensionQuote } from '../schema/grow.ts';

const uses = {
  table: 'write',
  credits: 'write',
  bucket: { read: ['runs'], write: ['runs'] },
  starts: ['expand'],
} as const;

const ports = (use: Use) => ({
  datasets: createDatasetRepository(use(theTable)),
  objects: use(theObjects),
  launchRun: theLaunchRun(use),
  newId: use(newUuid),
});

type LaunchExpansion = (input: Parameters<typeof launchRows>[1]) => Promise<ExpansionStarted>;
type LaunchExtension = (input: Parameters<typeof launchTurns>[1]) => Promise<ExtensionQuote>;

export const launchExpansion = /* @__PURE__ */ need<LaunchExpansion>(
  uses,
  (use) => (input) => launchRows(ports(use), input),
);

export const launchExtension = /* @__PURE__ */ need<LaunchExtension>(
  uses,
  (use) => (input) => launchTurns({ ...ports(use), modelConcurrency: use.env.modelConcurrency() }, input),
);
