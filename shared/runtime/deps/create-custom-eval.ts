import { createCustomEvalRepository } from '../../adapters/dynamodb/custom-evals.ts';
import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createFreeUseLimiter } from '../../adapters/dynamodb/rate-limiter.ts';
import { createExecutions } from '../../adapters/stepfunctions/executions.ts';
import { createCustomEval as create } from '../../operations/custom-evals.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { newUuid } from './ids.ts';
import { theTable } from './table.ts';

type CreateCustomEval = (input: Parameters<typeof create>[1]) => ReturnType<typeof create>;

export const createCustomEval = need<CreateCustomEval>(
  { table: 'write', starts: ['custom-eval'], modelIds: ['judge'] },
  () => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      customEvals: createCustomEvalRepository(table),
      freeUses: createFreeUseLimiter(table),
      executions: createExecutions((pipeline) => env.stateMachineArn(pipeline)),
      hasJudge: env.optionalModelId('judge') !== null,
      newId: newUuid.get(),
    };
    return (input) => create(ports, input);
  },
);
