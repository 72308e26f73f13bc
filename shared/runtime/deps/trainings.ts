import { createTrainingRepository } from '../../adapters/dynamodb/trainings.ts';
import type { TrainingRepository } from '../../domain/training/repository.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

export const theTrainings = (): TrainingRepository => createTrainingRepository(theTable());

export const trainings = need<TrainingRepository>({ table: 'read' }, theTrainings);
