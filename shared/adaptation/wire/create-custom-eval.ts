import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createFreeUseLimiter } from '#shared/platform/store/rate-limiter.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theExecutions } from '#shared/runs/wire/executions.ts';
import { createCustomEval as create } from '../custom-evals.ts';
import { createCustomEvalRepository } from '../store/custom-evals.ts';

type CreateCustomEval = (input: Parameters<typeof create>[1]) => ReturnType<typeof create>;

export const createCustomEval = /* @__PURE__ */ need<CreateCustomEval>(
  { table: 'write', starts: ['custom-eval'], modelIds: ['judge'] },
  (use) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      customEvals: createCustomEvalRepository(table),
      freeUses: createFreeUseLimiter(table),
      executions: use(theExecutions),
      hasJudge: use.env.optionalModelId('judge') !== null,
      newId: use(newUuid),
    };
    return (input) => create(ports, input);
  },
);
