import type { KeyRecord, Organization, Team, User } from '#shared/platform/access/records.ts';
import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import { DEFAULT_PLAN } from '#shared/platform/schema/plan.ts';
import type { Scope } from '#shared/platform/schema/scope.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { formatApiKey, hashApiKey } from './decide/api-key.ts';
import type { Accounts } from './decide/ledger/accounts.ts';

export interface AdministrationPorts {
  readonly access: AccessAdministration;
  readonly ledger: Accounts;
  readonly newId: () => string;
  /** Cryptographically secure. */
  readonly randomBytes: (length: number) => Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Finds or creates an object by name; concurrent calls return the first one. */
async function ensure<T>(
  what: string,
  find: () => Promise<T | null>,
  create: () => Promise<boolean>,
): Promise<T> {
  const existing = await find();
  if (existing !== null) return existing;
  await create();
  const created = await find();
  if (created === null) throw new Error(`The ${what} could not be made. Try again.`);
  return created;
}

export async function ensureOrganization(ports: AdministrationPorts, name: string): Promise<Organization> {
  const { access, newId, now } = ports;
  return ensure(
    'organization',
    () => access.findOrganizationByName(name),
    () => access.createOrganization({ organization_id: newId(), name, created_at: timestamp(now()) }),
  );
}

export async function ensureUser(ports: AdministrationPorts, name: string): Promise<User> {
  const { access, newId, now } = ports;
  return ensure(
    'user',
    () => access.findUserByName(name),
    () => access.createUser({ user_id: newId(), name, created_at: timestamp(now()) }),
  );
}

/**
 * Finds or creates a team. A new one belongs to `organizationName`, or else to an organization with its own name, and
 * has the default plan.
 * @throws Error if the team belongs to another organization
 */
export async function ensureTeam(
  ports: AdministrationPorts,
  name: string,
  organizationName: string | undefined,
): Promise<Team> {
  const { access, newId, now } = ports;
  const team = await ensure(
    'team',
    () => access.findTeamByName(name),
    async () => {
      const organization = await ensureOrganization(ports, organizationName ?? name);
      if ((await access.findPlan(DEFAULT_PLAN.name)) === null) await access.savePlan(DEFAULT_PLAN);
      return access.createTeam({
        team_id: newId(),
        organization_id: organization.organization_id,
        name,
        plan: DEFAULT_PLAN.name,
        created_at: timestamp(now()),
      });
    },
  );
  if (organizationName === undefined) return team;
  const organization = await access.findOrganizationByName(organizationName);
  if (organization?.organization_id !== team.organization_id) {
    throw new Error(`The team "${name}" belongs to another organization than "${organizationName}".`);
  }
  return team;
}

/** @throws Error if there is no such plan */
export async function assignPlan(ports: AdministrationPorts, team: Team, planName: string): Promise<void> {
  if ((await ports.access.findPlan(planName)) === null) {
    throw new Error(`There is no plan "${planName}". Make it first: plan set ${planName} …`);
  }
  await ports.access.assignPlan(team.team_id, planName);
}

/** Grants credits to a team and returns the new available amount. */
export async function grantCredits(
  ports: AdministrationPorts,
  team: Team,
  credits: number,
  reason: string,
): Promise<number> {
  const { available } = await ports.ledger.grant({
    entry_id: ports.newId(),
    team_id: team.team_id,
    type: 'grant',
    credits,
    run_id: null,
    dataset_id: null,
    block: null,
    reason,
    created_at: timestamp(ports.now()),
  });
  return available;
}

/**
 * Creates a key of `user` for `team`, and makes the user a member. The key itself is only returned and never stored.
 */
export async function issueKey(
  ports: AdministrationPorts,
  team: Team,
  user: User,
  scopes: readonly Scope[],
): Promise<{ key: string; record: KeyRecord }> {
  const { access, newId, randomBytes, now } = ports;
  const key = formatApiKey(randomBytes(32));
  const record: KeyRecord = {
    key_id: newId(),
    key_hash: hashApiKey(key),
    ending: key.slice(-4),
    organization_id: team.organization_id,
    team_id: team.team_id,
    user_id: user.user_id,
    scopes: [...scopes],
    created_at: timestamp(now()),
    revoked_at: null,
  };
  await access.addMember(team.team_id, user.user_id, now());
  await access.createKey(record);
  return { key, record };
}
