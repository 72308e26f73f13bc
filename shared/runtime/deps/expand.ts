import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { systemClock } from '../../adapters/model/system-clock.ts';
import { writeRows } from '../../adapters/tabular/write-rows.ts';
import { workforceOf } from '../../domain/runs/plan.ts';
import { assembleGrowth as assemble } from '../../operations/assemble-growth.ts';
import { makeRows as make } from '../../operations/make-rows.ts';
import { takeSource as take } from '../../operations/take-source.ts';
import type { GrowPlan, RunContext } from '../../schema/run-context.ts';
import { env } from '../env.ts';
import { measureWorker } from '../measure-worker.ts';
import { need } from '../need.ts';
import { models } from './models.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

const rewriters = ['rewrite', 'translate'] as const;

/** Takes the rows of a source over and decides what is made of which. */
export const takeSource = need<(context: RunContext) => ReturnType<typeof take>>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] },
    modelIds: rewriters,
  },
  () => {
    const table = theTable();
    const ids = rewriters.flatMap((role) => {
      const id = env.optionalModelId(role);
      return id === null ? [] : [[role, id] as const];
    });
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: theObjects(),
      writeRows,
      modelConcurrency: env.modelConcurrency(),
      models: Object.fromEntries(ids),
    };
    return (context) => take(ports, context);
  },
);

const callsPerWorker = (): number => workforceOf(env.modelConcurrency()).callsPerWorker;
const making = models(rewriters, callsPerWorker);

type MakeRows = (
  plan: GrowPlan,
  invocation: { readonly deadlineMs: number; readonly attempt: string },
) => ReturnType<typeof make>;

const uses = {
  ...making.uses,
  table: 'write',
  bucket: { read: ['datasets', 'runs'], write: ['runs'] },
} as const;

async function thePorts() {
  const configured = await making.get()();
  return {
    objects: theObjects(),
    runs: createRunRepository(theTable()),
    models: { rewrite: configured.generator('rewrite'), translate: configured.generator('translate') },
    callsPerWorker: callsPerWorker(),
    outageSecondsMax: env.modelOutageSeconds(),
    contextTokensMax: env.modelContextTokens(),
    clock: systemClock,
    random: Math.random,
  };
}

/** Makes rows of those of one chunk. */
export const makeRows = need<MakeRows>(uses, () => async (plan, invocation) => {
  const ports = await thePorts();
  return measureWorker('make-rows', (watch) => make({ ...ports, watch }, plan, invocation));
});

/** Puts rows that were invented into other languages. */
export const translateRows = need<MakeRows>(uses, () => async (plan, invocation) => {
  const ports = await thePorts();
  return measureWorker('translate-rows', (watch) => make({ ...ports, watch }, plan, invocation));
});

/** Puts what was made into its dataset. */
export const assembleGrowth = need<(context: RunContext, now: number) => ReturnType<typeof assemble>>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } },
  () => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: theObjects(),
      writeRows,
    };
    return (context, now) => assemble(ports, context, now);
  },
);
