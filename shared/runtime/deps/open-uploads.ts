import { createOpenUploads, type OpenUploads } from '../../operations/open-uploads.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';
import { theObjects } from './objects.ts';

export const openUploads = need<OpenUploads>(
  { bucket: { read: ['uploads'], write: ['uploads'] } },
  () => (teamId, files) =>
    createOpenUploads({ objects: theObjects(), waitingBytesMax: env.uploadsWaitingBytesMax() })(
      teamId,
      files,
    ),
);
