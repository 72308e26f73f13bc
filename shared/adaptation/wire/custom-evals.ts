import { need } from '#shared/platform/runtime/need.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { CustomEvalRepository } from '../decide/custom-evals/repository.ts';
import { createCustomEvalRepository } from '../store/custom-evals.ts';

export const customEvals = /* @__PURE__ */ need<CustomEvalRepository>({ table: 'read' }, (use) =>
  createCustomEvalRepository(use(theTable)),
);
