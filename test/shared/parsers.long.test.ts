import { expect, test } from 'vitest';
import { holdParsers } from '#test/helpers/parsing/hold-parsers.ts';

test('any input that grows from a file is read or refused within 2 seconds and 512 MiB', async () => {
  expect(await holdParsers({ runs: 20_000 })).toBeGreaterThan(1_000);
});
