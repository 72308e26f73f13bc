import { need, type Use } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { TrainingRepository } from '../decide/repository.ts';
import { createTrainingRepository } from '../store/trainings.ts';

export const theTrainings = (use: Use): TrainingRepository => createTrainingRepository(use(theTable));

export const trainings = /* @__PURE__ */ need<TrainingRepository>({ table: 'read' }, theTrainings);
