import { expect, test } from 'vitest';
import { awaitExport } from '#shared/exports/export-file.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';

test('a request that claims a build just after another one has ended starts none', async () => {
  const claims = new Set<string>();
  let isBuilt = false;
  const started: unknown[] = [];
  const ports = {
    claims: {
      async take(claim: string) {
        // The other build ends here: its file is there, and its claim is free.
        isBuilt = true;
        claims.add(claim);
        return true;
      },
      async release(claim: string) {
        claims.delete(claim);
      },
    } as unknown as Claims,
    objects: { head: async () => (isBuilt ? { modifiedMs: 1, bytes: 1 } : null) } as never,
    startBuild: async (payload: unknown) => {
      started.push(payload);
    },
  };

  await awaitExport(ports, {
    dataset: { dataset_id: 'd', team_id: 't' },
    download: { key: 'file.parquet', format: 'parquet', cachedSecondsMax: null },
    signal: new AbortController().signal,
    now: 0,
  });

  expect(started).toEqual([]);
  expect(claims.size).toBe(0);
});
