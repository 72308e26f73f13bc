import { createFinetuneJobRepository } from '../../adapters/dynamodb/finetune-jobs.ts';
import type { FinetuneJobRepository } from '../../domain/training/job.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

export const finetuneJobs = need<FinetuneJobRepository>({ table: 'read' }, () =>
  createFinetuneJobRepository(theTable()),
);
