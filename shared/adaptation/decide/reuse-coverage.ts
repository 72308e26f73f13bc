import * as z from 'zod';
import { canonicalJson, sha256Hex } from '#shared/platform/canonical-json.ts';
import { own } from '#shared/platform/own.ts';
import type { RowsChunk } from '#shared/tabular/schema/rows-manifest.ts';
import { ADAPT_ROWS_PROMPTS } from './prompts/adapt-rows-prompts.ts';
import { type AdaptationSpecification, asksModel } from './specification.ts';

/** Rows that runs with the same settings have delivered, by key of the chunk. */
export const ReuseCoverage = z.object({ chunks: z.record(z.string(), z.int().min(0)) });
export type ReuseCoverage = z.infer<typeof ReuseCoverage>;

/** The roles whose models adapt a row. */
export const ADAPTING_ROLES = ['rewrite', 'answer', 'judge', 'embed'] as const;

/**
 * SHA-256 of the settings that decide what models are asked about a row, as far as a launch knows them: controls,
 * mapping, models and prompt versions. Left out is what changes no row that is delivered (`max_rows`, deduplication,
 * lint, languages) or no call (which categories are scored, and what becomes of a violation), and what only workers
 * know, such as the judge's calibration and the context length. A coverage is therefore an expectation: the call memo
 * decides, and a bill is at most its quote.
 */
export function settingsHashOf(
  specification: AdaptationSpecification,
  models: Readonly<Partial<Record<string, string>>>,
  promptVersions: Readonly<Partial<Record<string, string>>>,
): string {
  const {
    max_rows: _rows,
    deduplication: _repeated,
    lint: _lint,
    expansion: _languages,
    verification,
    ...settings
  } = specification;
  const asking = asksModel(specification) ? { verification } : {};
  const pick = (from: Readonly<Partial<Record<string, string>>>, names: readonly string[]) =>
    names.map((name) => own(from, name) ?? null);
  return sha256Hex(
    canonicalJson([
      { ...settings, ...asking, safety: settings.safety !== null },
      pick(models, ADAPTING_ROLES),
      pick(promptVersions, Object.keys(ADAPT_ROWS_PROMPTS).sort()),
    ]),
  );
}

/**
 * Rows of the next run that are certain to be covered. A run with `max_rows` leaves out rows that may be the covered ones.
 */
export function countCovered(
  { chunks: covered }: ReuseCoverage,
  chunks: readonly Pick<RowsChunk, 'key' | 'row_count'>[],
  { rowCount, maxRows }: { readonly rowCount: number; readonly maxRows: number | null },
): number {
  const known = new Map(Object.entries(covered));
  const sum = chunks.reduce((rows, { key, row_count }) => rows + Math.min(row_count, known.get(key) ?? 0), 0);
  return Math.max(0, sum - Math.max(0, rowCount - (maxRows ?? rowCount)));
}

/** The larger count of each chunk: the rows of a smaller run may all be among those of the larger one. */
export function mergeCoverage(one: ReuseCoverage | null, other: ReadonlyMap<string, number>): ReuseCoverage {
  const chunks = new Map(Object.entries(one?.chunks ?? {}));
  for (const [key, rows] of other) chunks.set(key, Math.max(rows, chunks.get(key) ?? 0));
  return { chunks: Object.fromEntries(chunks) };
}
