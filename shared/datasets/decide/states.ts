import * as z from 'zod';
import type { DatasetListStatus, DatasetStatus, WaitsFor } from '../schema/dataset.ts';

/** The states of a dataset as stored; callers see the coarser ones of spec §3. */
export const DatasetState = z.enum([
  'awaiting_upload',
  'awaiting_preprocessing',
  'ingesting',
  'awaiting_input',
  'running',
  'succeeded',
  'failed',
  'deleted',
]);
export type DatasetState = z.infer<typeof DatasetState>;

/** The transitions of each state. `failed` moves to `running` only if the dataset has rows. */
const transitions = {
  awaiting_upload: ['ingesting', 'awaiting_preprocessing', 'failed', 'deleted'],
  awaiting_preprocessing: ['ingesting', 'deleted'],
  ingesting: ['awaiting_input', 'succeeded', 'failed'],
  awaiting_input: ['running', 'deleted'],
  running: ['succeeded', 'failed'],
  // Appended rows wait for an adaptation again.
  succeeded: ['running', 'awaiting_input', 'deleted'],
  failed: ['running', 'awaiting_input', 'succeeded', 'deleted'],
  deleted: [],
} as const satisfies Record<DatasetState, readonly DatasetState[]>;

/** Whether a dataset in state `from` may go to state `to`. */
export function canMove(from: DatasetState, to: DatasetState): boolean {
  return (transitions[from] as readonly DatasetState[]).includes(to);
}

/** The states from which a dataset may go to state `to`. */
export function statesBefore(to: DatasetState): DatasetState[] {
  return DatasetState.options.filter((from) => canMove(from, to));
}

const shown = {
  awaiting_upload: 'pending',
  awaiting_preprocessing: 'pending',
  ingesting: 'pending',
  awaiting_input: 'awaiting_input',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
} as const satisfies Record<Exclude<DatasetState, 'deleted'>, DatasetListStatus>;

/** Status for the list and status endpoints. Deleted datasets are never shown. */
export function listStatus(state: DatasetState): DatasetListStatus {
  if (state === 'deleted') throw new RangeError('a deleted dataset has no status');
  return shown[state];
}

/** Status for GET /datasets/{id}, whose vocabulary lacks `awaiting_input`. */
export function publicStatus(state: DatasetState): DatasetStatus {
  const status = listStatus(state);
  return status === 'awaiting_input' ? 'pending' : status;
}

/** The states that the list endpoint shows as `status`. */
export function statesShownAs(status: DatasetListStatus): DatasetState[] {
  return DatasetState.options.filter((state) => state !== 'deleted' && listStatus(state) === status);
}

/** What a pending dataset waits for; null for one that goes on by itself, and for any other. */
export function waitsFor(state: DatasetState): WaitsFor | null {
  if (state === 'awaiting_upload') return 'file';
  return state === 'awaiting_preprocessing' ? 'start' : null;
}
