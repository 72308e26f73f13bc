import { expect, test } from 'vitest';
import { awaitExport, failureOfExport } from '#shared/exports/export-file.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { createMemoryStore } from '#test/helpers/memory-store.ts';

const caller = { team_id: 't', plan: DEFAULT_PLAN };
const freeUses = { admit: async () => {} };

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
    freeUses,
    startBuild: async (payload: unknown) => {
      started.push(payload);
    },
  };

  await awaitExport(ports, {
    caller,
    dataset: { dataset_id: 'd', team_id: 't' },
    download: { key: 'file.parquet', format: 'parquet', cachedSecondsMax: null },
    signal: new AbortController().signal,
    now: 0,
  });

  expect(started).toEqual([]);
  expect(claims.size).toBe(0);
});

test('a request for a file that could not be built is told so for five minutes, and then builds it again', async () => {
  const started: unknown[] = [];
  const ask = (now: number) =>
    awaitExport(
      {
        claims: { take: async () => true, release: async () => {} } as unknown as Claims,
        objects: {
          head: async (key: string) =>
            key === failureOfExport('file.parquet')
              ? { modifiedMs: 1000, bytes: 0 }
              : started.length > 0
                ? { modifiedMs: now, bytes: 1 }
                : null,
        } as never,
        freeUses,
        startBuild: async (payload: unknown) => {
          started.push(payload);
        },
      },
      {
        caller,
        dataset: { dataset_id: 'd', team_id: 't' },
        download: { key: 'file.parquet', format: 'parquet', cachedSecondsMax: null },
        signal: new AbortController().signal,
        now,
      },
    );

  await expect(ask(300_000)).rejects.toMatchObject({
    code: 'export_failed',
    message: expect.stringMatching(/parquet file could not be built.*such as jsonl/),
  });
  expect(started).toEqual([]);
  await ask(302_000);
  expect(started).toHaveLength(1);
});

test('a file beyond those that the plan builds in an hour is refused, and its claim is free again', async () => {
  const released: string[] = [];
  const store = createMemoryStore();
  const ask = () =>
    awaitExport(
      {
        claims: {
          take: async () => true,
          release: async (claim: string) => void released.push(claim),
        } as unknown as Claims,
        objects: { head: async () => null } as never,
        freeUses: store.freeUses,
        startBuild: async () => {
          throw new Error('started');
        },
      },
      {
        caller: { ...caller, plan: { ...caller.plan, builds_per_hour: 1 } },
        dataset: { dataset_id: 'd', team_id: 't' },
        download: { key: 'file.parquet', format: 'parquet', cachedSecondsMax: null },
        signal: new AbortController().signal,
        now: 0,
      },
    );

  await expect(ask()).rejects.toThrow('started');
  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3600 });
  expect(released).toHaveLength(2);
});
