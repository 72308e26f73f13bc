import { afterAll, beforeAll, test } from 'vitest';
import { type CloudStore, createCloudStore } from '#test/helpers/cloud-store.ts';
import { playEvents } from '#test/helpers/event-model.ts';

let store: CloudStore;

beforeAll(async () => {
  store = await createCloudStore();
});

afterAll(() => store.remove());

test('twenty runs on a table of the emulator, with processes that are killed at random, lose and invent no event', async () => {
  for (const seed of [1, 2]) await playEvents({ table: store.table, seed, runs: 10, killed: 0.1 });
}, 120_000);
