import { test } from 'vitest';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { checkMeterModel } from '#test/helpers/meter-model.ts';
import { NOW } from '#test/helpers/records.ts';
import { repetitions } from '#test/helpers/repetitions.ts';

test('the meter in memory follows its model through races, crashes and sweeps', async () => {
  await checkMeterModel(async () => createMemoryStore(() => NOW), {
    runs: repetitions(150),
    commandsMax: 60,
  });
}, 60_000);
