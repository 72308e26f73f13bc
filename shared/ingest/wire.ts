import { datasets } from '#shared/datasets/wire.ts';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import type { FetchUrl } from '#shared/platform/egress/fetch-url.ts';
import { need, resource, setting } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import { freeUses } from '#shared/platform/wire.ts';
import { objects, theObjects } from '#shared/platform/wire-bucket.ts';
import { launchRun } from '#shared/runs/wire.ts';
import type { ImportSettings } from './decide/imports/providers.ts';
import { createOpenUploads } from './open-uploads.ts';
import type { ReadColumns } from './read-columns.ts';

export const COLUMN_READER = 'tasks/uploads/read-columns';

/** The function that reads columns and holds no table. The client of Lambda is loaded on first use: most uploads need none. */
export const theColumnReader = /* @__PURE__ */ resource<ReadColumns>('the reader of columns', ({ env }) => {
  const loaded = once(async () => {
    const { createColumnReader } = await import('./adapters/column-reader.ts');
    return createColumnReader(env.functionName(COLUMN_READER), { trace: outgoingTrace });
  });
  return async (files) => (await loaded())(files);
});

/** Reads the columns of uploaded files. */
export const readColumns = /* @__PURE__ */ need({ invokes: [COLUMN_READER] }, (use) => use(theColumnReader));

export const uploadBytesMax = /* @__PURE__ */ setting((env) => env.uploadBytesMax());

export const uploadsWaitingBytesMax = /* @__PURE__ */ setting((env) => env.uploadsWaitingBytesMax());

/** Makes upload URLs for a team's files. */
export const openUploads = /* @__PURE__ */ need(
  { bucket: { read: ['uploads'], write: ['uploads'] } },
  (use) => createOpenUploads({ objects: use(theObjects), waitingBytesMax: use.env.uploadsWaitingBytesMax() }),
);

/** Where imports may come from. */
export const importSettings = /* @__PURE__ */ need<ImportSettings>({ imports: true }, ({ env }) => ({
  huggingFaceUrl: env.huggingFaceUrl(),
  kaggleUrl: env.kaggleUrl(),
  googleSheetsUrl: env.googleSheetsUrl(),
  allowed: env.egressAllow(),
}));

/** The servers that files are imported from. */
export const theHubs = /* @__PURE__ */ resource<FetchUrl>('servers of imports', ({ env }) => {
  return createGuardedFetch(env.egressGuard());
});

/** Fetches files from the servers of imports. */
export const fetchUrl = /* @__PURE__ */ need({ imports: true }, (use) => use(theHubs));

/** What it takes to complete uploads. */
export const uploadCompletion = () => ({
  datasets: datasets('write'),
  objects: objects({ read: ['uploads'], write: ['datasets'] }),
  launchRun: launchRun(['ingest']),
  readColumns,
  freeUses,
  uploadBytesMax,
});
