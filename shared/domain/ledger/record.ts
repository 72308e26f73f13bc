import * as z from 'zod';

const Credits = z.int().min(0);
const Timestamp = z.iso.datetime();

/** A team's credits. `available` = `granted` − `settled` − `held`, and never below zero. */
export const Balance = z.object({
  team_id: z.string(),
  granted: Credits,
  settled: Credits,
  /** Set aside for runs and answers. */
  held: Credits,
  /** The part of `held` that answers are paid out of. */
  metered: Credits.default(0),
  available: Credits,
  active_runs: z.int().min(0),
  /** Grows with every change, so that a reader can tell that nothing happened in between. */
  revision: z.int().min(0),
});
export type Balance = z.infer<typeof Balance>;

/** Credits set aside for a run. It leaves `held` once, when the run ends. */
export const Hold = z.object({
  team_id: z.string(),
  run_id: z.string(),
  dataset_id: z.string(),
  credits: Credits,
  state: z.enum(['held', 'settled', 'released']),
  settled_credits: Credits.nullable(),
  created_at: Timestamp,
  ended_at: Timestamp.nullable(),
});
export type Hold = z.infer<typeof Hold>;

export function emptyBalance(teamId: string): Balance {
  return {
    team_id: teamId,
    granted: 0,
    settled: 0,
    held: 0,
    metered: 0,
    available: 0,
    active_runs: 0,
    revision: 0,
  };
}

/** One movement of credits; entries are added and never changed. */
export const LedgerEntry = z.object({
  entry_id: z.string(),
  team_id: z.string(),
  type: z.enum(['grant', 'reserve', 'settle', 'release']),
  credits: Credits,
  run_id: z.string().nullable(),
  /** The block of credits for answers that moved: the shard of the meter, and how many it has had. */
  block: z.string().nullable().default(null),
  reason: z.string().nullable(),
  created_at: Timestamp,
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;
