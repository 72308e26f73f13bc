import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import type { RunContext } from '#shared/runs/schema/run-context.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { combineRows as combine } from '../combine-rows.ts';

type CombineRows = (
  context: RunContext,
  invocation: Parameters<typeof combine>[2],
) => ReturnType<typeof combine>;

export const combineRows = /* @__PURE__ */ need<CombineRows>(
  { table: 'write', bucket: { read: ['datasets', 'runs'], write: ['datasets', 'runs'] } },
  (use) => {
    const table = use(theTable);
    const ports = {
      datasets: createDatasetRepository(table),
      runs: createRunRepository(table),
      objects: use(theObjects),
      writeRows,
      clock: use(theClock).now,
    };
    return (context, invocation) => combine(ports, context, invocation);
  },
);
