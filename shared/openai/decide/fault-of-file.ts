import type { DatasetRecord } from '#shared/datasets/decide/record.ts';
import type { BatchFault } from '../schema/batches.ts';

/** What is wrong with a file that cannot be read, with the line that its error names; null for one that can. */
export function faultOfFile({
  state,
  row_count: rows,
  error_data: error,
}: Pick<DatasetRecord, 'state' | 'row_count' | 'error_data'>): BatchFault | null {
  if (state !== 'failed' || rows !== null || error === null) return null;
  const { message } = error;
  const line = /\bline (\d{1,9})\b/i.exec(message)?.[1];
  return line === undefined
    ? { code: 'invalid_request', message, line: null, param: null }
    : { code: 'invalid_json_line', message, line: Number(line), param: null };
}
