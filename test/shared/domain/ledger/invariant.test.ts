import { describe, expect, test } from 'vitest';
import { findLedgerFaults, type TeamLedger } from '#shared/domain/ledger/invariant.ts';
import type { Hold, LedgerEntry } from '#shared/domain/ledger/record.ts';

const at = '2026-03-01T12:00:00.000Z';
const hold = (runId: string, credits: number, settled: number | null): Hold => ({
  team_id: 't',
  run_id: runId,
  dataset_id: 'd',
  credits,
  state: settled === null ? 'held' : settled === 0 ? 'released' : 'settled',
  settled_credits: settled,
  created_at: at,
  ended_at: settled === null ? null : at,
});
const entry = (type: LedgerEntry['type'], credits: number, runId: string | null = null): LedgerEntry => ({
  entry_id: `${runId}-${type}`,
  team_id: 't',
  type,
  credits,
  run_id: runId,
  reason: null,
  created_at: at,
});

const sound: TeamLedger = {
  balance: { team_id: 't', granted: 20, settled: 3, held: 5, available: 12, active_runs: 1, revision: 5 },
  holds: [hold('a', 4, 3), hold('b', 5, null), hold('c', 2, 0)],
  entries: [
    entry('grant', 20),
    entry('reserve', 4, 'a'),
    entry('settle', 3, 'a'),
    entry('release', 1, 'a'),
    entry('reserve', 5, 'b'),
    entry('reserve', 2, 'c'),
    entry('release', 2, 'c'),
  ],
};

describe('the invariant of a ledger', () => {
  test('holds for grants, holds and settlements that add up', () => {
    expect(findLedgerFaults(sound)).toEqual([]);
  });

  test.each<[string, TeamLedger, string]>([
    [
      'credits out of nowhere',
      { ...sound, balance: { ...sound.balance, granted: 21, available: 13 } },
      'granted',
    ],
    ['credits that vanished', { ...sound, balance: { ...sound.balance, available: 11 } }, 'available'],
    [
      'a balance below zero',
      { ...sound, balance: { ...sound.balance, settled: 16, available: -1 } },
      'below zero',
    ],
    [
      'a hold that was lost',
      { ...sound, holds: sound.holds.filter(({ run_id }) => run_id !== 'b') },
      'no hold',
    ],
    [
      'a run that is counted twice',
      { ...sound, balance: { ...sound.balance, active_runs: 2 } },
      'active_runs',
    ],
    [
      'a hold reserved twice',
      { ...sound, entries: [...sound.entries, entry('reserve', 5, 'b')] },
      'reserved 2 times',
    ],
    [
      'a hold settled for more than was reserved',
      {
        ...sound,
        balance: { ...sound.balance, settled: 5, available: 10 },
        holds: [hold('a', 4, 5), ...sound.holds.slice(1)],
        entries: sound.entries.map((each) => (each.type === 'settle' ? { ...each, credits: 5 } : each)),
      },
      'released',
    ],
    [
      'a hold that ended and did not return the rest',
      { ...sound, entries: sound.entries.filter(({ entry_id }) => entry_id !== 'c-release') },
      'released',
    ],
    [
      'a hold that was settled twice',
      { ...sound, entries: [...sound.entries, entry('settle', 3, 'a')] },
      'settled',
    ],
  ])('names %s', (_title, ledger, fault) => {
    expect(findLedgerFaults(ledger).join('\n')).toContain(fault);
  });
});
