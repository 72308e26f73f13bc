import type { AuditLog } from '#shared/access/decide/audit.ts';
import type { AuditEntry } from '#shared/access/schema/audit.ts';

export interface AuditPorts {
  readonly audit: AuditLog;
  /** The ARN of who runs the command. */
  readonly whoAmI: () => Promise<string>;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Completes an entry. */
export type EndEntry = (outcome: 'done' | 'failed', error: string | null) => Promise<void>;

/** Writes that a command begins. @param given what it was given; returned is what writes how it ended */
export async function beginEntry(ports: AuditPorts, command: string, given: object): Promise<EndEntry> {
  const entry: AuditEntry = {
    entry_id: ports.newId(),
    at: new Date(ports.now()).toISOString(),
    by: await ports.whoAmI(),
    command,
    given: JSON.stringify(given),
    outcome: 'begun',
    error: null,
  };
  await ports.audit.begin(entry);
  return (outcome, error) => ports.audit.end({ ...entry, outcome, error });
}

/**
 * Makes a change that the audit log tells of: before it begins, so that nothing changes without an entry, and again when it has
 * ended.
 */
export async function recorded<T>(
  ports: AuditPorts,
  command: string,
  given: object,
  change: () => Promise<T>,
): Promise<T> {
  const end = await beginEntry(ports, command, given);
  let result: T;
  try {
    result = await change();
  } catch (error) {
    await end('failed', error instanceof Error ? error.message : String(error)).catch(() => {});
    throw error;
  }
  // What was done stays done: an entry that cannot be completed, after a long deployment, is said and fails nothing.
  await end('done', null).catch((error: unknown) => {
    console.warn(
      `The audit log has no end of this command: ${error instanceof Error ? error.message : error}`,
    );
  });
  return result;
}
