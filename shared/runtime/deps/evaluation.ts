import { createCalibrationStore } from '../../adapters/dynamodb/calibrations.ts';
import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { concludeDatasetEvaluation, planEvaluation as plan } from '../../operations/evaluate-dataset.ts';
import type { ErrorData } from '../../schema/common.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type PlanEvaluation = (context: RunContext, now: number) => ReturnType<typeof plan>;

export const planEvaluation = need<PlanEvaluation>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['runs'] } },
  () => (context, now) =>
    plan(
      {
        datasets: createDatasetRepository(theTable()),
        objects: theObjects(),
        sampleRowsMax: env.evaluationSampleRows(),
        modelConcurrency: env.modelConcurrency(),
      },
      context,
      now,
    ),
);

type ConcludeEvaluation = (
  context: RunContext,
  error: ErrorData | null,
  now: number,
) => ReturnType<typeof concludeDatasetEvaluation>;

export const concludeEvaluation = need<ConcludeEvaluation>(
  { table: 'write', bucket: { read: ['runs'], write: ['runs'] } },
  () => (context, error, now) => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: theObjects(),
      calibrations: createCalibrationStore(table),
    };
    return concludeDatasetEvaluation(ports, context, error, now);
  },
);
