import { access } from '#shared/access/wire.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { newId } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { endRun, launchRun, runs } from '#shared/runs/wire.ts';

/** What it takes to launch a run that grows a dataset. */
export const growthLaunch = {
  datasets: /* @__PURE__ */ datasets('write'),
  objects: /* @__PURE__ */ objects({ read: ['runs'] }),
  launchRun: /* @__PURE__ */ launchRun(['expand'], { write: ['runs'] }),
  newId,
};

/** What it takes to end a run that creates a dataset. */
export const growthEnd = {
  datasets: /* @__PURE__ */ datasets('write'),
  runs: /* @__PURE__ */ runs('write'),
  objects: /* @__PURE__ */ objects({ read: ['runs'] }),
  endRun,
};

/** What it takes to check whether datasets can be combined. */
export const combinationCheck = {
  access,
  datasets: /* @__PURE__ */ datasets('read'),
  runs: /* @__PURE__ */ runs('read'),
  objects: /* @__PURE__ */ objects({ read: ['datasets', 'runs'] }),
};
