import { ServiceError } from '#shared/errors/service-error.ts';
import { readColumns as contract } from '#shared/pipelines/background.ts';
import { readColumns } from '#shared/runtime/deps/read-columns.ts';
import { runTask } from '#shared/runtime/task.ts';

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
