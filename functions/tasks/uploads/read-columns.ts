import { readColumns as contract } from '#shared/ingest/background.ts';
import { createReadColumns } from '#shared/ingest/read-columns.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { runTask } from '#shared/platform/runtime/task.ts';
import { theObjects } from '#shared/platform/wire-bucket.ts';
import { readColumns } from '#shared/tabular/adapters/read-columns.ts';

/** This function reads columns by itself, since it holds no table. */
const readHere = need({ bucket: { read: ['uploads'] } }, (use) =>
  createReadColumns({ objects: use(theObjects), readColumns }),
);

export const handler = runTask(contract, { readColumns: readHere }, async ({ files }, { readColumns }) => {
  try {
    return await readColumns(files);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    if (code !== 'file_empty' && code !== 'file_unreadable') throw error;
    return { refusal: { code, message, details: [...details] } };
  }
});
