import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { createOpenUploads, type OpenUploads } from '../open-uploads.ts';

export const openUploads = /* @__PURE__ */ need<OpenUploads>(
  { bucket: { read: ['uploads'], write: ['uploads'] } },
  () => (teamId, files) =>
    createOpenUploads({ objects: theObjects(), waitingBytesMax: env.uploadsWaitingBytesMax() })(
      teamId,
      files,
    ),
);
