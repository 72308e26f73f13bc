import * as z from 'zod';
import { DateTime, IntegerText, NextCursor, text } from '#shared/platform/schema/common.ts';

// Made of its parts: what is deployed names no partition.
const OPERATOR = ['arn', 'aws', 'sts', '', '123456789012', 'assumed-role/Operator/ada'].join(':');

export const AUDIT_PAGE_MAX = 100;

/** A command of an operator that changes something. */
export const AuditEntry = z
  .object({
    entry_id: text('3f0e9a4c-7d21-4b58-8a6f-1c2d3e4f5a6b').describe('Id of the entry.'),
    at: DateTime.describe('When the command began, ISO 8601 in UTC.'),
    by: text(OPERATOR).describe('The ARN of who ran it.'),
    command: text('key create').describe('The words of the command.'),
    given: text('{"arguments":[],"team":"support","credits":100}').describe(
      'What it was given, as JSON. The code of a voucher is cut, and instructions of a stack are counted.',
    ),
    outcome: z
      .enum(['begun', 'done', 'failed'])
      .meta({ example: 'done' })
      .describe('`begun` until the command has ended: one that was killed stays so.'),
    error: z.string().nullable().describe('Why it failed; null if it did not.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = z.strictObject({
  limit: IntegerText.pipe(z.int().min(1).max(AUDIT_PAGE_MAX))
    .optional()
    .meta({ description: 'Page size, 1 to 100, default 20' }),
  cursor: z.string().max(2000).optional().describe('`next_cursor` of the previous page.'),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditPage = z.object({
  entries: z.array(AuditEntry).describe('Entries of this page, newest first.'),
  next_cursor: NextCursor,
});
export type AuditPage = z.infer<typeof AuditPage>;
