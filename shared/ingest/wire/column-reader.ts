import { resource } from '#shared/platform/runtime/need.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ReadColumns } from '../read-columns.ts';

export const COLUMN_READER = 'tasks/uploads/read-columns';

/** The function that reads columns and holds no table. The client of Lambda is loaded on first use: most uploads need none. */
export const theColumnReader = /* @__PURE__ */ resource<ReadColumns>('the reader of columns', ({ env }) => {
  const loaded = once(async () => {
    const { createColumnReader } = await import('../adapters/column-reader.ts');
    return createColumnReader(env.functionName(COLUMN_READER), { trace: outgoingTrace });
  });
  return async (files) => (await loaded())(files);
});
