import { createDatasetRepository } from '#shared/datasets/store/datasets.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theObjects } from '#shared/platform/wire/objects.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { theLaunchRun } from '#shared/runs/wire/launch-run.ts';
import { completeBatch as complete } from '../complete-batch.ts';
import { COLUMN_READER, theColumnReader } from './column-reader.ts';

type CompleteBatch = (input: Parameters<typeof complete>[1]) => ReturnType<typeof complete>;

export const completeBatch = /* @__PURE__ */ need<CompleteBatch>(
  {
    table: 'write',
    credits: 'write',
    bucket: { read: ['uploads'], write: ['datasets'] },
    starts: ['ingest'],
    invokes: [COLUMN_READER],
  },
  (use) => {
    const ports = {
      datasets: createDatasetRepository(use(theTable)),
      objects: use(theObjects),
      launchRun: theLaunchRun(use),
      readColumns: use(theColumnReader),
      uploadBytesMax: use.env.uploadBytesMax(),
    };
    return (input) => complete(ports, input);
  },
);
