import { createDatasetRepository } from '../../adapters/dynamodb/datasets.ts';
import { createRunRepository } from '../../adapters/dynamodb/runs.ts';
import { writeRows } from '../../adapters/tabular/write-rows.ts';
import { combineRows as combine } from '../../operations/combine-rows.ts';
import type { RunContext } from '../../schema/run-context.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';
import { theTable } from './table.ts';

type CombineRows = (
  context: RunContext,
  invocation: Parameters<typeof combine>[2],
) => ReturnType<typeof combine>;

export const combineRows = need<CombineRows>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } },
  () => {
    const table = theTable();
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: theObjects(),
      writeRows,
      clock: Date.now,
    };
    return (context, invocation) => combine(ports, context, invocation);
  },
);
