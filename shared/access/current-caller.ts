import type { Caller } from '#shared/platform/access/caller.ts';
import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { ownerOf } from './decide/authenticate.ts';

/**
 * The caller who started long work, with the key and the plan as they are now.
 * @param work whose it is, and in whose name it was started
 * @param what the work, as in "the run"
 * @throws {ServiceError} `unauthorized` if the key was revoked since, or is of another team: who starts work writes no such record
 */
export async function currentCaller(
  access: Pick<AccessAdministration, 'listKeys' | 'findTeam' | 'findPlan'>,
  { team_id, caller }: { readonly team_id: string; readonly caller: Caller },
  what: string,
): Promise<Caller> {
  const isOwn = caller.team_id === team_id;
  const key = isOwn
    ? (await access.listKeys(team_id)).find(({ key_id }) => key_id === caller.key_id)
    : undefined;
  const owner = key === undefined ? null : await ownerOf(key, access);
  if (owner !== null) return owner;
  throw new ServiceError(
    'unauthorized',
    `The API key that started ${what} was revoked. Start it with another.`,
  );
}
