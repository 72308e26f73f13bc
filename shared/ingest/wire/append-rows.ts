import { need } from '#shared/platform/runtime/need.ts';
import { newUuid } from '#shared/platform/wire/ids.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { createRunRepository } from '#shared/runs/store/runs.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { type AppendRowsInput, appendRows as append, describeAppend } from '../append-rows.ts';
import { createOpenUploads } from '../open-uploads.ts';
import type { Append } from '../schema/append.ts';

export const appendRows = /* @__PURE__ */ need<(input: AppendRowsInput) => Promise<Append>>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['uploads'], write: ['uploads', 'runs'] },
    starts: ['ingest'],
  },
  (use) => {
    const objects = use(theObjects);
    const ports = {
      objects,
      launchRun: theLaunchRun(use),
      openUploads: createOpenUploads({ objects, waitingBytesMax: use.env.uploadsWaitingBytesMax() }),
      uploadBytesMax: use.env.uploadBytesMax(),
      newId: use(newUuid),
    };
    return (input) => append(ports, input);
  },
);

type FindAppend = (datasetId: string, appendId: string) => Promise<Append>;

export const findAppend = /* @__PURE__ */ need<FindAppend>({ table: 'read' }, (use) => {
  const runs = createRunRepository(use(theTable));
  return async (datasetId, appendId) => describeAppend(await runs.find(datasetId, appendId));
});
