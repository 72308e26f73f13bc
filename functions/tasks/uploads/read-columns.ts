import { readColumns as contract } from '#shared/ingest/background.ts';
import { readOwnColumns } from '#shared/ingest/wire.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(
  contract,
  { readColumns: readOwnColumns },
  async ({ files }, { readColumns }) => {
    try {
      return await readColumns(files);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const { code, message, details } = error;
      if (code !== 'file_empty' && code !== 'file_unreadable') throw error;
      return { refusal: { code, message, details: [...details] } };
    }
  },
);
