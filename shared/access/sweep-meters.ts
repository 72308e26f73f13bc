import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { Accounts } from './decide/ledger/accounts.ts';
import { type MeterShard, settlementOf } from './decide/meter.ts';
import type { MeterRepository } from './decide/meter-repository.ts';
import { releaseLostAnswers } from './release-lost-answers.ts';

export interface SweepMetersPorts {
  readonly access: Pick<AccessAdministration, 'listTeams'>;
  readonly ledger: Pick<Accounts, 'findBalance'>;
  readonly meter: Pick<MeterRepository, 'read' | 'listAdmissions' | 'release' | 'fold' | 'exchange'>;
}

interface SweepMetersResult {
  /** Responses that never ended: their reservations have been returned. */
  readonly lost: number;
  /** Credits returned to balances. */
  readonly returned: number;
  /** Teams that could not be swept, with the error; the next sweep tries them again. */
  readonly failures: readonly { readonly team_id: string; readonly cause: unknown }[];
}

export type SweepMeters = (now: number) => Promise<SweepMetersResult>;

/** A shard that no response has used for this long is idle. */
export const IDLE_MILLISECONDS = 5 * 60_000;

/** The shard that collects the fractions of idle shards. */
const COLLECTING_SHARD = 0;

/**
 * Returns credits of responses that never ended, and free credits of idle shards. Billed amounts of idle shards are
 * settled, and their fractions of a credit are merged.
 */
export function createSweepMeters({ access, ledger, meter }: SweepMetersPorts): SweepMeters {
  const sweepTeam = async (teamId: string, now: number): Promise<{ lost: number; returned: number }> => {
    const read = async (): Promise<readonly MeterShard[]> => (await meter.read(teamId)).shards;
    const isIdle = ({ used_at }: MeterShard): boolean =>
      used_at === null || now - Date.parse(used_at) >= IDLE_MILLISECONDS;

    const underWay = (await read()).filter(({ open }) => open > 0);
    const lost = await releaseLostAnswers(meter, underWay, now);
    for (const shard of (await read()).filter(isIdle)) {
      if (shard.shard !== COLLECTING_SHARD && shard.free + shard.unsettled > 0) {
        await meter.fold(shard, COLLECTING_SHARD);
      }
    }
    let returned = 0;
    for (const shard of (await read()).filter(isIdle)) {
      const exchange = settlementOf(shard, 0, timestamp(now));
      // A shard that a response uses meanwhile is not idle.
      if (exchange !== null && (await meter.exchange(exchange))) returned += exchange.release;
    }
    return { lost, returned };
  };

  return async (now) => {
    const failures: { team_id: string; cause: unknown }[] = [];
    let lost = 0;
    let returned = 0;
    for (const { team_id } of await access.listTeams()) {
      try {
        if (((await ledger.findBalance(team_id))?.metered ?? 0) === 0) continue;
        const swept = await sweepTeam(team_id, now);
        lost += swept.lost;
        returned += swept.returned;
      } catch (cause) {
        failures.push({ team_id, cause });
      }
    }
    return { lost, returned, failures };
  };
}
