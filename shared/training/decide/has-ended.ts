import type { TrainingRecord } from './record.ts';

/** Whether a training has ended. Separate from the record, because not every caller loads the record's schema. */
export function hasEnded({ status }: Pick<TrainingRecord, 'status'>): boolean {
  return status !== 'pending' && status !== 'running';
}
