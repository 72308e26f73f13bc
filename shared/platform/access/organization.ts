import { ServiceError } from '../errors/service-error.ts';
import type { Caller } from './caller.ts';

/**
 * Rejects a caller whose key does not belong to the organization of the request; ids are case-insensitive.
 * @throws {ServiceError} `organization_forbidden`
 */
export function requireOrganization(caller: Pick<Caller, 'organization_id'>, named: string): void {
  if (named.toLowerCase() === caller.organization_id.toLowerCase()) return;
  throw new ServiceError(
    'organization_forbidden',
    `The API key does not belong to the organization ${named}. Omit X-Organization-Id, or use a key of that organization.`,
    { details: [{ path: 'header.X-Organization-Id', message: 'is not the organization of the API key' }] },
  );
}
