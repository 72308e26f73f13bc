import * as z from 'zod';
import { canonicalJson } from '#shared/platform/canonical-json.ts';
import type { ConfiguredColumnMapping } from '#shared/tabular/schema/column-mapping.ts';
import { RunDoubts } from '#shared/witnesses/schema/run-doubts.ts';
import type { LookedAt } from '../schema/looked-at.ts';

/** What witnesses that ask no model found in rows that no run has adapted; null if the look failed. */
export const RowDoubts = z.object({
  /** Names the mapping by which the rows were read. */
  mapping: z.string(),
  found: RunDoubts.nullable(),
  /** Milliseconds since the epoch. */
  ended_ms: z.number(),
});
export type RowDoubts = z.infer<typeof RowDoubts>;

/** Seconds for which a look that failed is told; then the next request has the rows looked at again. */
const FAILURE_TOLD_SECONDS = 300;

export const nameOfMapping = (mapping: ConfiguredColumnMapping): string => canonicalJson(mapping);

/** Whether rows are to be looked at: they were not, or by another mapping, or it failed some time ago. */
export const isDue = (doubts: RowDoubts | null, now: number): boolean =>
  doubts === null || (doubts.found === null && doubts.ended_ms < now - FAILURE_TOLD_SECONDS * 1000);

const MESSAGES: Readonly<Record<RunDoubts['missing'][number]['reason'], string>> = {
  no_embedding_model:
    'The installation has no embedding model, so rows are not compared. Ask its operator to set MODEL_ID_EMBED.',
  too_few_rows: 'Fewer than 20 rows can be compared: of those only equal questions are.',
  failed: 'It failed or ran out of time.',
};

/**
 * What callers are told of a look.
 * @param found null without one
 * @param rows rows of the version
 */
export function describeLook(status: LookedAt['status'], found: RunDoubts | null, rows: number): LookedAt {
  return {
    status,
    program: found?.looked_at.program ?? 0,
    execution: found?.looked_at.execution ?? 0,
    neighbours: found?.looked_at.neighbours ?? 0,
    not_looked_at: found?.not_looked_at ?? rows,
    not_listed: found?.not_listed ?? 0,
    silent: (found?.missing ?? []).map(({ witness, reason }) => ({
      witness,
      code: reason,
      message: MESSAGES[reason],
    })),
  };
}
