import type { downloadDataset, linkDownload } from '#shared/datasets/contracts.ts';
import { datasets } from '#shared/datasets/wire/datasets.ts';
import type { Bound } from '#shared/platform/runtime/need.ts';
import type { ServeInput } from '#shared/platform/runtime/read-request.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { objects } from '#shared/platform/wire/objects.ts';
import { DOWNLOAD_URL_SECONDS, downloadOf } from '../decide/download.ts';
import { exportFile } from './export-file.ts';
import { findRead } from './find-read.ts';

export const linkExportNeeds = {
  datasets: /* @__PURE__ */ datasets('read'),
  objects: /* @__PURE__ */ objects({ read: ['exports'] }),
  exportFile,
  findRead,
};

/** The file of a download, built if it is not there, as a link that needs no key. */
export async function linkExport(
  { caller, params, query, signal, now }: ServeInput<typeof downloadDataset | typeof linkDownload>,
  { datasets, objects, exportFile, findRead }: Bound<typeof linkExportNeeds>,
) {
  const dataset = await datasets.require(caller, params.dataset_id);
  const run = await findRead(dataset, query);
  const download = downloadOf(dataset, query.fileFormat, run);
  const { key, fileName, contentType } = download;

  await exportFile({
    dataset,
    download,
    runId: run === undefined ? undefined : (run?.run_id ?? null),
    signal,
    now,
  });

  const url = await objects.presignGet(key, DOWNLOAD_URL_SECONDS, fileName, contentType);
  return { url, fileName, contentType, expiresAt: timestamp(now + DOWNLOAD_URL_SECONDS * 1000) };
}
