import { InvalidArgumentError } from 'commander';
import { SCOPES, type Scope } from '#shared/platform/schema/scope.ts';

export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number above 0.');
  return value;
}

export function natural(text: string): number {
  return text === '0' ? 0 : positive(text);
}

/** Parses a time in ISO 8601; a date means its end, in UTC. */
export function time(text: string): string {
  const value = Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59.999Z` : text);
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a date, such as 2026-12-31.');
  return new Date(value).toISOString();
}

/** Collects a repeatable option. */
export function append(text: string, earlier: readonly string[]): string[] {
  return [...earlier, text];
}

export function percent(text: string): number {
  const value = positive(text);
  if (value > 100) throw new InvalidArgumentError('It must be at most 100.');
  return value;
}

export function scopes(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const unknown = given.filter((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `There is no scope ${unknown.join(', ')}; there are ${SCOPES.join(', ')}.`,
    );
  }
  return given as Scope[];
}
