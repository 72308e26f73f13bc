import type * as z from 'zod';
import { readCatalog } from './read-catalog.ts';

/** The settings of a deployment by name; those that are not set, or empty, have the fallback. */
export interface Settings {
  text(name: string): string | undefined;
  /** Texts with commas between them. */
  list(name: string): string[];
  /** A whole number above 0. */
  integer(name: string, fallback: number): number;
  optionalInteger(name: string): number | null;
  boolean(name: string, fallback: boolean): boolean;
  /** A scheme and a host. */
  origin(name: string, fallback: string): string;
  /** The content of a JSON file; empty without one. */
  catalog<T>(name: string, schema: z.ZodType<T[]>, what: string): T[];
}

/**
 * A setting called `MODEL_ID` comes from the CDK context (`-c model_id=…`) or from the environment variable of that
 * name; the context wins.
 */
export function readSettings(
  context: (key: string) => unknown,
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const text = (name: string): string | undefined => {
    const value = context(name.toLowerCase()) ?? environment[name];
    return value === undefined || value === '' ? undefined : String(value);
  };
  const integer = (name: string, fallback: number): number => {
    const given = text(name);
    if (given === undefined) return fallback;
    const value = Number(given);
    if (!Number.isInteger(value) || value < 1) {
      throw new Error(`${name} must be a whole number above 0, not "${given}".`);
    }
    return value;
  };
  return {
    text,
    list: (name) => (text(name) ?? '').split(',').filter(Boolean),
    integer,
    optionalInteger: (name) => (text(name) === undefined ? null : integer(name, 1)),
    boolean(name, fallback) {
      const given = text(name);
      if (given === undefined) return fallback;
      if (given !== 'true' && given !== 'false') {
        throw new Error(`${name} must be true or false, not "${given}".`);
      }
      return given === 'true';
    },
    origin(name, fallback) {
      const given = text(name) ?? fallback;
      if (!isOrigin(given)) {
        throw new Error(`${name} must be a scheme and a host (https://hub.example), not "${given}".`);
      }
      return given;
    },
    catalog(name, schema, what) {
      const path = text(name);
      return path === undefined ? [] : readCatalog(name, path, schema, what);
    },
  };
}

export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}
