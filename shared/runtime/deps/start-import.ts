import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { startImport as start } from '../../operations/start-import.ts';
import { need } from '../need.ts';
import { theLaunchRun } from './launch-run.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type StartImport = (input: Parameters<typeof start>[1]) => ReturnType<typeof start>;

export const startImport = need<StartImport>(
  { table: 'write', credits: 'write', bucket: { write: ['datasets'] }, starts: ['import'] },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      objects: theObjects(),
      launchRun: theLaunchRun(),
    };
    return (input) => start(ports, input);
  },
);
