import { createHash } from 'node:crypto';
import * as z from 'zod';
import { requestOf } from '#shared/answers/decide/row-material.ts';
import type { LabResult } from './result.ts';
import type { Kind, LabRow } from './row.ts';

/** A changed row for a blind reader, without marking the original answer. */
export interface BlindPair {
  readonly id: string;
  readonly request: string;
  readonly first: string;
  readonly second: string;
}

export const Verdict = z.object({ id: z.string(), winner: z.enum(['first', 'second', 'tie']) });
export type Verdict = z.infer<typeof Verdict>;

/** The order depends only on the seed and the row, so that verdicts need no key. */
const SEED = 'effect-1';

function isAdaptedFirst({ id, adapted }: LabResult): boolean {
  const digest = createHash('sha256').update(`${SEED}\u0000${id}\u0000${adapted}`).digest();
  return digest.readUInt8(0) % 2 === 0;
}

export function blindPairs(rows: readonly LabRow[], results: ReadonlyMap<string, LabResult>): BlindPair[] {
  return rows.flatMap((row) => {
    const result = results.get(row.id);
    if (result?.outcome !== 'changed') return [];
    const { original, adapted } = result;
    const history = (row.history ?? []).map(({ role, content }) => ({ role, text: content }));
    const context = row.context === undefined ? [] : [{ name: 'context', text: row.context }];
    const request = requestOf({ history, context }, row.prompt);
    const [first, second] = isAdaptedFirst(result) ? [adapted, original] : [original, adapted];
    return [{ id: row.id, request, first, second }];
  });
}

export interface Preferences {
  readonly adapted: number;
  readonly original: number;
  readonly ties: number;
}

/**
 * Preferences of a reader, by kind.
 * @throws {Error} for a verdict on a row that was not changed
 */
export function readPreferences(
  verdicts: readonly Verdict[],
  results: ReadonlyMap<string, LabResult>,
): Map<Kind, Preferences> {
  const byKind = new Map<Kind, Preferences>();
  for (const { id, winner } of verdicts) {
    const result = results.get(id);
    if (result?.outcome !== 'changed') throw new Error(`There is a verdict on ${id}, which was not changed.`);
    const { adapted, original, ties } = byKind.get(result.kind) ?? { adapted: 0, original: 0, ties: 0 };
    const isAdapted = winner === (isAdaptedFirst(result) ? 'first' : 'second');
    byKind.set(
      result.kind,
      winner === 'tie'
        ? { adapted, original, ties: ties + 1 }
        : isAdapted
          ? { adapted: adapted + 1, original, ties }
          : { adapted, original: original + 1, ties },
    );
  }
  return byKind;
}
