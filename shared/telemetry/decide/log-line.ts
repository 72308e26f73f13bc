import type { LogBatch } from '../schema/log-batch.ts';

/** A line of the structured log, with what names it. */
export interface LogLine {
  /** Unique for each line; the same when CloudWatch Logs delivers it again. */
  readonly eventId: string;
  /** Milliseconds since the epoch at which it was written. */
  readonly time: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The lines of a batch that are JSON objects; Lambda itself writes others. */
export function linesOf({ logEvents }: LogBatch): LogLine[] {
  return logEvents.flatMap(({ id, timestamp, message }) => {
    const fields = objectOf(message);
    if (fields === null) return [];
    // The line's own time is that of its writing; the event's may be that of its delivery.
    const written = Date.parse(text(fields, 'timestamp') ?? '');
    return [{ eventId: id, time: Number.isNaN(written) ? timestamp : written, fields }];
  });
}

function objectOf(message: string): Record<string, unknown> | null {
  if (!message.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(message);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // A line that Lambda cut off, or that is no JSON.
    return null;
  }
}

export function text(fields: LogLine['fields'], name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

export function number(fields: LogLine['fields'], name: string): number | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
