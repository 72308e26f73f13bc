import { createCustomEvalRepository } from '../store/custom-evals.ts';
import type { CustomEvalRepository } from '../decide/custom-evals/repository.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';

export const customEvals = need<CustomEvalRepository>({ table: 'read' }, () =>
  createCustomEvalRepository(theTable()),
);
