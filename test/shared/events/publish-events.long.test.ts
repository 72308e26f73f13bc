import { test } from 'vitest';
import { playEvents } from '#test/helpers/event-model.ts';
import { createTickingTable } from '#test/helpers/memory-table.ts';
import { NOW } from '#test/helpers/records.ts';

/** By seeds that the unit test does not use, and with processes that die more often as well. */
test.each([0.02, 0.1, 0.25])(
  'four thousand runs whose processes are killed at %d of their requests lose and invent no event',
  async (killed) => {
    for (let seed = 1000; seed < 1200; seed += 1) {
      await playEvents({ table: createTickingTable(NOW), seed, runs: 20, killed });
    }
  },
);
