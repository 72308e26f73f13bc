import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createSweepMeters, type SweepMeters } from '#shared/access/sweep-meters.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createExecutions } from '#shared/runs/adapters/executions.ts';
import { createInspectRuns, type InspectRuns } from '#shared/runs/inspect-runs.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { collectDelivered } from '../finish-run.ts';
import { createSweepRuns, type SweepRuns } from '../sweep-runs.ts';
import { thePortsOfEndings } from './settle.ts';

export const sweepRuns = /* @__PURE__ */ need<SweepRuns>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
    observes: ['ingest', 'import', 'adapt', 'combine', 'expand', 'augment', 'invent', 'train'],
  },
  () => (input) => {
    const ports = thePortsOfEndings();
    const sweep = createSweepRuns({
      runs: createRunRepository(theTable()),
      executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
      settleRun: ports.settleRun,
      delivered: (run) => collectDelivered(ports, run, input.now),
    });
    return sweep(input);
  },
);

export const inspectRuns = /* @__PURE__ */ need<InspectRuns>({ table: 'read', credits: 'read' }, () =>
  createInspectRuns({
    runs: createRunRepository(theTable()),
    ledger: theLedger(),
    access: createAccessAdministration(theTable()),
  }),
);

export const sweepMeters = /* @__PURE__ */ need<SweepMeters>({ table: 'write', credits: 'write' }, () =>
  createSweepMeters({
    access: createAccessAdministration(theTable()),
    ledger: theLedger(),
    meter: createMeterRepository(theTable()),
  }),
);
