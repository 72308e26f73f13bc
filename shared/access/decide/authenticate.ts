import type { Caller } from '#shared/platform/access/caller.ts';
import type { KeyRecord } from '#shared/platform/access/records.ts';
import type { AccessRepository } from '#shared/platform/access/repository.ts';
import { hashApiKey, isApiKey } from './api-key.ts';

/** Returns the API key of an `Authorization` header; null if it has none of the right form and checksum. */
export function readKey(header: string | undefined): string | null {
  const [, key = ''] = /^Bearer +(\S+)$/i.exec(header?.trim() ?? '') ?? [];
  return isApiKey(key) ? key : null;
}

/**
 * Returns the owner of the API key in an `Authorization` header; null without a valid key. The error only says that the
 * key is missing or not valid.
 */
export async function authenticate(
  header: string | undefined,
  access: AccessRepository,
): Promise<Caller | null> {
  const key = readKey(header);
  if (key === null) return null;
  const record = await access.findKey(hashApiKey(key));
  return record === null ? null : ownerOf(record, access);
}

/**
 * Returns the owner of an API key, with the plan of the team as it is now; null if the key was revoked.
 * @throws {Error} if the team has no plan
 */
export async function ownerOf(
  record: KeyRecord,
  access: Pick<AccessRepository, 'findTeam' | 'findPlan'>,
): Promise<Caller | null> {
  if (record.revoked_at !== null) return null;
  const { organization_id, team_id, user_id, key_id, scopes } = record;
  const team = await access.findTeam(team_id);
  const plan = team === null ? null : await access.findPlan(team.plan);
  if (plan === null) throw new Error(`Key ${key_id} belongs to a team without a plan.`);
  return { organization_id, team_id, user_id, key_id, scopes, plan };
}
