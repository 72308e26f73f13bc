import { measureJson } from '#shared/tabular/decide/measure-json.ts';

/** How many values may still be read of texts of JSON in rows, which are in memory together; below zero it is used up. */
export interface Room {
  values: number;
}

/** Values of a file, which are in memory together: each takes far more than its bytes. */
export const FILE_VALUES_MAX = 4_000_000;

/** Levels of a text of JSON in a row: what is made of it is written and checked by code that recurses. */
export const OBJECT_DEPTH_MAX = 100;

/**
 * An object, or the one that a text is the JSON of; null for anything else, for a text that nests deeper than 100 levels, and
 * for one that there is no room for
 */
export function objectIn(value: unknown, room: Room): Readonly<Record<string, unknown>> | null {
  if (typeof value === 'string' && value.startsWith('{')) {
    const { depth, values } = measureJson(value);
    room.values -= values;
    if (depth > OBJECT_DEPTH_MAX || room.values < 0) return null;
    try {
      return objectIn(JSON.parse(value), room);
    } catch {
      return null;
    }
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}
