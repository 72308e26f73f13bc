import type { ReadColumns } from '../../operations/read-columns.ts';
import { env } from '../env.ts';
import { once } from '../once.ts';
import { outgoingTrace } from '../trace.ts';

export const COLUMN_READER = 'tasks/uploads/read-columns';

/** Reads columns by the function that holds no table. The client of Lambda is loaded on first use: most uploads need none. */
export function theColumnReader(): ReadColumns {
  const loaded = once(async () => {
    const { createColumnReader } = await import('../../adapters/lambda/column-reader.ts');
    return createColumnReader(env.functionName(COLUMN_READER), { trace: outgoingTrace });
  });
  return async (files) => (await loaded())(files);
}
