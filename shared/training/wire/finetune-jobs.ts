import { createFinetuneJobRepository } from '../store/finetune-jobs.ts';
import type { FinetuneJobRepository } from '../decide/job.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';

export const finetuneJobs = need<FinetuneJobRepository>({ table: 'read' }, () =>
  createFinetuneJobRepository(theTable()),
);
