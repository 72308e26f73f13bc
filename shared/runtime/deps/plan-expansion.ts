import { planExpansion as plan } from '../../operations/plan-expansion.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

/** Plans the rows in other languages. */
export const planExpansion = need<(context: RunContext) => ReturnType<typeof plan>>(
  { bucket: { read: ['runs'], write: ['runs'] } },
  () => (context) => plan({ objects: theObjects(), modelConcurrency: env.modelConcurrency() }, context),
);
