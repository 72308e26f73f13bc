import { expect, it } from 'vitest';
import { benchIngestMemory } from '#lab/bench/ingest.ts';

it('a CSV file of 1 GB is ingested in under 1 GiB of memory, Node itself included', async () => {
  const { value, bound } = await benchIngestMemory();

  expect(bound.value).toBe(1024);
  expect(value).toBeGreaterThan(40);
  expect(value).toBeLessThan(bound.value);
});
