import { readColumns as contract } from '#shared/ingest/background.ts';
import { readColumns } from '#shared/ingest/wire/read-columns.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { runTask } from '#shared/platform/runtime/task.ts';

export const handler = runTask(contract, { readColumns }, async ({ files }, { readColumns }) => {
  try {
    return await readColumns(files);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    if (code !== 'file_empty' && code !== 'file_unreadable') throw error;
    return { refusal: { code, message, details: [...details] } };
  }
});
