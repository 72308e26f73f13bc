import type { Scope } from '#shared/platform/schema/scope.ts';
import { Event, type EventType, eventScopes } from '../schema/event.ts';

/** Whether a key with these scopes may read events of a type: never of one that the list does not have. */
export function mayRead(granted: readonly Scope[], type: EventType): boolean {
  const registered = registeredOf(type);
  return registered !== undefined && (registered.scope === null || granted.includes(registered.scope));
}

/**
 * The scope that a key needs to read events of a type; null for any.
 * @throws {Error} for a type that the list does not have
 */
export function scopeOf(type: EventType): Scope | null {
  const registered = registeredOf(type);
  if (registered === undefined) throw new Error(`There is no event of the type ${type}.`);
  return registered.scope;
}

function registeredOf(type: EventType) {
  const schema = Event.options.find(({ shape }) => shape.type.value === type);
  return schema === undefined ? undefined : eventScopes.get(schema);
}
