import type { Caller } from '#shared/platform/access/caller.ts';
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
  if (record === null || record.revoked_at !== null) return null;

  const { organization_id, team_id, user_id, key_id, scopes } = record;
  const team = await access.findTeam(team_id);
  const plan = team === null ? null : await access.findPlan(team.plan);
  if (plan === null) throw new Error(`Key ${key_id} belongs to a team without a plan.`);
  return { organization_id, team_id, user_id, key_id, scopes, plan };
}
