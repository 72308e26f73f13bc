import { createAccessAdministration } from '#shared/access/store/access.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createSweepMeters, type SweepMeters } from '#shared/access/sweep-meters.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { theInvokers } from '#shared/platform/wire/invoker.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createInspectRuns, type InspectRuns } from '#shared/runs/inspect-runs.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { createSweepRuns, type SweepRuns } from '../sweep-runs.ts';

const SETTLER = 'consumers/settle-ended-execution';

export const sweepRuns = /* @__PURE__ */ need<SweepRuns>(
  {
    table: 'write',
    invokes: [SETTLER],
    observes: ['ingest', 'import', 'adapt', 'pilot', 'combine', 'expand', 'augment', 'invent', 'train'],
  },
  (use) =>
    createSweepRuns({
      runs: createRunRepository(use(theTable)),
      executions: use(theExecutions),
      claims: createClaims(use(theTable)),
      handOver: (detail) => use(theInvokers)(SETTLER).start({ detail }),
    }),
);

export const inspectRuns = /* @__PURE__ */ need<InspectRuns>(
  { table: 'read', credits: 'read', bucket: { read: ['runs'] } },
  (use) =>
    createInspectRuns({
      objects: use(theObjects),
      runs: createRunRepository(use(theTable)),
      ledger: theLedger(use),
      access: createAccessAdministration(use(theTable)),
    }),
);

export const sweepMeters = /* @__PURE__ */ need<SweepMeters>({ table: 'write', credits: 'write' }, (use) =>
  createSweepMeters({
    access: createAccessAdministration(use(theTable)),
    ledger: theLedger(use),
    meter: createMeterRepository(use(theTable)),
  }),
);
