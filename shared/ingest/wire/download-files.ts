import { theClock } from '#shared/models/wire/clock.ts';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import type { FetchUrl } from '#shared/platform/egress/fetch-url.ts';
import { need, resource } from '#shared/platform/runtime/need.ts';
import { theConnections } from '#shared/platform/wire/connections.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { type DownloadFilesInput, downloadFiles as download } from '../download-files.ts';
import { readImportSettings } from './import-settings.ts';

const PART_BYTES = 16 * 1024 * 1024;

/** The servers that files are imported from. */
export const theHubs = /* @__PURE__ */ resource<FetchUrl>('servers of imports', ({ env }) => {
  return createGuardedFetch(env.egressGuard());
});

type DownloadFiles = (input: DownloadFilesInput) => ReturnType<typeof download>;

export const downloadFiles = /* @__PURE__ */ need<DownloadFiles>(
  { bucket: { write: ['imports'] }, imports: true, connections: true },
  (use) => {
    const ports = {
      objects: use(theObjects),
      fetchUrl: use(theHubs),
      findConnection: use(theConnections),
      settings: readImportSettings(use),
      importBytesMax: use.env.uploadBytesMax(),
      partBytes: PART_BYTES,
      now: use(theClock).now,
    };
    return (input) => download(ports, input);
  },
);
