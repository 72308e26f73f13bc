import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { createOpenUploads, type OpenUploads } from '../open-uploads.ts';

export const openUploads = /* @__PURE__ */ need<OpenUploads>(
  { bucket: { read: ['uploads'], write: ['uploads'] } },
  (use) => (teamId, files) =>
    createOpenUploads({ objects: use(theObjects), waitingBytesMax: use.env.uploadsWaitingBytesMax() })(
      teamId,
      files,
    ),
);
