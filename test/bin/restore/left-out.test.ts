import { expect, it } from 'vitest';
import { isLeftOut } from '#bin/restore/left-out.ts';
import { keys } from '#shared/platform/store/keys.ts';

it('A restoration leaves out what belongs to the moment, and what would tell receivers again', () => {
  const left = [
    keys.claim('x'),
    keys.rate('t', 1),
    keys.outbox('t', 'e'),
    keys.webhook('t', 'w'),
    keys.delivery('w', 1),
    keys.dueDelivery('w', 'now', 1),
  ];

  expect(left.filter(({ pk }) => !isLeftOut(pk))).toEqual([]);
});

it('A restoration takes rows, money, keys and trainings', () => {
  const taken = [
    keys.dataset('d'),
    keys.run('d', 'r'),
    keys.chunk('r', 1),
    keys.training('e'),
    keys.team('t'),
    keys.balance('t'),
    keys.ledgerEntry('t', 'now', 'e'),
    keys.hold('t', 'r'),
    keys.key('hash'),
    keys.teamKey('t', 'k'),
    keys.feedEvent('t', 1),
    keys.calibration('m', 'p', 'h'),
  ];

  expect(taken.filter(({ pk }) => isLeftOut(pk))).toEqual([]);
});
