import { KeyRecord, Organization, Team, User } from '#shared/platform/access/records.ts';
import type { AccessAdministration, AccessRepository } from '#shared/platform/access/repository.ts';
import { Plan } from '#shared/platform/schema/plan.ts';
import { indexes, type Key, keys, lists, sortKeyPrefixes } from '#shared/platform/store/keys.ts';
import {
  type Action,
  getItem,
  type Item,
  putItem,
  queryItems,
  queryPartition,
  type Table,
  transact,
  updateItem,
} from '#shared/platform/store/table.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import { emptyBalance } from '../decide/ledger/record.ts';

interface Schema<T> {
  parse(item: Item): T;
}

async function read<T>(table: Table, key: Key, schema: Schema<T>): Promise<T | null> {
  const item = await getItem(table, key);
  return item === null ? null : schema.parse(item);
}

export function createAccessRepository(table: Table): AccessRepository {
  return {
    findKey: (keyHash) => read(table, keys.key(keyHash), KeyRecord),
    findTeam: (teamId) => read(table, keys.team(teamId), Team),
    findPlan: (name) => read(table, keys.plan(name), Plan),
    isMember: async (teamId, userId) => (await getItem(table, keys.member(teamId, userId))) !== null,
  };
}

/** Puts an item that must not exist. */
function put(item: Item, key: Key): Action {
  return { Put: { Item: { ...item, ...key }, ConditionExpression: 'attribute_not_exists(pk)' } };
}

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one short method for each access to the table
export function createAccessAdministration(table: Table): AccessAdministration {
  const { name: IndexName, sortKey } = indexes.name;

  const listed = (list: string, name: string): Item => ({ list_pk: list, [sortKey]: name });

  async function list<T>(listName: string, schema: Schema<T>): Promise<T[]> {
    const found: T[] = [];
    for await (const item of queryItems(table, {
      IndexName,
      KeyConditionExpression: 'list_pk = :list',
      ExpressionAttributeValues: { ':list': listName },
    })) {
      found.push(schema.parse(item));
    }
    return found;
  }

  /** Finds the object of a unique name. */
  async function findNamed<T>(
    pointer: Key,
    keyOf: (id: string) => Key,
    schema: Schema<T>,
  ): Promise<T | null> {
    const item = await getItem(table, pointer);
    return item === null ? null : read(table, keyOf(String(item.id)), schema);
  }

  return {
    ...createAccessRepository(table),

    findOrganizationByName: (name) => findNamed(keys.organizationName(name), keys.organization, Organization),
    findTeamByName: (name) => findNamed(keys.teamName(name), keys.team, Team),
    findUserByName: (name) => findNamed(keys.userName(name), keys.user, User),

    async createOrganization(organization) {
      const { organization_id: id, name } = organization;
      const failed = await transact(table, {
        organization: put({ ...organization, ...listed(lists.organizations, name) }, keys.organization(id)),
        name: put({ id }, keys.organizationName(name)),
      });
      return failed.size === 0;
    },

    async createTeam(team) {
      const { team_id: id, name } = team;
      const failed = await transact(table, {
        team: put({ ...team, ...listed(lists.teams, name) }, keys.team(id)),
        name: put({ id }, keys.teamName(name)),
        balance: put(emptyBalance(id), keys.balance(id)),
      });
      return failed.size === 0;
    },

    async createUser(user) {
      const { user_id: id, name } = user;
      const failed = await transact(table, {
        user: put({ ...user, ...listed(lists.users, name) }, keys.user(id)),
        name: put({ id }, keys.userName(name)),
      });
      return failed.size === 0;
    },

    listOrganizations: () => list(lists.organizations, Organization),
    listTeams: () => list(lists.teams, Team),
    listUsers: () => list(lists.users, User),
    listPlans: () => list(lists.plans, Plan),

    async addMember(teamId, userId, now) {
      await putItem(
        table,
        { user_id: userId, added_at: timestamp(now), ...keys.member(teamId, userId) },
        'attribute_not_exists(pk)',
      );
    },

    async listMembers(teamId) {
      const members: string[] = [];
      for await (const item of queryPartition(table, keys.team(teamId).pk, sortKeyPrefixes.member)) {
        members.push(String(item.user_id));
      }
      return members;
    },

    async createKey(key) {
      const failed = await transact(table, {
        key: put(key, keys.key(key.key_hash)),
        listed: put(key, keys.teamKey(key.team_id, key.key_id)),
      });
      if (failed.size > 0) throw new Error(`There is a key ${key.key_id} already.`);
    },

    async listKeys(teamId) {
      const found: KeyRecord[] = [];
      for await (const item of queryPartition(table, keys.teamKey(teamId, '').pk, sortKeyPrefixes.teamKey)) {
        found.push(KeyRecord.parse(item));
      }
      return found;
    },

    async revokeKey(teamId, keyId, now) {
      const record = await read(table, keys.teamKey(teamId, keyId), KeyRecord);
      if (record === null) return false;
      const revoke = (key: Key): Action => ({
        Update: {
          Key: key,
          UpdateExpression: 'SET revoked_at = :now',
          ConditionExpression: 'attribute_type(revoked_at, :null)',
          ExpressionAttributeValues: { ':now': timestamp(now), ':null': 'NULL' },
        },
      });
      await transact(table, {
        key: revoke(keys.key(record.key_hash)),
        listed: revoke(keys.teamKey(teamId, keyId)),
      });
      return true;
    },

    async savePlan(plan) {
      await putItem(table, { ...plan, ...keys.plan(plan.name), ...listed(lists.plans, plan.name) });
    },

    async assignPlan(teamId, planName) {
      const item = await updateItem(table, {
        Key: keys.team(teamId),
        UpdateExpression: 'SET #plan = :plan',
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeNames: { '#plan': 'plan' },
        ExpressionAttributeValues: { ':plan': planName },
      });
      return item !== null;
    },
  };
}
