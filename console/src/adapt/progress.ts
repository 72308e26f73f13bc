/** How many rows were done at a time, in milliseconds. */
export interface Sighting {
  readonly at: number;
  readonly processed: number;
}

export interface Pace {
  readonly rowsPerSecond: number;
  readonly secondsLeft: number;
}

const SIGHTINGS_MAX = 40;
/** Older sightings say little about how fast it is now. */
const WINDOW_MS = 120_000;
/** Work that shows nothing for so long may stand still. */
const SILENCE_MS_MIN = 30_000;
const SILENCE_GAPS = 4;

/**
 * Adds what was seen to the sightings. Only increases are kept, with the time at which they were seen: a count that does not
 * change tells nothing. A lower count is another run, with which it begins anew.
 */
export function withSighting(sightings: readonly Sighting[], seen: Sighting): readonly Sighting[] {
  const last = sightings.at(-1);
  if (last === undefined || seen.processed < last.processed) return [seen];
  return seen.processed === last.processed ? sightings : [...sightings, seen].slice(-SIGHTINGS_MAX);
}

/**
 * How fast rows are done, and how long the rest takes; null when that cannot be known: before two increases were seen (when
 * the first rows were done is not known), when all rows are done, and when nothing has happened for long.
 */
export function paceOf(sightings: readonly Sighting[], total: number, now: number): Pace | null {
  const last = sightings.at(-1);
  if (last === undefined || last.processed >= total) return null;
  // The first sighting is of an unknown age.
  const increases = sightings.slice(1).filter(({ at }) => at >= last.at - WINDOW_MS);
  const [first] = increases;
  if (first === undefined || first === last) return null;
  const gap = (last.at - first.at) / (increases.length - 1);
  const silence = now - last.at;
  if (silence > Math.max(SILENCE_MS_MIN, SILENCE_GAPS * gap)) return null;
  const rowsPerSecond = (1000 * (last.processed - first.processed)) / (last.at - first.at);
  const secondsLeft = (total - last.processed) / rowsPerSecond - silence / 1000;
  return { rowsPerSecond, secondsLeft: Math.max(1, secondsLeft) };
}
