import { createCustomEvalRepository } from '../../adapters/dynamodb/custom-evals.ts';
import { concludeCustomEval as conclude, planCustomEval as plan } from '../../operations/custom-evals.ts';
import type { ErrorData } from '../../schema/common.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

export const planCustomEval = need<(context: RunContext) => ReturnType<typeof plan>>(
  { table: 'write', bucket: { read: ['runs'], write: ['runs'] } },
  () => (context) =>
    plan(
      {
        customEvals: createCustomEvalRepository(theTable()),
        objects: theObjects(),
        modelConcurrency: env.modelConcurrency(),
      },
      context,
    ),
);

type Conclude = (context: RunContext, error: ErrorData | null, now: number) => ReturnType<typeof conclude>;

export const concludeCustomEval = need<Conclude>(
  { table: 'write', bucket: { read: ['runs'] } },
  () => (context, error, now) =>
    conclude(
      { customEvals: createCustomEvalRepository(theTable()), objects: theObjects() },
      context,
      error,
      now,
    ),
);
