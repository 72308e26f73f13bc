import { expect, test } from 'vitest';
import { LedgerEntry } from '#shared/access/decide/ledger/record.ts';

test('an entry that was stored before entries had datasets has none', () => {
  const stored = {
    entry_id: 'run-settle',
    team_id: 't',
    type: 'settle',
    credits: 3,
    run_id: 'run',
    block: null,
    reason: null,
    created_at: '2025-01-01T00:00:00.000Z',
  };

  expect(LedgerEntry.parse(stored)).toEqual({ ...stored, dataset_id: null });
});
