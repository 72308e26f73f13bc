import { expect, test } from 'vitest';
import { holdParsers } from '#test/helpers/parsing/hold-parsers.ts';

test('what callers bring is read or refused within 2 seconds and 512 MiB', { timeout: 60_000 }, async () => {
  expect(await holdParsers({ runs: 60, seed: 1 })).toBeGreaterThan(30);
});
