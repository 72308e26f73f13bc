import { ADAPT_ROWS_PROMPTS } from '#shared/adaptation/decide/adapt-rows.ts';
import type { AdaptRequest } from '#shared/adaptation/schema/adaptation.ts';
import { createCalibrationStore } from '#shared/adaptation/store/calibrations.ts';
import { createSpeedStore } from '#shared/adaptation/store/speeds.ts';
import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { need, type Use } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createSettleRun } from '#shared/runs/settle-run.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { theLedger } from '#shared/runs/wire/ledger.ts';
import { type AdvancePilotPorts, advancePilot as advance } from '../advance-pilot.ts';
import { finishPilot as finish } from '../finish-pilot.ts';
import { type LaunchPilotInput, launchPilot as launch } from '../launch-pilot.ts';
import type { PilotPorts } from '../pilot-work.ts';
import { describePilot, listPilots as list, type ReadPilotPorts, requirePilot } from '../read-pilot.ts';
import { resolveArm } from '../resolve-arm.ts';
import type { Pilot, PilotLaunch } from '../schema/pilot.ts';

export const launchPilot = /* @__PURE__ */ need<(input: LaunchPilotInput) => Promise<PilotLaunch>>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['datasets'], write: ['runs'] },
    starts: ['pilot'],
    modelIds: ['answer'],
    search: true,
  },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      objects: use(theObjects),
      launchRun: theLaunchRun(use),
      modelConcurrency: use.env.modelConcurrency(),
      speeds: createSpeedStore(use(theTable)),
      answerModel: { id: use.env.optionalModelId('answer'), seesImages: use.env.modelSeesImages() },
      hasSearch: use.env.searchBaseUrl() !== null,
    };
    return (input) => launch(ports, input);
  },
);

const theReading = (use: Use): ReadPilotPorts => ({
  runs: createRunRepository(use(theTable)),
  objects: use(theObjects),
  modelConcurrency: use.env.modelConcurrency(),
});

type OfDataset = Pick<DatasetRecord, 'dataset_id'>;

/** Reads pilots of a dataset that its caller has been shown to own. */
export interface PilotReader {
  /** @throws {ServiceError} `pilot_not_found` */
  read(dataset: OfDataset, pilotId: string): Promise<Pilot>;
  /** The newest forty, newest first. */
  list(dataset: OfDataset): Promise<Pilot[]>;
}

export const pilotReader = /* @__PURE__ */ need<PilotReader>(
  { table: 'read', bucket: { read: ['runs'] } },
  (use) => {
    const ports = theReading(use);
    return {
      read: async (dataset, pilotId) => describePilot(ports, await requirePilot(ports, dataset, pilotId)),
      list: (dataset) => list(ports, dataset),
    };
  },
);

type ResolvePilotArm = (
  caller: Caller,
  datasetId: string,
  asked: AdaptRequest,
) => ReturnType<typeof resolveArm>;

/** The request that runs an arm of a pilot. */
export const resolvePilotArm = /* @__PURE__ */ need<ResolvePilotArm>(
  { table: 'read', bucket: { read: ['runs'] } },
  (use) => async (caller, datasetId, asked) => {
    const dataset = await createDatasetRepository(use(theTable)).require(caller, datasetId);
    return resolveArm(theReading(use), dataset, asked);
  },
);

const thePilotPorts = (use: Use): PilotPorts & Pick<AdvancePilotPorts, 'promptVersions'> => ({
  objects: use(theObjects),
  calibrations: createCalibrationStore(use(theTable)),
  modelConcurrency: use.env.modelConcurrency(),
  models: Object.fromEntries(use.env.modelRoles().map((role) => [role, use.env.modelId(role)])),
  promptVersions: ADAPT_ROWS_PROMPTS,
});

type AdvancePilot = (context: RunContext & { readonly step: number }) => ReturnType<typeof advance>;

export const advancePilot = /* @__PURE__ */ need<AdvancePilot>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
    modelIds: ['rewrite', 'answer', 'judge', 'translate', 'embed'],
  },
  (use) => (context) => advance({ ...thePilotPorts(use), runs: createRunRepository(use(theTable)) }, context),
);

type FinishPilot = (context: RunContext, error: ErrorData | null, now: number) => Promise<RunRecord>;

export const finishPilot = /* @__PURE__ */ need<FinishPilot>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['runs'], write: ['runs'] },
    modelIds: ['rewrite', 'answer', 'judge', 'translate', 'embed'],
  },
  (use) => (context, error, now) =>
    finish(
      {
        ...thePilotPorts(use),
        runs: createRunRepository(use(theTable)),
        settleRun: createSettleRun({ ledger: theLedger(use) }),
      },
      context,
      error,
      now,
    ),
);
