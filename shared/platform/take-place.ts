import type { Claims } from './storage/claims.ts';

export interface TakePlacePorts {
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly newId: () => string;
}

/**
 * Takes one of a number of places, as a claim.
 * @param name what the places are for, and whose they are
 * @param seconds longer than a place is held, so that the place of a killed function comes free
 * @returns what gives the place back; null if all are taken
 */
export async function takePlace(
  { claims, newId }: TakePlacePorts,
  name: string,
  places: number,
  seconds: number,
): Promise<(() => Promise<void>) | null> {
  const holder = newId();
  for (let place = 0; place < places; place += 1) {
    const claim = `${name} ${place}`;
    if (await claims.take(claim, seconds, holder)) return () => claims.release(claim, holder);
  }
  return null;
}
