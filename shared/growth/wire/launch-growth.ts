import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
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

const ports = () => ({
  datasets: createDatasetRepository(theTable()),
  objects: theObjects(),
  launchRun: theLaunchRun(),
  newId: newUuid.get(),
});

type LaunchExpansion = (input: Parameters<typeof launchRows>[1]) => Promise<ExpansionStarted>;
type LaunchExtension = (input: Parameters<typeof launchTurns>[1]) => Promise<ExtensionQuote>;

export const launchExpansion = /* @__PURE__ */ need<LaunchExpansion>(
  uses,
  () => (input) => launchRows(ports(), input),
);

export const launchExtension = /* @__PURE__ */ need<LaunchExtension>(
  uses,
  () => (input) => launchTurns({ ...ports(), modelConcurrency: env.modelConcurrency() }, input),
);
