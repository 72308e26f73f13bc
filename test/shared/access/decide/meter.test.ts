import { describe, expect, test } from 'vitest';
import {
  BLOCK_CREDITS,
  costOf,
  emptyShard,
  exchangeEntries,
  METER_SHARDS,
  type MeterShard,
  MICROCREDITS,
  nextFurtherStep,
  nextStep,
  settlementMove,
  settlementOf,
} from '#shared/access/decide/meter.ts';

const at = '2026-03-01T12:00:00.000Z';
const shard = (n: number, fields: Partial<MeterShard> = {}): MeterShard => ({
  ...emptyShard('t', n),
  ...fields,
});
const credits = (amount: number): number => amount * MICROCREDITS;

test('the cost of an answer is exact: nothing is rounded, however few its tokens are', () => {
  const price = { input_millicredits: 1, output_millicredits: 3 };

  expect(costOf(price, { input_tokens: 1, output_tokens: 0 })).toBe(1);
  expect(costOf(price, { input_tokens: 1000, output_tokens: 0 })).toBe(MICROCREDITS / 1000);
  expect(1000 * costOf(price, { input_tokens: 7, output_tokens: 5 })).toBe(
    costOf(price, { input_tokens: 7000, output_tokens: 5000 }),
  );
});

test('the cost of an answer of 1,000 tokens each way is the price', () => {
  const price = { input_millicredits: 250, output_millicredits: 1250 };

  expect(costOf(price, { input_tokens: 1000, output_tokens: 1000 })).toBe(credits(1.5));
});

test('the cost of an answer beyond what was reserved is taken of what is free', () => {
  expect(settlementMove({ microcredits: 5 }, 8, [])).toEqual({
    free: -3,
    pending: -5,
    open: -1,
    unsettled: 8,
    spent: 8,
  });
  expect(settlementMove({ microcredits: 5 }, 8, [{ shard: 1, microcredits: 2 }])).toMatchObject({
    free: -1,
    spent: 8,
  });
});

describe('an answer that finds no room', () => {
  const need = credits(2.5);

  test('an answer that finds no room opens a block of what is needed, and of more where the balance is large', () => {
    const reserve = (available: number) => {
      const step = nextStep(need, shard(3), [], { available });
      return step.type === 'exchange' ? step.reserve : step.type;
    };

    expect(reserve(3)).toBe(3);
    expect(reserve(2 * METER_SHARDS * 3)).toBe(3);
    expect(reserve(2 * METER_SHARDS * 10)).toBe(10);
    expect(reserve(1_000_000)).toBe(BLOCK_CREDITS);
    expect(reserve(2)).toBe('refuse');
  });

  test('an answer that finds no room has what its shard has left counted, and what that has billed settled', () => {
    const own = shard(3, { free: credits(1.6), unsettled: credits(7.9), block: 4 });

    expect(nextStep(need, own, [own], { available: 1 })).toEqual({
      type: 'exchange',
      shard: own,
      reserve: 1,
      settle: 7,
    });
  });

  test('an answer that finds no room tries again where its shard has just enough, and opens a block for the least more', () => {
    const own = shard(3, { free: need });

    expect(nextStep(need, own, [own], { available: 50 })).toEqual({ type: 'admit', shard: 3 });
    expect(nextStep(need + 1, own, [own], { available: 1 })).toMatchObject({ type: 'exchange', reserve: 1 });
  });

  test('an answer that finds no room collects in the same shard as any other, where several have as much', () => {
    const shards = [1, 2, 3].map((n) => shard(n, { free: credits(0.9) }));

    for (const known of [shards, shards.toReversed()]) {
      expect(nextStep(need, shard(0), known, { available: 0 })).toMatchObject({
        type: 'fold',
        from: { shard: 2 },
        into: 1,
      });
    }
  });

  test('an answer that finds no room goes where there is room, once the balance has none', () => {
    const roomy = shard(5, { free: need });
    const step = nextStep(need, shard(3), [shard(1, { free: 1 }), roomy], { available: 2 });

    expect(step).toEqual({ type: 'admit', shard: 5 });
  });

  test('an answer that finds no room collects what is left in the shard that has most of it, as any other does', () => {
    const shards = [1, 2, 3].map((n) => shard(n, { free: credits(n === 2 ? 1 : 0.9) }));

    for (const own of shards) {
      expect(nextStep(need, own, shards, { available: 0 })).toEqual({
        type: 'fold',
        from: shards[0],
        into: 2,
      });
    }
  });

  test('an answer that finds no room takes the last of the balance to what was collected', () => {
    const rich = shard(2, { free: credits(1.5) });

    expect(nextStep(need, shard(0), [rich], { available: 1 })).toMatchObject({
      type: 'exchange',
      shard: { shard: 2 },
      reserve: 1,
    });
  });

  test('an answer that finds no room is refused where all there is does not cover it, and told how much that is', () => {
    const shards = [1, 2, 3].map((n) => shard(n, { free: credits(0.5), pending: credits(10) }));

    expect(nextStep(need, shard(0), shards, { available: 1 })).toMatchObject({ type: 'fold' });
    expect(nextStep(need + 1, shard(0), shards, { available: 1 })).toEqual({ type: 'refuse', available: 2 });
  });
});

