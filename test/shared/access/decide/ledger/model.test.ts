import { test } from 'vitest';
import { checkLedgerModel } from '#test/helpers/ledger-model.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';
import { NOW } from '#test/helpers/records.ts';
import { repetitions } from '#test/helpers/repetitions.ts';

test('the ledger in memory follows its model through crashes, replays and races', async () => {
  await checkLedgerModel(
    createMemoryStore(() => NOW),
    { runs: repetitions(150), commandsMax: 50 },
  );
});
