import { describe, expect, test } from 'vitest';
import {
  findLedgerFaults,
  findShardFaults,
  type TeamLedger,
} from '#shared/access/decide/ledger/invariant.ts';
import type { Hold, LedgerEntry } from '#shared/access/decide/ledger/record.ts';
import { emptyShard, type MeterShard, MICROCREDITS } from '#shared/access/decide/meter.ts';

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
  dataset_id: null,
  block: null,
  reason: null,
  created_at: at,
});

const sound: TeamLedger = {
  balance: {
    team_id: 't',
    granted: 20,
    settled: 3,
    held: 5,
    metered: 0,
    available: 12,
    active_runs: 1,
    revision: 5,
  },
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
  shards: [],
};

test('the invariant of a ledger holds for grants, holds and settlements that add up', () => {
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
  ['a run that is counted twice', { ...sound, balance: { ...sound.balance, active_runs: 2 } }, 'active_runs'],
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
])('the invariant of a ledger names %s', (_title, ledger, fault) => {
  expect(findLedgerFaults(ledger).join('\n')).toContain(fault);
});

describe('the invariant of a meter', () => {
  const ofBlock = (type: LedgerEntry['type'], credits: number): LedgerEntry => ({
    ...entry(type, credits),
    entry_id: `block-0-1-${type}`,
    block: '0-1',
  });
  const shard = (n: number, fields: Partial<MeterShard>): MeterShard => ({
    ...emptyShard('t', n),
    ...fields,
  });
  const metered: TeamLedger = {
    balance: { ...sound.balance, settled: 5, held: 9, metered: 4, available: 6, granted: 20 },
    holds: sound.holds,
    entries: [...sound.entries, ofBlock('reserve', 7), ofBlock('settle', 2), ofBlock('release', 1)],
    shards: [
      shard(0, { free: 1_250_000, pending: 2 * MICROCREDITS, unsettled: 0, spent: 1_900_000 }),
      shard(5, { free: 0, unsettled: 750_000, spent: 850_000 }),
    ],
  };
  const changed = (n: number, fields: Partial<MeterShard>): TeamLedger => ({
    ...metered,
    shards: metered.shards.map((each) => (each.shard === n ? { ...each, ...fields } : each)),
  });

  test('the invariant of a meter holds where shards have what blocks have brought and answers have not used', () => {
    expect(findLedgerFaults(metered)).toEqual([]);
  });

  test.each<[string, TeamLedger, string]>([
    ['free credits out of nowhere', changed(0, { free: 1_250_001 }), 'metered'],
    ['a shard that was lost', { ...metered, shards: metered.shards.slice(0, 1) }, 'metered'],
    ['an answer that was billed and not spent', changed(5, { spent: 0 }), 'settled of answers'],
    ['a shard below zero', changed(0, { free: -1, pending: 3_250_001 }), 'free of shard 0 is below zero'],
    [
      'a block that was not entered',
      { ...metered, entries: metered.entries.filter(({ entry_id }) => entry_id !== 'block-0-1-release') },
      'metered is 4, but 5',
    ],
    [
      'credits for answers that are held for no run',
      { ...metered, balance: { ...metered.balance, metered: 3 } },
      'held less metered',
    ],
  ])('the invariant of a meter finds %s', (_what, ledger, fault) => {
    expect(findLedgerFaults(ledger).join('\n')).toContain(fault);
  });

  test('the invariant of a meter has every shard agree with its admissions and its days', () => {
    const admission = { admission_id: 'a', team_id: 't', shard: 0, microcredits: 5, admitted_at: at };
    const day = {
      ...{ team_id: 't', day: '2026-03-01', model: 'm', answers: 2, input_tokens: 3, output_tokens: 4 },
      ...{ cost_microcredits: 9, billed_microcredits: 7 },
    };
    const books = {
      shard: shard(0, { pending: 5, open: 1, spent: 7 }),
      admissions: [admission],
      days: [day],
    };

    expect(findShardFaults(books)).toEqual([]);
    expect(findShardFaults({ ...books, admissions: [] })).toEqual([
      'pending of shard 0 is 5, but 0 by computation',
      'open of shard 0 is 1, but 0 by computation',
    ]);
    expect(findShardFaults({ ...books, days: [day, day] })).toEqual([
      'spent of shard 0 is 7, but 14 by computation',
    ]);
  });
});
