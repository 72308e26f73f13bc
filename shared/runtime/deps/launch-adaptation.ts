import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createSpeedStore } from '../../adapters/dynamodb/speeds.ts';
import {
  type LaunchAdaptationInput,
  launchAdaptation as launch,
} from '../../operations/launch-adaptation.ts';
import type { RunQuote } from '../../schema/adaptation.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theLaunchRun } from './launch-run.ts';
import { theTable } from './table.ts';

type LaunchAdaptation = (input: LaunchAdaptationInput) => Promise<RunQuote>;

export const launchAdaptation = need<LaunchAdaptation>(
  {
    table: 'write',
    credits: 'write',
    bucket: { write: ['runs'] },
    starts: ['adapt'],
    modelIds: ['answer'],
    search: true,
  },
  () => {
    const ports = {
      datasets: createDatasetRepository(theTable()),
      launchRun: theLaunchRun(),
      modelConcurrency: env.modelConcurrency(),
      speeds: createSpeedStore(theTable()),
      evaluationSampleRows: env.evaluationSampleRows(),
      answerModel: { id: env.optionalModelId('answer'), seesImages: env.modelSeesImages() },
      hasSearch: env.searchBaseUrl() !== null,
    };
    return (input) => launch(ports, input);
  },
);
