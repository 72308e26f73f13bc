import type { TurnMarks } from '../decide/turn.ts';
import { FieldRefused } from './openai-connection.ts';

/** Request fields that a provider rejects or renames, of a model: the requests of all callers are written by it. */
export interface Dialect {
  tokensField: 'max_tokens' | 'max_completion_tokens';
  readonly refused: Set<string>;
}

export const newDialect = (): Dialect => ({ tokensField: 'max_tokens', refused: new Set() });

/** Records a rejected field; returns whether it was new, so that a rebuilt request differs. */
export function learn(dialect: Dialect, field: string, dispensable: readonly string[]): boolean {
  if (field === 'max_tokens') {
    const isNew = dialect.tokensField === 'max_tokens';
    dialect.tokensField = 'max_completion_tokens';
    return isNew;
  }
  if (!dispensable.includes(field) || dialect.refused.has(field)) return false;
  dialect.refused.add(field);
  return true;
}

/** The dialect of one request, which is tried without what was refused of it. */
export interface TriedDialect {
  readonly dialect: Dialect;
  /** Leaves out, or renames, the field that an error refuses; null if there is none, or the request needs it. */
  leaveOut(error: unknown): string | null;
  /** Keeps for all further requests that the provider does not know these fields: call it once it has taken this one. */
  keep(): void;
}

export function tryDialect(known: Dialect, dispensable: readonly string[]): TriedDialect {
  const dialect: Dialect = { tokensField: known.tokensField, refused: new Set(known.refused) };
  const unknown: string[] = [];
  return {
    dialect,
    leaveOut(error) {
      if (!(error instanceof FieldRefused) || !learn(dialect, error.field, dispensable)) return null;
      // A value that is refused is one caller's.
      if (error.isUnknown) unknown.push(error.field);
      return error.field;
    },
    keep() {
      for (const field of unknown) learn(known, field, dispensable);
    },
  };
}

/** Metadata fields of both APIs for the provider's logs and caches. Unsupported ones are dropped. */
export const MARKS = ['user', 'safety_identifier', 'prompt_cache_key'] as const;

export function toMarks(
  { user, safetyIdentifier, cacheKey }: TurnMarks,
  { refused }: Dialect,
): Partial<Record<(typeof MARKS)[number], string>> {
  const marks = { user, safety_identifier: safetyIdentifier, prompt_cache_key: cacheKey };
  return Object.fromEntries(
    MARKS.flatMap((field) => {
      const value = marks[field];
      return value === null || refused.has(field) ? [] : [[field, value]];
    }),
  );
}
