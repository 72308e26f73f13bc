import type { DiffRow, Version, VersionDiff } from '../../../console/src/versions/contract.ts';

export const DATASET = 'd-1';

export const version = (number: number, changes: Partial<Version> = {}): Version => ({
  version: number,
  status: 'succeeded',
  made_by: 'adapt',
  parent_version: number === 1 ? null : number - 1,
  run_id: `run-${number}`,
  pilot_id: null,
  row_count: 1200,
  models: {},
  prompt_versions: {},
  configured_column_mapping: null,
  created_by_user_id: 'u-1',
  created_at: '2026-11-20T10:00:00.000Z',
  ended_at: null,
  deleted_at: null,
  ...changes,
});

/** An upload, its adaptation, rows that were appended, and an adaptation that is going on; newest first. */
export const HISTORY: readonly Version[] = [
  version(4, { status: 'running', parent_version: 3 }),
  version(3, { status: 'awaiting_input', made_by: 'append', parent_version: 1, row_count: 1210 }),
  version(2, { models: { answer: 'model-a', judge: 'model-b' } }),
  version(1, { status: 'awaiting_input', made_by: 'ingest' }),
];

export const diff = (changes: Partial<VersionDiff> = {}): VersionDiff => ({
  dataset_id: DATASET,
  from: 1,
  to: 3,
  status: 'ready',
  counts: { added: 0, removed: 0, changed: 1, unchanged: 1199 },
  columns: ['question', 'answer'],
  rows: [CHANGED],
  next_after: null,
  ...changes,
});

/** Cells of a row by column. */
export const side = (cells: Readonly<Record<string, string>>): NonNullable<DiffRow['before']> => ({
  cells: Object.entries(cells).map(([column, text]) => ({ column, text, truncated: false })),
});

export const CHANGED: DiffRow = {
  kind: 'changed',
  row: 7,
  target: null,
  before: side({ answer: 'boil it with vinegar' }),
  after: side({ answer: 'boil it with white vinegar' }),
};
