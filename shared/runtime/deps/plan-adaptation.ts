import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { createSpeedStore } from '../../adapters/dynamodb/speeds.ts';
import { ADAPT_ROWS_PROMPTS } from '../../domain/adaptation/adapt-rows.ts';
import { planAdaptation as plan } from '../../operations/plan-run.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type PlanAdaptation = (context: RunContext) => ReturnType<typeof plan>;

export const planAdaptation = need<PlanAdaptation>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['runs'] },
    modelIds: ['rewrite', 'answer', 'judge', 'translate', 'embed'],
  },
  () => {
    const ports = {
      runs: createRunRepository(theTable()),
      objects: theObjects(),
      modelConcurrency: env.modelConcurrency(),
      speeds: createSpeedStore(theTable()),
      models: Object.fromEntries(env.modelRoles().map((role) => [role, env.modelId(role)])),
      promptVersions: ADAPT_ROWS_PROMPTS,
    };
    return (context) => plan(ports, context);
  },
);
