/** ISO 8601 in UTC with milliseconds, so that text order is time order; `time` in milliseconds since the epoch. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
