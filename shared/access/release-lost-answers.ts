import { ANSWER_MILLISECONDS_MAX, type MeterShard } from './decide/meter.ts';
import type { MeterRepository } from './decide/meter-repository.ts';

/**
 * Returns the reservations of responses that never ended.
 * @param now milliseconds since the epoch
 * @returns the number of such responses
 */
export async function releaseLostAnswers(
  meter: Pick<MeterRepository, 'listAdmissions' | 'release'>,
  shards: readonly Pick<MeterShard, 'team_id' | 'shard'>[],
  now: number,
): Promise<number> {
  let lost = 0;
  for (const { team_id, shard } of shards) {
    for (const admission of await meter.listAdmissions(team_id, shard)) {
      if (now - Date.parse(admission.admitted_at) < ANSWER_MILLISECONDS_MAX) continue;
      if (await meter.release(admission)) lost += 1;
    }
  }
  return lost;
}
