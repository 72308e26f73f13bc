import * as z from 'zod';

/** A command of an operator that changes something. */
export const AuditEntry = z.object({
  entry_id: z.string(),
  /** When it began, in ISO 8601. */
  at: z.string(),
  /** The ARN of who ran it. */
  by: z.string(),
  /** Its words: `key create`. */
  command: z.string(),
  /** What it was given, as JSON; of the code of a voucher the beginning. */
  given: z.string(),
  /** `begun` until it has ended: one that was killed stays so. */
  outcome: z.enum(['begun', 'done', 'failed']),
  error: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What operators did, newest first. Functions cannot write it. */
export interface AuditLog {
  begin(entry: AuditEntry): Promise<void>;
  end(entry: Pick<AuditEntry, 'entry_id' | 'at' | 'outcome' | 'error'>): Promise<void>;
  /** @param before the months to look at end with that of this time, in ISO 8601 */
  list(before: string, limit: number): Promise<AuditEntry[]>;
}
