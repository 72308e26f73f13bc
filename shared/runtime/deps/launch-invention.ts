import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { launchInvention as launch } from '../../operations/launch-invention.ts';
import type { InventedDataset } from '../../schema/invent.ts';
import { need } from '../need.ts';
import { newUuid } from './ids.ts';
import { theLaunchRun } from './launch-run.ts';
import { theLedger } from './ledger.ts';
import { models } from './models.ts';
import { theTable } from './table.ts';

const CONNECTIONS_MAX = 4;
const inferring = models(['rewrite', 'embed'], () => CONNECTIONS_MAX);

type LaunchInvention = (input: Parameters<typeof launch>[1]) => Promise<InventedDataset>;

/** Starts to generate a dataset. */
export const launchInvention = need<LaunchInvention>(
  { ...inferring.uses, table: 'write', bucket: { write: ['runs'] }, starts: ['invent'] },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      ledger: theLedger(),
      launchRun: theLaunchRun(),
      newId: newUuid.get(),
      models: async () => {
        const configured = await inferring.get()();
        return { model: configured.generator('rewrite'), embedder: configured.embedder() };
      },
      clock: systemClock,
      random: Math.random,
    };
    return (input) => launch(ports, input);
  },
);
