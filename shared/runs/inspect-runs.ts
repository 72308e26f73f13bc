import type { AccessAdministration } from '#shared/platform/access/repository.ts';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import type { ObjectStore } from '#shared/platform/storage/object-store.ts';
import type { Ledger } from './decide/ledger/repository.ts';
import type { RunRecord } from './decide/record.ts';
import type { RunRepository } from './decide/repository.ts';

export interface InspectRunsPorts {
  readonly runs: Pick<RunRepository, 'listActive' | 'find' | 'lastProgressAt'>;
  readonly ledger: Pick<Ledger, 'findBalance' | 'listHolds'>;
  readonly access: Pick<AccessAdministration, 'listTeams'>;
  readonly objects: Pick<ObjectStore, 'head'>;
}

export interface Inspection {
  readonly active: number;
  /** Active runs without progress for an hour. */
  readonly stuck: readonly string[];
  /** Credits held for a run that is not active, which no ending will return. */
  readonly holdsWithoutRun: readonly { readonly team_id: string; readonly run_id: string }[];
}

export type InspectRuns = (now: number) => Promise<Inspection>;

const SILENCE_MILLISECONDS_MAX = 3_600_000;
/** Batch jobs are looked at once in an hour at least, which writes their state. */
const JOBS_SILENCE_MILLISECONDS_MAX = 2 * SILENCE_MILLISECONDS_MAX;
/** A run and its hold are written in one transaction; the list of active runs may lag behind. */
const HOLD_AGE_MILLISECONDS_MIN = 120_000;
const PAGE_RUNS = 100;

/** Finds faults that no other part detects: runs without progress, and holds without a run. */
export function createInspectRuns({ runs, ledger, access, objects }: InspectRunsPorts): InspectRuns {
  const isStuck = async ({ run_id, started_at }: RunRecord, now: number): Promise<boolean> => {
    if (now - Date.parse(started_at) < SILENCE_MILLISECONDS_MAX) return false;
    const last = await runs.lastProgressAt(run_id);
    if (last !== null && now - Date.parse(last) < SILENCE_MILLISECONDS_MAX) return false;
    // Jobs of a provider take hours, in which no row is done.
    const jobs = await objects.head(objectKeys.batchState(run_id));
    return jobs === null || now - jobs.modifiedMs >= JOBS_SILENCE_MILLISECONDS_MAX;
  };

  const strayHolds = async (teamId: string, now: number): Promise<string[]> => {
    const heldRuns = async (): Promise<Map<string, string>> =>
      new Map(
        (await ledger.listHolds(teamId))
          .filter(
            ({ state, created_at }) =>
              state === 'held' && now - Date.parse(created_at) >= HOLD_AGE_MILLISECONDS_MIN,
          )
          .map(({ run_id, dataset_id }) => [run_id, dataset_id]),
      );
    const strays: string[] = [];
    for (const [runId, datasetId] of await heldRuns()) {
      if ((await runs.find(datasetId, runId))?.status !== 'running') strays.push(runId);
    }
    if (strays.length === 0) return strays;
    // A run that ended between the two reads has ended its hold too.
    const stillHeld = await heldRuns();
    return strays.filter((runId) => stillHeld.has(runId));
  };

  return async (now) => {
    const stuck: string[] = [];
    const reserved = new Map<string, number>();
    let active = 0;
    let after: string | null = null;
    do {
      const page = await runs.listActive({ limit: PAGE_RUNS, after });
      for (const run of page.runs) {
        reserved.set(run.team_id, (reserved.get(run.team_id) ?? 0) + run.reserved_credits);
        if (await isStuck(run, now)) stuck.push(run.run_id);
      }
      active += page.runs.length;
      after = page.next;
    } while (after !== null);

    const holdsWithoutRun: { team_id: string; run_id: string }[] = [];
    for (const { team_id } of await access.listTeams()) {
      const balance = await ledger.findBalance(team_id);
      const held = balance === null ? 0 : balance.held - balance.metered;
      // A team accumulates many holds; its balance shows whether any needs a check.
      if (held === (reserved.get(team_id) ?? 0)) continue;
      for (const run_id of await strayHolds(team_id, now)) holdsWithoutRun.push({ team_id, run_id });
    }
    return { active, stuck, holdsWithoutRun };
  };
}
