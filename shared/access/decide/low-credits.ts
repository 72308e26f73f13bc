import { newEvent, type TeamEvent } from '#shared/events/decide/event.ts';
import type { Balance } from './ledger/record.ts';

/** Whether a movement leaves little to a team that had enough before. */
export interface LowCredits {
  /** The condition under which it is so, on the balance's `#available`. */
  readonly text: string;
  readonly values: Readonly<Record<string, number>>;
  /** Null if the movement does not cross the threshold. */
  readonly event: TeamEvent | null;
}

/** A tenth of what the team was granted, in credits. */
export const lowCreditsThreshold = ({ granted }: Pick<Balance, 'granted'>): number => Math.ceil(granted / 10);

/**
 * Tells of the movement that takes a team's available credits below the threshold, and of no other. The condition makes
 * the event true for the balance that is moved, whatever it was when it was read.
 * @param taken credits that leave `available`
 * @param subject the movement, for the id of the event
 */
export function lowCredits(
  balance: Pick<Balance, 'granted' | 'available'>,
  taken: number,
  subject: string,
  at: string,
): LowCredits {
  const threshold = lowCreditsThreshold(balance);
  const values = { ':low': threshold, ':low_after': threshold + taken };
  const { available } = balance;
  if (available < threshold || available >= threshold + taken) {
    return { text: '(#available < :low OR #available >= :low_after)', values, event: null };
  }
  return {
    text: '#available >= :low AND #available < :low_after',
    values,
    event: newEvent({ type: 'credits.low', data: { threshold } }, subject, { datasetId: null, at }),
  };
}
