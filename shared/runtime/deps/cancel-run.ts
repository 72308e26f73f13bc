import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import { cancelRun as cancel } from '../../operations/cancel-run.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { thePortsOfEndings } from './settle.ts';
import { theTable } from './table.ts';

type CancelRun = (run: Parameters<typeof cancel>[1]) => ReturnType<typeof cancel>;

export const cancelRun = need<CancelRun>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
    stops: ['ingest', 'import', 'adapt', 'expand', 'augment', 'invent', 'train'],
  },
  () => (run) =>
    cancel(
      {
        ...thePortsOfEndings(),
        runs: createRunRepository(theTable()),
        executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
        clock: systemClock,
      },
      run,
    ),
);
