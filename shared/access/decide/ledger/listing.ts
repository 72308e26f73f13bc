import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { openCursor, sealCursor } from '#shared/platform/cursor.ts';
import type { LedgerMovement, LedgerQuery } from '../../schema/credits.ts';
import type { Books } from './books.ts';
import type { LedgerEntry } from './record.ts';

const LIMIT_DEFAULT = 20;

/**
 * Decodes a list request.
 * @throws ServiceError `cursor_invalid` for a cursor that was changed or belongs to another team or list
 */
export function selectEntries(
  teamId: string,
  { limit = LIMIT_DEFAULT, cursor }: LedgerQuery,
  signingKey: string,
): Parameters<Books['listNewest']>[1] {
  return { limit, after: cursor === undefined ? null : openCursor(cursor, boundTo(teamId), signingKey) };
}

/** The cursor of the page after `next`, for the same team. */
export function entriesCursor(teamId: string, next: string, signingKey: string): string {
  return sealCursor(next, boundTo(teamId), signingKey);
}

function boundTo(teamId: string): string {
  return canonicalJson({ list: 'ledger', team_id: teamId });
}

/** An entry as its team is shown it. */
export function toMovement(entry: LedgerEntry): LedgerMovement {
  const { entry_id, type, credits, run_id, dataset_id, block, reason, created_at } = entry;
  const purpose = block !== null ? 'answers' : run_id !== null ? 'run' : 'grant';
  return { entry_id, type, purpose, credits, run_id, dataset_id, reason, created_at };
}
