import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { augmentTraining as augment } from '../augment-training.ts';
import { startTrainingAugmentation } from './start-training-augmentation.ts';
import { theTrainings } from './trainings.ts';

type AugmentTraining = (context: RunContext, now: number) => ReturnType<typeof augment>;

export const augmentTraining = /* @__PURE__ */ need<AugmentTraining>(
  [startTrainingAugmentation],
  (use) => (context, now) => {
    const ports = {
      trainings: theTrainings(use),
      runs: createRunRepository(use(theTable)),
      start: use(startTrainingAugmentation),
    };
    return augment(ports, context, now);
  },
);
