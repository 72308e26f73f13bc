import type { Claims } from './storage/claims.ts';

export interface TakePlacePorts {
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly newId: () => string;
}

/** The claim on a place. @param name what the places are for, and whose they are */
export const placeClaim = (name: string, place: number): string => `${name} ${place}`;

/**
 * Takes one of a number of places for a holder, who renews and releases its claim.
 * @param seconds after which a place that is not renewed comes free
 * @param isLastFirst whether the last free place is taken, where others may have the first ones alone
 * @returns its number, from 0; null if all are taken
 */
export async function findPlace(
  claims: Pick<Claims, 'take'>,
  name: string,
  {
    places,
    seconds,
    holder,
    isLastFirst = false,
  }: {
    readonly places: number;
    readonly seconds: number;
    readonly holder: string;
    readonly isLastFirst?: boolean;
  },
): Promise<number | null> {
  for (let n = 0; n < places; n += 1) {
    const place = isLastFirst ? places - 1 - n : n;
    if (await claims.take(placeClaim(name, place), seconds, holder)) return place;
  }
  return null;
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
  const place = await findPlace(claims, name, { places, seconds, holder });
  return place === null ? null : () => claims.release(placeClaim(name, place), holder);
}
