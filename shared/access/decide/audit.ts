import { canonicalJson } from '#shared/platform/canonical-json.ts';
import { openCursor, sealCursor } from '#shared/platform/cursor.ts';
import type { AuditEntry, AuditPage, AuditQuery } from '../schema/audit.ts';

const LIMIT_DEFAULT = 20;

/** What operators did, newest first. Functions cannot write it. */
export interface AuditLog {
  begin(entry: AuditEntry): Promise<void>;
  end(entry: Pick<AuditEntry, 'entry_id' | 'at' | 'outcome' | 'error'>): Promise<void>;
  /**
   * @param until the 24 months to look at end with that of this time, in ISO 8601
   * @param after the position of the entry before the first one (`positionOf`); null for the newest
   */
  list(until: string, limit: number, after?: string | null): Promise<AuditEntry[]>;
}

/** Where an entry lies among the others. */
export const positionOf = ({ at, entry_id }: AuditEntry): string => `${at}#${entry_id}`;

/**
 * The page of the log that a team's key asks for.
 * @throws {ServiceError} `cursor_invalid` for a cursor that was changed or belongs to another team or list
 */
export async function readAuditPage(
  audit: Pick<AuditLog, 'list'>,
  { limit = LIMIT_DEFAULT, cursor }: AuditQuery,
  { teamId, signingKey, now }: { readonly teamId: string; readonly signingKey: string; readonly now: number },
): Promise<AuditPage> {
  const boundTo = canonicalJson({ list: 'audit', team_id: teamId });
  const after = cursor === undefined ? null : openCursor(cursor, boundTo, signingKey);
  // One more tells whether there is another page.
  const found = await audit.list(new Date(now).toISOString(), limit + 1, after);
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  const isLast = found.length <= limit || last === undefined;
  return { entries, next_cursor: isLast ? null : sealCursor(positionOf(last), boundTo, signingKey) };
}
