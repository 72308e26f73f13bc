import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { formatApiKey, hashApiKey } from '#shared/access/decide/api-key.ts';
import { authenticate } from '#shared/access/decide/authenticate.ts';
import {
  type AdministrationPorts,
  assignPlan,
  ensureOrganization,
  ensureTeam,
  ensureUser,
  grantCredits,
  issueKey,
} from '#shared/access/issue-key.ts';
import type { Team, User } from '#shared/platform/access/records.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import { createMemoryStore, type Store } from '#test/helpers/memory-store.ts';
import { NOW } from '#test/helpers/records.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index);
const AT = '2026-03-01T12:00:00.000Z';

let store: Store;
let ports: AdministrationPorts;

beforeEach(() => {
  store = createMemoryStore();
  ports = {
    access: store.access,
    ledger: store.ledger,
    newId: randomUUID,
    randomBytes: (length) => SECRET.slice(0, length),
    now: () => NOW,
  };
});

async function makeTeam(name: string): Promise<{ team: Team; user: User }> {
  return { team: await ensureTeam(ports, name, undefined), user: await ensureUser(ports, `${name}'s`) };
}

test('a key is of its team, its user and its scopes, which then sign in with it', async () => {
  const { team, user } = await makeTeam('one');

  const { key, record } = await issueKey(ports, team, user, ['datasets:read', 'training']);

  expect(key).toBe(formatApiKey(SECRET));
  expect(record).toEqual({
    key_id: expect.any(String),
    key_hash: hashApiKey(key),
    ending: key.slice(-4),
    organization_id: team.organization_id,
    team_id: team.team_id,
    user_id: user.user_id,
    scopes: ['datasets:read', 'training'],
    created_at: AT,
    revoked_at: null,
  });
  expect(await authenticate(`Bearer ${key}`, store.access)).toMatchObject({
    team_id: team.team_id,
    user_id: user.user_id,
    scopes: ['datasets:read', 'training'],
    plan: DEFAULT_PLAN,
  });
  expect(await store.access.isMember(team.team_id, user.user_id)).toBe(true);
});

test('the key itself is in no record', async () => {
  const { team, user } = await makeTeam('one');

  const { key } = await issueKey(ports, team, user, []);

  expect(JSON.stringify(await store.access.listKeys(team.team_id))).not.toContain(key.slice(8, -4));
});

test('a team belongs to the organization that is named, or to one of its own name', async () => {
  const named = await ensureTeam(ports, 'one', 'Acme');
  const unnamed = await ensureTeam(ports, 'two', undefined);
  const acme = await store.access.findOrganizationByName('Acme');

  expect(named).toMatchObject({ name: 'one', organization_id: acme?.organization_id, created_at: AT });
  expect(unnamed.organization_id).toBe((await store.access.findOrganizationByName('two'))?.organization_id);
  expect(unnamed.organization_id).not.toBe(named.organization_id);
});

test('a team is found again, but not under another organization', async () => {
  const team = await ensureTeam(ports, 'one', 'Acme');
  await ensureOrganization(ports, 'Other');

  expect(await ensureTeam(ports, 'one', 'Acme')).toEqual(team);
  expect(await ensureTeam(ports, 'one', undefined)).toEqual(team);
  await expect(ensureTeam(ports, 'one', 'Other')).rejects.toThrow('another organization');
  await expect(ensureTeam(ports, 'one', 'Unknown')).rejects.toThrow('another organization');
});

test('organizations, teams and users that two make at once are one', async () => {
  const [a, b] = await Promise.all([ensureUser(ports, 'u'), ensureUser(ports, 'u')]);
  const [c, d] = await Promise.all([ensureOrganization(ports, 'o'), ensureOrganization(ports, 'o')]);

  expect(a).toEqual(b);
  expect(a).toMatchObject({ name: 'u', created_at: AT });
  expect(c).toEqual(d);
  expect(c).toMatchObject({ name: 'o', created_at: AT });
});

test('what could not be made is an error', async () => {
  const access = { ...store.access, findUserByName: async () => null };

  await expect(ensureUser({ ...ports, access }, 'u')).rejects.toThrow('could not be made');
});

test('the default plan is made with the first team, and stays as it was changed', async () => {
  const { team } = await makeTeam('one');
  expect(team.plan).toBe(DEFAULT_PLAN.name);
  expect(await store.access.findPlan(DEFAULT_PLAN.name)).toEqual(DEFAULT_PLAN);

  await store.access.savePlan({ ...DEFAULT_PLAN, runs_at_once: 1 });
  await makeTeam('two');

  expect(await store.access.findPlan(DEFAULT_PLAN.name)).toMatchObject({ runs_at_once: 1 });
});

test('a plan is assigned to that team only, and must exist', async () => {
  const [{ team }, { team: other }] = [await makeTeam('one'), await makeTeam('two')];
  await store.access.savePlan({ ...DEFAULT_PLAN, name: 'large' });

  await assignPlan(ports, team, 'large');

  expect(await store.access.findTeam(team.team_id)).toMatchObject({ plan: 'large' });
  expect(await store.access.findTeam(other.team_id)).toMatchObject({ plan: DEFAULT_PLAN.name });
  await expect(assignPlan(ports, team, 'huge')).rejects.toThrow('huge');
  expect(await store.access.findTeam(team.team_id)).toMatchObject({ plan: 'large' });
});

test('granted credits are of that team, with the reason in its ledger', async () => {
  const [{ team }, { team: other }] = [await makeTeam('one'), await makeTeam('two')];

  expect(await grantCredits(ports, team, 70, 'a trial')).toBe(70);
  expect(await grantCredits(ports, team, 5, 'more')).toBe(75);

  expect(await store.ledger.findBalance(team.team_id)).toMatchObject({ granted: 75, available: 75 });
  expect(await store.ledger.findBalance(other.team_id)).toMatchObject({ granted: 0, available: 0 });
  // Both were entered at the same time, so that their order says nothing.
  const entries = await store.ledger.listEntries(team.team_id);
  expect(entries.find(({ credits }) => credits === 70)).toEqual({
    entry_id: expect.any(String),
    team_id: team.team_id,
    type: 'grant',
    credits: 70,
    run_id: null,
    dataset_id: null,
    block: null,
    reason: 'a trial',
    created_at: AT,
  });
});
