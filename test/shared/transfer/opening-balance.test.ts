import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { findLedgerFaults } from '#shared/access/decide/ledger/invariant.ts';
import { emptyBalance } from '#shared/access/decide/ledger/record.ts';
import { emptyShard } from '#shared/access/decide/meter.ts';
import { accountStatement, openingBalance } from '#shared/transfer/decide/opening-balance.ts';

const balance = { ...emptyBalance('t'), granted: 100, settled: 30, held: 2, metered: 2, available: 68 };

test.each([
  [[], 68],
  [[0], 68],
  [[1], 69],
  [[999_999], 69],
  [[1_000_000], 69],
  [[1_000_001], 70],
  [[600_000, 600_000], 70],
])(
  'blocks with %j unused millionths are returned, and a fraction counts as a credit: %i',
  (unused, opening) => {
    const shards = unused.map((free, n) => ({ ...emptyShard('t', n), free, unsettled: 5 }));

    expect(accountStatement(balance, shards)).toEqual({
      granted: 100,
      settled: 30,
      held: 2,
      available: 68,
      unused_microcredits: unused.reduce((sum, each) => sum + each, 0),
      unsettled_microcredits: 5 * unused.length,
      opening,
    });
  },
);

test('the opening balance is one entry that names the export, and the books hold', () => {
  const manifest = {
    format: 'tunesmith-team' as const,
    format_version: 1,
    export_id: randomUUID(),
    exported_at: '2026-03-01T00:00:00.000Z',
    team: { team_id: randomUUID(), name: 'Ours', organization_id: randomUUID() },
    records: {},
    statements: {},
    objects: { count: 0, bytes: 0 },
    credits: accountStatement(balance, []),
    left_out: [],
  };

  const opening = openingBalance(manifest, '2026-03-02T00:00:00.000Z');

  expect(opening.entry.reason).toContain(manifest.export_id);
  expect(opening.balance).toMatchObject({
    team_id: manifest.team.team_id,
    granted: 68,
    available: 68,
    held: 0,
  });
  const books = { balance: opening.balance, entries: [opening.entry], holds: [], shards: [] };
  expect(findLedgerFaults(books)).toEqual([]);
});
