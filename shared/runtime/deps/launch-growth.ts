import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { launchExpansion as launchRows } from '../../operations/launch-expansion.ts';
import { launchExtension as launchTurns } from '../../operations/launch-extension.ts';
import type { ExpansionStarted, ExtensionQuote } from '../../schema/grow.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { newUuid } from './ids.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

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

export const launchExpansion = need<LaunchExpansion>(uses, () => (input) => launchRows(ports(), input));

export const launchExtension = need<LaunchExtension>(
  uses,
  () => (input) => launchTurns({ ...ports(), modelConcurrency: env.modelConcurrency() }, input),
);
