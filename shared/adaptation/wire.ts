import { datasets } from '#shared/datasets/wire.ts';
import { calibrations } from '#shared/judging/wire.ts';
import { modelIds } from '#shared/models/wire.ts';
import { models } from '#shared/models/wire-providers.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need, setting } from '#shared/platform/runtime/need.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { type Access, theTable, unbilled } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import { callsPerWorker, launchRun, modelConcurrency, worker } from '#shared/runs/wire.ts';
import { fetchImage } from '#shared/tabular/wire.ts';
import type { BatchJobPorts } from './advance-batch-jobs.ts';
import { ADAPT_ROWS_PROMPTS } from './decide/prompts/adapt-rows-prompts.ts';
import { ADAPTING_ROLES } from './decide/reuse-coverage.ts';
import { createSpeedStore } from './store/speeds.ts';

type Bucket = NonNullable<Uses['bucket']>;

/** Speeds of earlier runs. */
export const speeds = (access: Access) => need({ table: access }, (use) => createSpeedStore(use(theTable)));

/** What launches and pilots of adaptations know of the installation's model for answers. */
export const answerModel = /* @__PURE__ */ need({ modelIds: ['answer'] }, ({ env }) => ({
  id: env.optionalModelId('answer'),
  seesImages: env.modelSeesImages(),
}));

export const hasSearch = /* @__PURE__ */ need({ search: true }, ({ env }) => env.searchBaseUrl() !== null);

/** Whether the installation makes batch jobs. */
export const hasBatchJobs = /* @__PURE__ */ need({ batchJobs: 'read' }, ({ env }) => env.modelBatchJobs());

export const evaluationSampleRows = /* @__PURE__ */ setting((env) => env.evaluationSampleRows());

/** The ids of the models that work on rows, by role. */
export const rowModels = /* @__PURE__ */ modelIds(['rewrite', 'answer', 'judge', 'translate', 'embed']);

/** All workers together stay within the installation's limit of concurrent searches. */
export const searchesPerWorker = /* @__PURE__ */ setting((env) =>
  Math.max(1, Math.floor(env.searchConcurrency() / workforceOf(env.modelConcurrency()).workers)),
);

export const contextTokensMax = /* @__PURE__ */ setting((env) => env.modelContextTokens());

/** Rows without their recorded calls are adapted anew, so a malformed object fails no run. */
const onMalformed = /* @__PURE__ */ need(
  {},
  () => (key: string) => logger.warn('recorded calls are malformed, and are not reused', { key }),
);

/** A worker that uses calibrations of judges, and recorded calls. */
export const judgingWorker = (access: Access, bucket: Bucket) => ({
  ...worker(access, bucket),
  calibrations: calibrations(access),
  onMalformed,
});

/** The models of a worker, for its share of the installation's calls. */
export const workerModels = (roles: readonly ModelRole[]) => models(roles, (use) => use(callsPerWorker));

/** What it takes to launch an adaptation. */
export const adaptationLaunch = {
  datasets: /* @__PURE__ */ datasets('write'),
  launchRun: /* @__PURE__ */ launchRun(['adapt'], { write: ['runs'] }),
  modelConcurrency,
  speeds: /* @__PURE__ */ speeds('read'),
  evaluationSampleRows,
  answerModel,
  objects: /* @__PURE__ */ objects({ read: ['datasets', 'reuse'] }),
  models: /* @__PURE__ */ modelIds(ADAPTING_ROLES),
  promptVersions: /* @__PURE__ */ need({}, () => ADAPT_ROWS_PROMPTS),
  hasSearch,
  hasBatchJobs,
  fetchesImages: /* @__PURE__ */ need(
    { batchJobs: 'read' },
    ({ env }) => env.modelBatchJobs() && env.modelProvider() === 'bedrock',
  ),
};

/** A worker that adapts rows, without its models. */
export const adaptationWorker = (bucket: Bucket) => ({
  ...judgingWorker('write', bucket),
  unbilled,
  contextTokensMax,
  fetchImage,
});

/** Logs what a provider does not do for a batch job. */
export const onTrouble: BatchJobPorts['onTrouble'] = (job, { kind, message }) =>
  logger.warn('the provider did not do what was asked for a batch job', { job, kind, message });
