import { createCustomEvalRepository } from '../../adapters/dynamodb/custom-evals.ts';
import type { CustomEvalRepository } from '../../domain/custom-evals/repository.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

export const customEvals = need<CustomEvalRepository>({ table: 'read' }, () =>
  createCustomEvalRepository(theTable()),
);
