import type { TrainingRecord } from './record.ts';

/** Whether a training has ended. Apart from the record, whose schema not everyone loads who asks this. */
export function hasEnded({ status }: Pick<TrainingRecord, 'status'>): boolean {
  return status !== 'pending' && status !== 'running';
}
