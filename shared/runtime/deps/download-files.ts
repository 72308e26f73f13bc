import { createGuardedFetch } from '../../adapters/egress/guarded-fetch.ts';
import { createConnectionReader } from '../../adapters/secrets/connection-reader.ts';
import { type DownloadFilesInput, downloadFiles as download } from '../../operations/download-files.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { readImportSettings } from './import-settings.ts';
import { theObjects } from './objects.ts';

const PART_BYTES = 16 * 1024 * 1024;

type DownloadFiles = (input: DownloadFilesInput) => ReturnType<typeof download>;

export const downloadFiles = need<DownloadFiles>(
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
