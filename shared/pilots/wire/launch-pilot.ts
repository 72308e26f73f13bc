import { createSpeedStore } from '#shared/adaptation/store/speeds.ts';
import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { type LaunchPilotInput, launchPilot as launch } from '../launch-pilot.ts';
import type { PilotLaunch } from '../schema/pilot.ts';

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
