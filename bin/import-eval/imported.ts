import type { CreateEvalRequest, DataSource, Row } from '#shared/evals/schema/eval.ts';

/** What a file of another tool becomes: an eval, and a run of it for each prompt. */
export interface ImportedEval {
  readonly request: CreateEvalRequest;
  readonly runs: readonly { readonly name: string; readonly data_source: DataSource }[];
}

/** Models that the caller names in place of those of the file. */
export interface NamedModels {
  /** Which answers. */
  readonly model?: string | undefined;
  /** Which grades. */
  readonly judge?: string | undefined;
}

/** What a file says that cannot be imported, in words. */
export class NotImported extends Error {}

export type Fields = Readonly<Record<string, unknown>>;

/** An object; null for anything else. */
export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Rows that a run's request brings with it. */
export const contentOf = (rows: readonly Row[]) => ({ type: 'file_content' as const, content: [...rows] });
