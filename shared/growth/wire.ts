import { access } from '#shared/access/wire.ts';
import { contextTokensMax, workerModels } from '#shared/adaptation/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { operation } from '#shared/platform/runtime/need.ts';
import type { TaskTools } from '#shared/platform/runtime/task.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import type { Invocation } from '#shared/runs/run-worker.ts';
import type { GrowPlan, RunContext } from '#shared/runs/schema/run-context.ts';
import { endRun, launchRun, rowsWorker, runs } from '#shared/runs/wire.ts';
import { endGrowth } from './end-growth.ts';
import { makeRows } from './make-rows.ts';

/** What it takes to launch a run that grows a dataset. */
export const growthLaunch = {
  datasets: /* @__PURE__ */ datasets('write'),
  objects: /* @__PURE__ */ objects({ read: ['runs'] }),
  launchRun: /* @__PURE__ */ launchRun(['expand'], { write: ['runs'] }),
  newId,
};

/** What it takes to end a run that creates a dataset. */
export const endGrowthNeeds = {
  datasets: /* @__PURE__ */ datasets('write'),
  runs: /* @__PURE__ */ runs('write'),
  objects: /* @__PURE__ */ objects({ read: ['runs'] }),
  endRun,
};

/** Ends a run that creates a dataset, and bills the rows that it adds. */
export const endGrowthTask = () =>
  operation(
    endGrowthNeeds,
    async (
      ports,
      { error, ...context }: RunContext & { readonly error: ErrorData | null },
      { now }: TaskTools,
    ) => {
      const { status } = await endGrowth(ports, context, readFailure(error), now);
      return { status };
    },
  );

/** Makes the rows of an expansion: of a dataset that grows, and of what an invention wrote. */
export const rowMaker = () =>
  operation(
    {
      ...rowsWorker({ read: ['datasets', 'runs'], write: ['runs'] }),
      contextTokensMax,
      configured: workerModels(['rewrite', 'translate']),
    },
    async ({ configured, ...ports }, plan: GrowPlan, invocation: Invocation) => {
      const { generator } = await configured();
      const models = { rewrite: generator('rewrite'), translate: generator('translate') };
      return makeRows({ ...ports, models }, plan, invocation);
    },
  );

/** What it takes to check whether datasets can be combined. */
export const combinationCheck = {
  access,
  datasets: /* @__PURE__ */ datasets('read'),
  runs: /* @__PURE__ */ runs('read'),
  objects: /* @__PURE__ */ objects({ read: ['datasets', 'runs'] }),
};
