import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { concludeDatasetEvaluation, planEvaluation as plan } from '../evaluate-dataset.ts';
import { createCalibrationStore } from '../store/calibrations.ts';

type PlanEvaluation = (context: RunContext, now: number) => ReturnType<typeof plan>;

export const planEvaluation = /* @__PURE__ */ need<PlanEvaluation>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['runs'] } },
  (use) => (context, now) =>
    plan(
      {
        datasets: createDatasetRepository(use(theTable)),
        objects: use(theObjects),
        sampleRowsMax: use.env.evaluationSampleRows(),
        modelConcurrency: use.env.modelConcurrency(),
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

export const concludeEvaluation = /* @__PURE__ */ need<ConcludeEvaluation>(
  { table: 'write', bucket: { read: ['runs'], write: ['runs'] } },
  (use) => (context, error, now) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      calibrations: createCalibrationStore(table),
    };
    return concludeDatasetEvaluation(ports, context, error, now);
  },
);
