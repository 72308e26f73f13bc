import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { lowCredits } from '#shared/access/decide/low-credits.ts';
import type { Caller } from '#shared/platform/access/caller.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { makeRun, seedDataset, seedTeam } from '#test/helpers/records.ts';
import { endingOf, launchOf } from '#test/helpers/store-contract.ts';

const AT = '2026-03-01T12:00:00.000Z';

test('of movements one after another, the one that crosses a tenth of what was granted has the event', () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), amounts, (granted, wanted) => {
      let available = granted;
      let events = 0;
      for (const taken of wanted.filter((each) => each <= granted)) {
        if (taken > available) break;
        const low = lowCredits({ granted, available }, taken, 's', AT);
        const crosses = available >= granted / 10 && available - taken < granted / 10;
        expect(low.event !== null).toBe(crosses);
        events += low.event === null ? 0 : 1;
        available -= taken;
      }
      expect(events).toBeLessThanOrEqual(1);
    }),
  );
});

describe('a launch', () => {
  let store: ReturnType<typeof createMemoryStore>;
  let caller: Caller;

  const launch = async (credits: number) => {
    const run = makeRun(await seedDataset(store, caller), { reserved_credits: credits });
    await store.ledger.launch(launchOf(run));
    return run;
  };
  const told = () =>
    store.table
      .items()
      .filter(({ pk }) => `${pk}`.startsWith('OUTBOX#'))
      .map(({ event }) => event as { type: string; data: unknown })
      .filter(({ type }) => type === 'credits.low')
      .map(({ data }) => data);

  beforeEach(async () => {
    store = createMemoryStore();
    caller = await seedTeam(store, 100);
  });

  test('a launch that leaves less than a tenth says so, once until there is enough again', async () => {
    await launch(90);
    expect(told()).toEqual([]);
    const run = await launch(1);
    expect(told()).toEqual([{ threshold: 10 }]);
    await launch(2);
    expect(told()).toHaveLength(1);

    await store.ledger.end(endingOf(run, { status: 'failed', billedCredits: 0 }));
    expect((await store.ledger.findBalance(caller.team_id))?.available).toBe(8);
    await launch(1);
    expect(told()).toHaveLength(1);
  });

  test('a launch is not refused because other movements come in between', async () => {
    const started = await Promise.all([launch(30), launch(30), launch(32)]);

    expect(new Set(started.map(({ run_id }) => run_id)).size).toBe(3);
    expect(told()).toEqual([{ threshold: 10 }]);
  });
});
