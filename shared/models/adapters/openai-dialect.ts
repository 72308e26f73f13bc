import type { TurnMarks } from '../decide/turn.ts';

/** Request fields that a provider rejects or renames. Learned from its first error, once for each model. */
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
