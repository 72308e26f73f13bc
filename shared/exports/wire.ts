import type { downloadDataset, linkDownload } from '#shared/datasets/contracts.ts';
import { datasets, versions } from '#shared/datasets/wire.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { type Bound, need } from '#shared/platform/runtime/need.ts';
import type { ServeInput } from '#shared/platform/runtime/read-request.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { claims, freeUses } from '#shared/platform/wire.ts';
import { objects } from '#shared/platform/wire-bucket.ts';
import { starter } from '#shared/platform/wire-functions.ts';
import { runs } from '#shared/runs/wire.ts';
import { exportRows } from '#shared/tabular/adapters/export-rows.ts';
import { DOWNLOAD_URL_SECONDS, downloadOf } from './decide/download.ts';
import { TextCache } from './decide/row-index/text-cache.ts';
import { awaitExport } from './export-file.ts';
import { findFinished } from './find-read.ts';

/** What it takes to build export files. */
export const exportBuild = (bucket: NonNullable<Uses['bucket']>) => ({
  datasets: datasets('read'),
  runs: runs('read'),
  objects: objects(bucket),
  claims: claims('write'),
  exportRows: need({}, () => exportRows),
});

/** Starts to index the rows of a run, in a function of its own. */
export const startIndex = /* @__PURE__ */ starter('tasks/exports/index-rows');

/** Starts to look at rows that no run has adapted, in a function of its own. */
export const startLook = /* @__PURE__ */ starter('tasks/exports/look-at-rows');

export const loadDetector = /* @__PURE__ */ need({}, () => loadLanguageDetector);

/** What a function of two gigabytes reads and unpacks in less than two seconds. */
const SEARCH_BYTES_MAX = 192 * 1024 * 1024;

const CACHE_BYTES_MAX = 512 * 1024 * 1024;

/** What it takes to read the rows of a dataset by their index. */
export const rowReads = {
  runs: /* @__PURE__ */ runs('read'),
  versions: /* @__PURE__ */ versions('read'),
  objects: /* @__PURE__ */ objects({ read: ['datasets', 'exports', 'runs'] }),
  claims: /* @__PURE__ */ claims('write'),
  startIndex,
  searchBytesMax: /* @__PURE__ */ need({}, () => SEARCH_BYTES_MAX),
  // One for the process: it is empty until the first search.
  texts: /* @__PURE__ */ need({}, () => new TextCache(CACHE_BYTES_MAX)),
};

/** What it takes to link the file of a download. */
export const exportLink = {
  datasets: /* @__PURE__ */ datasets('read'),
  versions: /* @__PURE__ */ versions('read'),
  runs: /* @__PURE__ */ runs('read'),
  claims: /* @__PURE__ */ claims('write'),
  freeUses,
  objects: /* @__PURE__ */ objects({ read: ['exports'] }),
  startBuild: /* @__PURE__ */ starter('tasks/exports/build-export'),
};

/** The file of a download, built if it is not there, as a link that needs no key. */
export async function linkExport(
  { caller, params, query, signal, now }: ServeInput<typeof downloadDataset | typeof linkDownload>,
  { datasets, versions, runs, claims, freeUses, objects, startBuild }: Bound<typeof exportLink>,
) {
  const dataset = await datasets.require(caller, params.dataset_id);
  const run = await findFinished({ versions, runs }, dataset, query);
  const download = downloadOf(dataset, query.fileFormat, run);
  const { key, fileName, contentType } = download;

  await awaitExport(
    { claims, freeUses, objects, startBuild },
    {
      caller,
      dataset,
      download,
      runId: run === undefined ? undefined : (run?.run_id ?? null),
      signal,
      now,
    },
  );

  const url = await objects.presignGet(key, DOWNLOAD_URL_SECONDS, fileName, contentType);
  return { url, fileName, contentType, expiresAt: timestamp(now + DOWNLOAD_URL_SECONDS * 1000) };
}
