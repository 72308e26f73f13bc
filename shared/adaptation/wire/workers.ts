import { CallDeferred } from '#shared/models/decide/call-memo.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { models } from '#shared/models/wire/models.ts';
import { searchProvider } from '#shared/models/wire/search.ts';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import { createLinkRules } from '#shared/platform/adapters/egress/link-check.ts';
import { logger } from '#shared/platform/runtime/logger.ts';
import { need, resource, type Use } from '#shared/platform/runtime/need.ts';
import type { ModelRole } from '#shared/platform/schema/model-role.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { workforceOf } from '#shared/runs/decide/plan.ts';
import type { BatchWork, ExpandWork, ScorePlan } from '#shared/runs/schema/run-context.ts';
import { measureWorker } from '#shared/runs/wire/measure-worker.ts';
import { callsPerWorker, theWorkerPorts, type Worker } from '#shared/runs/wire/worker-ports.ts';
import type { FetchImage } from '#shared/tabular/decide/images/load-image.ts';
import { adaptChunk as adapt } from '../adapt-chunk.ts';
import { collectCalls as collect } from '../collect-calls.ts';
import { scoreSample as score } from '../evaluate-dataset.ts';
import { expandChunk as expand } from '../expand-chunk.ts';
import { createImageFetcher, createImageLinkCheck } from '../fetch-image.ts';
import { createCalibrationStore } from '../store/calibrations.ts';

/** All workers together stay within the installation's limit of concurrent searches. */
const searchesPerWorker = (use: Use): number =>
  Math.max(1, Math.floor(use.env.searchConcurrency() / workforceOf(use.env.modelConcurrency()).workers));

/** Ports of workers that use judge calibrations. */
const judgingPorts = (use: Use) => ({
  ...theWorkerPorts(use),
  calibrations: createCalibrationStore(use(theTable)),
});

/** Rows without their recorded calls are adapted anew, so a malformed object fails no run. */
const onMalformed = (key: string): void =>
  logger.warn('recorded calls are malformed, and are not reused', { key });

const adapting = /* @__PURE__ */ models(['rewrite', 'answer', 'judge', 'embed'], callsPerWorker);
const expanding = /* @__PURE__ */ models(['rewrite', 'judge', 'translate', 'embed'], callsPerWorker);
const scoring = /* @__PURE__ */ models(['judge', 'embed'], callsPerWorker);

/**
 * What fetches the images of rows. Amazon Bedrock takes images as bytes; OpenAI-compatible servers fetch links, which must not
 * lead to internal addresses.
 */
export const theImages = /* @__PURE__ */ resource<FetchImage>('images', ({ env }) => {
  const guard = env.egressGuard();
  return env.modelProvider() === 'bedrock'
    ? createImageFetcher(createGuardedFetch(guard))
    : createImageLinkCheck(createLinkRules(guard));
});

/** Adapts a batch of rows, or several small ones. */
export const adaptChunk = /* @__PURE__ */ need<Worker<BatchWork>>(
  [
    adapting,
    {
      table: 'write',
      bucket: { read: ['datasets', 'runs', 'reuse'], write: ['runs', 'reuse'] },
      search: true,
      egress: true,
    },
  ],
  (use) => async (batch, invocation) => {
    const configured = await use(adapting)();
    const provider = use(searchProvider);
    const ports = {
      ...judgingPorts(use),
      contextTokensMax: use.env.modelContextTokens(),
      models: {
        rewrite: configured.generator('rewrite'),
        answer: configured.generator('answer'),
        judge: configured.generator('judge'),
        embedder: configured.embedder(),
      },
      fetchImage: use(theImages),
      onMalformed,
      search: provider === null ? null : { provider, concurrencyMax: searchesPerWorker(use) },
    };
    return measureWorker('adapt-chunk', (watch) => adapt({ ...ports, watch }, batch, invocation));
  },
);

/** A model that answers nothing: while calls are collected, none is made. */
const deferring = (modelId: string | null): ModelClient | null =>
  modelId === null ? null : { modelId, generate: () => Promise.reject(new CallDeferred()) };

/** Collects the calls that the rows of a batch wait for, without making one. */
export const collectCalls = /* @__PURE__ */ need<Worker<BatchWork>>(
  {
    table: 'write',
    bucket: { read: ['datasets', 'runs', 'reuse'], write: ['runs'] },
    modelIds: ['rewrite', 'answer', 'judge', 'embed'],
    batchJobs: 'read',
    egress: true,
  },
  (use) => async (batch, invocation) => {
    const idOf = (role: ModelRole) => use.env.optionalModelId(role);
    const embedderId = idOf('embed');
    const ports = {
      ...judgingPorts(use),
      contextTokensMax: use.env.modelContextTokens(),
      models: {
        rewrite: deferring(idOf('rewrite')),
        answer: deferring(idOf('answer')),
        judge: deferring(idOf('judge')),
        embedder:
          embedderId === null
            ? null
            : { modelId: embedderId, embed: () => Promise.reject(new CallDeferred()) },
      },
      fetchImage: use(theImages),
      onMalformed,
      search: null,
    };
    return collect(ports, batch, invocation);
  },
);

/** Adds rows in other languages. */
export const expandChunk = /* @__PURE__ */ need<Worker<ExpandWork>>(
  [expanding, { table: 'write', bucket: { read: ['runs'], write: ['runs'] } }],
  (use) => async (plan, invocation) => {
    const configured = await use(expanding)();
    const ports = {
      ...judgingPorts(use),
      contextTokensMax: use.env.modelContextTokens(),
      models: {
        rewrite: configured.generator('rewrite'),
        judge: configured.generator('judge'),
        translate: configured.generator('translate'),
        embedder: configured.embedder(),
      },
    };
    return measureWorker('expand-chunk', (watch) => expand({ ...ports, watch }, plan, invocation));
  },
);

/** Scores one piece of an evaluation's sample. */
export const scoreSample = /* @__PURE__ */ need<Worker<ScorePlan>>(
  [scoring, { table: 'read', bucket: { read: ['runs', 'reuse'], write: ['runs', 'reuse'] } }],
  (use) => async (plan, invocation) => {
    const configured = await use(scoring)();
    const ports = {
      ...judgingPorts(use),
      onMalformed,
      models: { judge: configured.generator('judge'), embedder: configured.embedder() },
    };
    return measureWorker('score-chunk', (watch) => score({ ...ports, watch }, plan, invocation));
  },
);
