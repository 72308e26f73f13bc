import { ServiceError } from '#shared/platform/errors/service-error.ts';

/**
 * Error of a file that cannot be read in its declared format; `message` says what is wrong, where, and how to fix it.
 */
export function fileUnreadable(message: string, cause?: unknown): ServiceError {
  return new ServiceError('file_unreadable', message, cause === undefined ? {} : { cause });
}

export function fileEmpty(message: string): ServiceError {
  return new ServiceError('file_empty', message);
}

/** `16 MiB`, `1.5 KiB`, `12 bytes`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Math.round(value * 10) / 10} ${units[unit]}`;
}

/** A name quoted in a message, truncated to 60 characters, so that a bad file cannot flood an error. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name);
}
