import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { ADAPT_ROWS_PROMPTS } from '../decide/prompts/adapt-rows-prompts.ts';
import { ADAPTING_ROLES } from '../decide/reuse-coverage.ts';
import { type LaunchAdaptationInput, launchAdaptation as launch } from '../launch-adaptation.ts';
import type { RunQuote } from '../schema/adaptation.ts';
import { createSpeedStore } from '../store/speeds.ts';

type LaunchAdaptation = (input: LaunchAdaptationInput) => Promise<RunQuote>;

export const launchAdaptation = /* @__PURE__ */ need<LaunchAdaptation>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['datasets', 'reuse'], write: ['runs'] },
    starts: ['adapt'],
    modelIds: ['rewrite', 'answer', 'judge', 'embed'],
    search: true,
    batchJobs: 'read',
  },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      launchRun: theLaunchRun(use),
      modelConcurrency: use.env.modelConcurrency(),
      speeds: createSpeedStore(use(theTable)),
      evaluationSampleRows: use.env.evaluationSampleRows(),
      answerModel: { id: use.env.optionalModelId('answer'), seesImages: use.env.modelSeesImages() },
      objects: use(theObjects),
      models: use.env.modelIds(ADAPTING_ROLES),
      promptVersions: ADAPT_ROWS_PROMPTS,
      hasSearch: use.env.searchBaseUrl() !== null,
      hasBatchJobs: use.env.modelBatchJobs(),
      fetchesImages: use.env.modelBatchJobs() && use.env.modelProvider() === 'bedrock',
    };
    return (input) => launch(ports, input);
  },
);
