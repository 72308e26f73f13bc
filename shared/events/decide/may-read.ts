import type { Scope } from '#shared/platform/schema/scope.ts';
import { Event, type EventType, eventScopes } from '../schema/event.ts';

/** The scope that a key needs to read events of a type; null for any. */
export function scopeOf(type: EventType): Scope | null {
  const schema = Event.options.find(({ shape }) => shape.type.value === type);
  return schema === undefined ? null : (eventScopes.get(schema)?.scope ?? null);
}

/** Whether a key with these scopes may read events of a type. */
export function mayRead(granted: readonly Scope[], type: EventType): boolean {
  const scope = scopeOf(type);
  return scope === null || granted.includes(scope);
}
