import type { Reviewed } from '#shared/review/decide/choose-rows.ts';
import type { RowOpinion } from '#shared/review/decide/judge-rows.ts';

export const LABELS = { witness: 'neighbours', kind: 'label_contradicted' } as const;

export const doubtsOf = (
  rows: readonly (readonly [row: number, probability: number])[],
): Reviewed['doubts'] =>
  rows.map(([row, probability]) => ({ row, by: LABELS, stated: probability, probability }));

export const opinion = (row: number, fields: Partial<RowOpinion> = {}): RowOpinion => ({
  row,
  says: 'right',
  mended: null,
  values: [1],
  said: fields.values ?? [1],
  drawn_as: 'audit',
  from: { rows: 1_000_000, version: 1, recorded_at: '2026-03-01T12:00:00.000Z' },
  ...fields,
});

export const reviewed = (fields: Partial<Reviewed> = {}): Reviewed => ({
  seed: 'a dataset',
  rows: 1000,
  isDelivered: () => true,
  doubts: [],
  silentWrong: null,
  opinions: [],
  ...fields,
});
