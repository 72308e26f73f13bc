import * as z from 'zod';

const Credits = z.int().min(0);
const Timestamp = z.iso.datetime();

/** A team's credits. `available` = `granted` − `settled` − `held`, and is never negative. */
export const Balance = z.object({
  team_id: z.string(),
  granted: Credits,
  settled: Credits,
  /** Reserved for runs and responses. */
  held: Credits,
  /** The part of `held` that is reserved for responses. */
  metered: Credits.default(0),
  available: Credits,
  active_runs: z.int().min(0),
  /** Increases with every change, so that a reader can detect concurrent changes. */
  revision: z.int().min(0),
});
export type Balance = z.infer<typeof Balance>;

/** Credits reserved for a run. They leave `held` once, when the run ends. */
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
  /** The dataset of the run; null without one, and in entries that are older than this field. */
  dataset_id: z.string().nullable().default(null),
  /** The block of credits for responses that moved: the shard of the meter, and its sequence number. */
  block: z.string().nullable().default(null),
  reason: z.string().nullable(),
  created_at: Timestamp,
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;
