import { createAccessAdministration } from '../../adapters/dynamodb/access.ts';
import { createMeterRepository } from '../../adapters/dynamodb/meter.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import { collectDelivered } from '../../operations/finish-run.ts';
import { createInspectRuns, type InspectRuns } from '../../operations/inspect-runs.ts';
import { createSweepMeters, type SweepMeters } from '../../operations/sweep-meters.ts';
import { createSweepRuns, type SweepRuns } from '../../operations/sweep-runs.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theLedger } from './ledger.ts';
import { thePortsOfEndings } from './settle.ts';
import { theTable } from './table.ts';

export const sweepRuns = need<SweepRuns>(
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

export const inspectRuns = need<InspectRuns>({ table: 'read', credits: 'read' }, () =>
  createInspectRuns({
    runs: createRunRepository(theTable()),
    ledger: theLedger(),
    access: createAccessAdministration(theTable()),
  }),
);

export const sweepMeters = need<SweepMeters>({ table: 'write', credits: 'write' }, () =>
  createSweepMeters({
    access: createAccessAdministration(theTable()),
    ledger: theLedger(),
    meter: createMeterRepository(theTable()),
  }),
);
