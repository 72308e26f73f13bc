import { TunesmithError } from 'tunesmith';

/** An error in the service's words, with what it says of single fields. */
export function errorWords(error: unknown): string {
  if (!(error instanceof TunesmithError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return 'The service does not answer.';
  const details = error.details.map(({ path, message }) => `${path} ${message}`);
  return [error.message, ...details].join(' ');
}
