import { adapt } from '#shared/adaptation/pipelines/adapt.ts';
import { evaluationSampleRows, speeds } from '#shared/adaptation/wire.ts';
import { endAdaptation } from '#shared/lifecycle/end-adaptation.ts';
import { endAdaptationNeeds } from '#shared/lifecycle/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { modelConcurrency } from '#shared/runs/wire.ts';

export const handler = runTask(
  adapt.tasks['settle-run'],
  { ...endAdaptationNeeds(), speeds: speeds('write'), modelConcurrency, evaluationSampleRows },
  async ({ error, ...context }, { speeds, modelConcurrency, evaluationSampleRows, ...ports }, { now }) => {
    const measuring = { speeds, modelConcurrency, evaluationSampleRows };
    const { status } = await endAdaptation({ ...ports, measuring }, context, readFailure(error), now);
    return { status };
  },
);
