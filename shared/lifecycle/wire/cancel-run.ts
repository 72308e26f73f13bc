import { theClock } from '#shared/models/wire/clock.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
import { cancelRun as cancel } from '../cancel-run.ts';
import { thePortsOfEndings, usesOfFailures } from './settle.ts';

type CancelRun = (run: Parameters<typeof cancel>[1]) => ReturnType<typeof cancel>;

export const cancelRun = /* @__PURE__ */ need<CancelRun>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
    ...usesOfFailures,
    stops: ['ingest', 'import', 'adapt', 'pilot', 'combine', 'expand', 'augment', 'invent', 'train'],
  },
  (use) => (run) =>
    cancel(
      {
        ...thePortsOfEndings(use),
        runs: createRunRepository(use(theTable)),
        executions: use(theExecutions),
        clock: use(theClock),
      },
      run,
    ),
);
