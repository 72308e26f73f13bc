import { systemClock } from '#shared/models/adapters/system-clock.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createExecutions } from '#shared/runs/adapters/executions.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { cancelRun as cancel } from '../cancel-run.ts';
import { thePortsOfEndings } from './settle.ts';

type CancelRun = (run: Parameters<typeof cancel>[1]) => ReturnType<typeof cancel>;

export const cancelRun = /* @__PURE__ */ need<CancelRun>(
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
