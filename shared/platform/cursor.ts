import { createHmac, timingSafeEqual } from 'node:crypto';
import { ServiceError } from './errors/service-error.ts';

function sign(payload: string, boundTo: string, signingKey: string): string {
  return createHmac('sha256', signingKey).update(`${payload}\n${boundTo}`).digest('base64url');
}

/**
 * An opaque cursor that carries `position`. It is valid for the team, list and query that `boundTo` states, and no
 * other.
 */
export function sealCursor(position: string, boundTo: string, signingKey: string): string {
  const payload = Buffer.from(position).toString('base64url');
  return `${payload}.${sign(payload, boundTo, signingKey)}`;
}

/**
 * Reads a cursor of `sealCursor`.
 * @throws ServiceError `cursor_invalid` if it was changed or is bound to something else
 */
export function openCursor(cursor: string, boundTo: string, signingKey: string): string {
  const [payload = ''] = cursor.split('.');
  const given = Buffer.from(cursor);
  const expected = Buffer.from(`${payload}.${sign(payload, boundTo, signingKey)}`);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new ServiceError(
      'cursor_invalid',
      'The cursor does not belong to this query. Pass next_cursor unchanged, with the same filters and order, or omit cursor to start at the first page.',
      { details: [{ path: 'query.cursor', message: 'must be the next_cursor of a page of the same query' }] },
    );
  }
  return Buffer.from(payload, 'base64url').toString();
}
