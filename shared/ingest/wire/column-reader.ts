import { env } from '#shared/platform/runtime/env.ts';
import { once } from '#shared/platform/runtime/once.ts';
import { outgoingTrace } from '#shared/platform/runtime/trace.ts';
import type { ReadColumns } from '../read-columns.ts';

export const COLUMN_READER = 'tasks/uploads/read-columns';

/** Reads columns by the function that holds no table. The client of Lambda is loaded on first use: most uploads need none. */
export function theColumnReader(): ReadColumns {
  const loaded = once(async () => {
    const { createColumnReader } = await import('../adapters/column-reader.ts');
    return createColumnReader(env.functionName(COLUMN_READER), { trace: outgoingTrace });
  });
  return async (files) => (await loaded())(files);
}
