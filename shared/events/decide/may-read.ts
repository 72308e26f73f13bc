import type { Scope } from '#shared/platform/schema/scope.ts';
import { type EventType, eventScopes } from '../schema/event.ts';

/** Whether a key with these scopes may read events of a type: never of one that the list does not have. */
export function mayRead(granted: readonly Scope[], type: EventType): boolean {
  const scope = eventScopes.get(type);
  return scope !== undefined && (scope === null || granted.includes(scope));
}

/**
 * The scope that a key needs to read events of a type; null for any.
 * @throws {Error} for a type that the list does not have
 */
export function scopeOf(type: EventType): Scope | null {
  const scope = eventScopes.get(type);
  if (scope === undefined) throw new Error(`There is no event of the type ${type}.`);
  return scope;
}
