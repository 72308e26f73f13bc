import { createIdempotencyRepository } from '#shared/access/store/idempotency.ts';
import { datasets } from '#shared/datasets/wire.ts';
import { clock, theClock } from '#shared/models/wire.ts';
import { theLeftOutParts } from '#shared/models/wire-providers.ts';
import { readFailure } from '#shared/platform/errors/to-failure.ts';
import { type Need, need, operation, resource, setting, type Use } from '#shared/platform/runtime/need.ts';
import type { TaskTools } from '#shared/platform/runtime/task.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import type { ErrorData } from '#shared/platform/schema/common.ts';
import { createClaims } from '#shared/platform/store/claims.ts';
import { type Access, freeUses, newId, random, theTable, unbilled } from '#shared/platform/wire.ts';
import { objects, theObjects } from '#shared/platform/wire-bucket.ts';
import { writeRows } from '#shared/tabular/adapters/write-rows.ts';
import { createExecutions } from './adapters/executions.ts';
import type { Executions } from './decide/executions.ts';
import { workforceOf } from './decide/plan.ts';
import { stateMachineOf } from './decide/run-kinds.ts';
import { createEndRun, type EndRun } from './end-run.ts';
import { createLaunchRun, type LaunchRun } from './launch-run.ts';
import { measureLedger } from './measure-ledger.ts';
import type { RunContext } from './schema/run-context.ts';
import { createAppends } from './store/appends.ts';
import type { Companions } from './store/companion.ts';
import { createLedger } from './store/ledger.ts';
import { createRunRepository } from './store/runs.ts';

type Bucket = NonNullable<Uses['bucket']>;

export const runs = (access: Access) => need({ table: access }, (use) => createRunRepository(use(theTable)));

export const appends = /* @__PURE__ */ need({ table: 'write' }, (use) => createAppends(use(theTable)));

/** The executions of state machines. */
export const theExecutions = /* @__PURE__ */ resource<Executions>('executions', ({ env }) =>
  createExecutions((pipeline) => env.stateMachineArn(stateMachineOf(pipeline))),
);

/** Executions of the named state machines. */
export const executions = (uses: Pick<Uses, 'starts' | 'observes' | 'stops'>) =>
  need(uses, (use) => use(theExecutions));

const connectLedger = (use: Use, companions: Companions = {}) =>
  measureLedger(createLedger(use(theTable), companions));

/** The ledger of every function, with metrics for starts and ends of runs. */
export const ledger = (access: Access) => need({ table: access, credits: access }, connectLedger);

/** Ends runs, also of the kinds that have these companions. */
export const endRunNeed = (companions: Companions): Need<EndRun> =>
  need({ table: 'write', credits: 'write' }, (use) =>
    createEndRun({ ledger: connectLedger(use, companions), claims: createClaims(use(theTable)) }),
  );

/** Ends a run that bills what its caller says, if anything: it counts no rows itself. */
export const endRun = /* @__PURE__ */ endRunNeed({});

/** How the execution of a run has ended. */
type Ended = Pick<RunContext, 'dataset_id' | 'run_id'> & { readonly error: ErrorData | null };

/** Ends a run that only loads rows: of an ingest, an import, and a combination. */
export const endFreeRunTask = () =>
  operation({ endRun }, async ({ endRun }, { dataset_id, run_id, error }: Ended, { now }: TaskTools) => {
    const failure = readFailure(error);
    const { status } = await endRun({ dataset_id, run_id, error: failure, billedCredits: 0, now });
    return { status };
  });

/**
 * Launches runs of the named state machines.
 * @param bucket where a launch stores its request, and a repetition looks for it
 */
export const launchRun = (
  starts: readonly string[],
  bucket: Bucket = {},
  companions: Companions = {},
): Need<LaunchRun> =>
  need(
    { table: 'write', credits: 'write', starts, bucket: { read: bucket.write ?? [], ...bucket } },
    (use) => {
      const ledger = connectLedger(use, companions);
      return createLaunchRun({
        ledger,
        endRun: createEndRun({ ledger, claims: createClaims(use(theTable)) }),
        runs: createRunRepository(use(theTable)),
        idempotency: createIdempotencyRepository(use(theTable)),
        // Loaded with the first request that is stored.
        objects: {
          head: (...args) => use(theObjects).head(...args),
          write: (...args) => use(theObjects).write(...args),
        },
        executions: use(theExecutions),
        unbilled: use(unbilled),
        freeUses: use(freeUses),
        clock: use(theClock),
        newId: use(newId),
      });
    },
  );

/** Concurrent model calls of the installation. */
export const modelConcurrency = /* @__PURE__ */ setting((env) => env.modelConcurrency());

/** Concurrent calls of each worker; all workers share the installation's limit. */
export const callsPerWorker = /* @__PURE__ */ setting(
  (env) => workforceOf(env.modelConcurrency()).callsPerWorker,
);

/** How a function that calls models waits for them. */
export const modelPatience = {
  outageSecondsMax: /* @__PURE__ */ setting((env) => env.modelOutageSeconds()),
  clock,
  random,
};

/** What a worker that calls models needs to process its rows. */
export const modelWorker = (bucket: Bucket) => ({
  ...modelPatience,
  objects: objects(bucket),
  callsPerWorker,
});

/** The same, for a worker that reads or records its run. */
export const worker = (access: Access, bucket: Bucket) => ({
  ...modelWorker(bucket),
  runs: runs(access),
  leftOut: /* @__PURE__ */ need({}, (use) => use(theLeftOutParts).all),
  quotaWaitHours: /* @__PURE__ */ setting((env) => env.modelQuotaWaitHours()),
});

/** The same, for a worker on rows of a run: their end is told, and what is not billed of them is counted. */
export const rowsWorker = (bucket: Bucket) => ({ ...worker('write', bucket), unbilled });

/** Writes rows into the chunks of a dataset. */
export const rowsWriter = /* @__PURE__ */ need({}, () => writeRows);

/** What it takes to write a run's rows into the dataset that it creates. */
export const rowAssembly = (bucket: Bucket) => ({
  datasets: datasets('write'),
  runs: runs('write'),
  objects: objects(bucket),
  writeRows: rowsWriter,
});