describe('an answer that used more than was reserved', () => {
  const missing = credits(2.5);

  test('an answer that used more than was reserved is billed whole where its shard has the rest free', () => {
    const own = shard(3, { free: missing });

    expect(nextFurtherStep(missing, own, [own], { available: 50 })).toEqual({
      type: 'take',
      beyond: missing,
      collected: [],
    });
  });

  test('an answer that used more than was reserved opens a block of what is missing, and of more where the balance is large', () => {
    const own = shard(3, { free: credits(1.4), unsettled: credits(7.9), block: 4 });
    const step = (available: number) => nextFurtherStep(missing, own, [own], { available });

    expect(step(2)).toEqual({ type: 'exchange', shard: own, reserve: 2, settle: 7 });
    expect(step(2 * METER_SHARDS * 10)).toMatchObject({ type: 'exchange', reserve: 10 });
  });

  test('an answer that used more than was reserved collects what is missing from others, of those that have most first', () => {
    const own = shard(3, { free: credits(1) });
    const others = [shard(1, { free: credits(0.7) }), shard(2, { free: credits(0.9), pending: credits(9) })];

    expect(nextFurtherStep(missing, own, [...others, own], { available: 1 })).toEqual({
      type: 'take',
      beyond: missing,
      collected: [
        { shard: 2, microcredits: credits(0.9) },
        { shard: 1, microcredits: credits(0.6) },
      ],
    });
  });

  test('an answer that used more than was reserved takes the last of the balance, and is billed in part where that is all there is', () => {
    const own = shard(3, { free: credits(0.4) });
    const shards = [shard(1, { pending: missing }), shard(2, { free: credits(0.3) }), own];

    expect(nextFurtherStep(missing, own, shards, { available: 1 })).toEqual({
      type: 'exchange',
      shard: own,
      reserve: 1,
      settle: 0,
    });
    expect(nextFurtherStep(missing, own, shards, { available: 0 })).toEqual({
      type: 'take',
      beyond: credits(0.7),
      collected: [{ shard: 2, microcredits: credits(0.3) }],
    });
  });
});

test('an idle shard returns whole credits and settles whole credits; fractions stay', () => {
  const idle = shard(2, { free: credits(3.4), unsettled: credits(1.6), block: 7 });

  const exchange = settlementOf(idle, 0, at);

  expect(exchange).toMatchObject({
    shard: 2,
    block: 7,
    reserve: 0,
    settle: 1,
    release: 3,
    admission: null,
  });
  expect(exchange && exchangeEntries(exchange)).toEqual([
    expect.objectContaining({ entry_id: 'block-2-8-settle', type: 'settle', credits: 1, block: '2-8' }),
    expect.objectContaining({ entry_id: 'block-2-8-release', type: 'release', credits: 3, block: '2-8' }),
  ]);
});

test('an idle shard that has less than a credit of each gives nothing', () => {
  expect(settlementOf(shard(2, { free: credits(0.4), unsettled: credits(0.6) }), 0, at)).toBeNull();
});

test('an idle shard that has as much free as it has billed returns the one and settles the other', () => {
  const idle = shard(2, { free: credits(2), unsettled: credits(2) });

  expect(settlementOf(idle, 0, at)).toMatchObject({ settle: 2, release: 2 });
});

test('an idle shard keeps what it is to keep', () => {
  expect(settlementOf(shard(2, { free: credits(25) }), 20, at)).toMatchObject({ release: 5 });
  expect(settlementOf(shard(2, { free: credits(15) }), 20, at)).toBeNull();
});
