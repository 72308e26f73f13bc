import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { formatApiKey, hashApiKey } from '#shared/access/decide/api-key.ts';
import { authenticate } from '#shared/access/decide/authenticate.ts';
import { callerToContext, parseCaller } from '#shared/platform/access/caller.ts';
import type { KeyRecord } from '#shared/platform/access/records.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { createMemoryStore, type Store } from '#test/helpers/memory-store.ts';
import { makeCaller, NOW, seedTeam } from '#test/helpers/records.ts';

let store: Store;
let key: string;
let record: KeyRecord;

beforeEach(async () => {
  store = createMemoryStore();
  const caller = await seedTeam(store, 0);
  await store.access.savePlan(DEFAULT_PLAN);
  key = formatApiKey(randomBytes(32));
  record = {
    key_id: randomUUID(),
    key_hash: hashApiKey(key),
    ending: key.slice(-4),
    organization_id: caller.organization_id,
    team_id: caller.team_id,
    user_id: caller.user_id,
    scopes: ['datasets:read'],
    created_at: '2026-03-01T12:00:00.000Z',
    revoked_at: null,
  };
  await store.access.createKey(record);
});

test.each(['Bearer ', 'bearer   ', '  BEARER '])(
  'authenticate knows the sender of "%s<key>"',
  async (prefix) => {
    expect(await authenticate(`${prefix}${key}`, store.access)).toEqual({
      organization_id: record.organization_id,
      team_id: record.team_id,
      user_id: record.user_id,
      key_id: record.key_id,
      scopes: ['datasets:read'],
      plan: DEFAULT_PLAN,
    });
  },
);

test('authenticate follows the plan of the team', async () => {
  await store.access.savePlan({ ...DEFAULT_PLAN, name: 'large', runs_at_once: 50 });
  await store.access.assignPlan(record.team_id, 'large');

  expect(await authenticate(`Bearer ${key}`, store.access)).toMatchObject({
    plan: { name: 'large', runs_at_once: 50 },
  });
});

test('authenticate knows nobody without a valid key, and does not look up what cannot be one', async () => {
  const looked: string[] = [];
  const access = {
    ...store.access,
    findKey: async (hash: string) => {
      looked.push(hash);
      return store.access.findKey(hash);
    },
  };
  const typo = key.endsWith('x') ? `${key.slice(0, -1)}y` : `${key.slice(0, -1)}x`;

  const headers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer ${key} x`,
    `xBearer ${key}`,
    `Basic x, Bearer ${key}`,
    `Bearer ${typo}`,
  ];
  for (const header of headers) expect(await authenticate(header, access)).toBeNull();
  expect(looked).toEqual([]);
  expect(await authenticate(`Bearer ${formatApiKey(randomBytes(32))}`, access)).toBeNull();
  expect(looked).toHaveLength(1);
});

test('a revoked key is valid no longer', async () => {
  await store.access.revokeKey(record.team_id, record.key_id, NOW);

  expect(await authenticate(`Bearer ${key}`, store.access)).toBeNull();
});

test('a team whose plan is missing is an error, not a refusal', async () => {
  await store.access.assignPlan(record.team_id, 'gone');

  await expect(authenticate(`Bearer ${key}`, store.access)).rejects.toThrow(record.key_id);
});

test('a key whose team is gone is an error that names the key', async () => {
  const access = { ...store.access, findTeam: async () => null };

  await expect(authenticate(`Bearer ${key}`, access)).rejects.toThrow(record.key_id);
});

test('a caller survives the context of the authorizer', () => {
  const caller = makeCaller();

  expect(parseCaller({ ...callerToContext(caller), principalId: 'x' })).toEqual(caller);
  expect(() => parseCaller({})).toThrow();
  expect(() => parseCaller(null)).toThrow();
});
