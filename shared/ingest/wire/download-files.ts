import { createConnectionReader } from '#shared/platform/adapters/connection-reader.ts';
import { createGuardedFetch } from '#shared/platform/adapters/egress/guarded-fetch.ts';
import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { type DownloadFilesInput, downloadFiles as download } from '../download-files.ts';
import { readImportSettings } from './import-settings.ts';

const PART_BYTES = 16 * 1024 * 1024;

type DownloadFiles = (input: DownloadFilesInput) => ReturnType<typeof download>;

export const downloadFiles = /* @__PURE__ */ need<DownloadFiles>(
  { bucket: { write: ['imports'] }, imports: true, connections: true },
  () => {
    const settings = readImportSettings();
    const runtime = env.lambdaRuntime();
    const ports = {
      objects: theObjects(),
      fetchUrl: createGuardedFetch({
        allowed: settings.allowed,
        denied: runtime === null ? [] : [runtime],
      }),
      findConnection: createConnectionReader(env.connectionsPrefix()),
      settings,
      importBytesMax: env.uploadBytesMax(),
      partBytes: PART_BYTES,
      now: Date.now,
    };
    return (input) => download(ports, input);
  },
);
