import { expect, test } from 'vitest';
import {
  ATTEMPTS_MAX,
  afterFailedRound,
  FAILING_DAYS_MAX,
  restMilliseconds,
  retryMilliseconds,
} from '#shared/webhooks/decide/schedule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([0, 0.5, 1])(
  'attempts are repeated for about a day, each later than the one before (%s)',
  (random) => {
    const waits = Array.from(
      { length: ATTEMPTS_MAX - 1 },
      (_, n) => retryMilliseconds(n + 1, null, random) ?? 0,
    );
    const total = waits.reduce((sum, each) => sum + each, 0);

    expect(waits.every((each, n) => n === 0 || each >= (waits[n - 1] ?? 0))).toBe(true);
    expect(total).toBeGreaterThan(0.75 * DAY);
    expect(total).toBeLessThan(1.25 * DAY);
    expect(retryMilliseconds(ATTEMPTS_MAX, null, random)).toBeNull();
  },
);

test('a receiver can ask for more time, an hour at most', () => {
  expect(retryMilliseconds(1, 120, 0.5)).toBe(120_000);
  expect(retryMilliseconds(1, 1_000_000, 0.5)).toBe(HOUR);
  expect(retryMilliseconds(5, 1, 0.5)).toBe(2 * HOUR);
});

test('a receiver that answers late rests four times as long as it took', () => {
  expect([0, 2000, 2001, 10_000].map(restMilliseconds)).toEqual([0, 0, 8004, 40_000]);
});

test('a receiver that fails is left alone for longer and longer, five minutes at most', () => {
  let failing = afterFailedRound({ since: null, lastAt: null, rounds: 0 }, 0, 0.5);
  expect(failing).toEqual({ since: 0, rounds: 1, pausedUntil: 5000, isOver: false });
  const pauses: number[] = [];
  for (let now = 1000; now < 20 * 1000; now += 1000) {
    failing = afterFailedRound({ since: 0, lastAt: now - 1000, rounds: failing.rounds }, now, 0.5);
    pauses.push(failing.pausedUntil - now);
  }
  expect(pauses.slice(0, 3)).toEqual([10_000, 20_000, 40_000]);
  expect(Math.max(...pauses)).toBe(300_000);
});

test('five days of nothing but failures end it, and a failure long after another does not', () => {
  const end = FAILING_DAYS_MAX * DAY;
  expect(afterFailedRound({ since: 0, lastAt: end - DAY - 1, rounds: 9 }, end - 1, 0.5).isOver).toBe(false);
  expect(afterFailedRound({ since: 0, lastAt: end - DAY, rounds: 9 }, end, 0.5).isOver).toBe(true);
  expect(afterFailedRound({ since: 0, lastAt: 0, rounds: 9 }, end, 0.5)).toMatchObject({
    since: 0,
    rounds: 1,
    isOver: false,
  });
});

test.each([0.1, 1, 3, 20])(
  'a receiver that is down for good is disabled, with an event every %d days',
  (days) => {
    let before = { since: null as number | null, lastAt: null as number | null, rounds: 0 };
    let over: number | null = null;
    for (let event = 0; over === null && event < 200; event += 1) {
      let now = event * days * DAY;
      for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
        const { since, rounds, isOver } = afterFailedRound(before, Math.max(now, before.lastAt ?? 0), 0.5);
        before = { since, rounds, lastAt: Math.max(now, before.lastAt ?? 0) };
        if (isOver) over ??= now;
        now += retryMilliseconds(attempt, null, 0.5) ?? 0;
      }
    }
    expect(over).toBeGreaterThanOrEqual((FAILING_DAYS_MAX - 1) * DAY);
    expect(over).toBeLessThanOrEqual((FAILING_DAYS_MAX + 2 * days + 1) * DAY);
  },
);
