/** Request fields that a provider refuses or calls otherwise. Learned from its first refusal, once a model. */
export interface Dialect {
  tokensField: 'max_tokens' | 'max_completion_tokens';
  readonly refused: Set<string>;
}

export const newDialect = (): Dialect => ({ tokensField: 'max_tokens', refused: new Set() });

/** Whether a refusal of the field tells something new: then the same request, made anew, is another one. */
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
