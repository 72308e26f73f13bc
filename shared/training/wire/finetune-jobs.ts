import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { FinetuneJobRepository } from '../decide/finetune-job.ts';
import { createFinetuneJobRepository } from '../store/finetune-jobs.ts';

export const finetuneJobs = /* @__PURE__ */ need<FinetuneJobRepository>({ table: 'read' }, (use) =>
  createFinetuneJobRepository(use(theTable)),
);
