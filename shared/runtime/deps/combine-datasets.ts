import { combineDatasets as combine } from '../../operations/combine-datasets.ts';
import type { CombineJob } from '../../schema/combine.ts';
import { need } from '../need.ts';
import { thePortsOfCombinations } from './check-combination.ts';
import { newUuid } from './ids.ts';
import { theLaunchRun } from './launch-run.ts';

type CombineDatasets = (input: Parameters<typeof combine>[1]) => Promise<CombineJob>;

export const combineDatasets = need<CombineDatasets>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
    starts: ['combine'],
  },
  () => {
    const ports = { ...thePortsOfCombinations(), launchRun: theLaunchRun(), newId: newUuid.get() };
    return (input) => combine(ports, input);
  },
);
