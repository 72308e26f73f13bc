import { ADAPT_ROWS_PROMPTS } from '#shared/adaptation/decide/prompts/adapt-rows-prompts.ts';
import { createCalibrationStore } from '#shared/adaptation/store/calibrations.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { advancePilot as advance } from '../advance-pilot.ts';
import { finishPilot as finish } from '../finish-pilot.ts';

const thePilotPorts = (use: Use) => ({
  objects: use(theObjects),
  runs: createRunRepository(use(theTable)),
});

type AdvancePilot = (context: RunContext & { readonly step: number }) => ReturnType<typeof advance>;

export const advancePilot = /* @__PURE__ */ need<AdvancePilot>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
    modelIds: ['rewrite', 'answer', 'judge', 'translate', 'embed'],
  },
  (use) => (context) =>
    advance(
      {
        ...thePilotPorts(use),
        calibrations: createCalibrationStore(use(theTable)),
        now: use(theClock).now,
        modelConcurrency: use.env.modelConcurrency(),
        models: Object.fromEntries(use.env.modelRoles().map((role) => [role, use.env.modelId(role)])),
        promptVersions: ADAPT_ROWS_PROMPTS,
      },
      context,
    ),
);

type FinishPilot = (context: RunContext, error: ErrorData | null, now: number) => Promise<RunRecord>;

export const finishPilot = /* @__PURE__ */ need<FinishPilot>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
  },
  (use) => (context, error, now) =>
    finish(
      {
        ...thePilotPorts(use),
        settleRun: createSettleRun({ ledger: theLedger(use) }),
      },
      context,
      error,
      now,
    ),
);
