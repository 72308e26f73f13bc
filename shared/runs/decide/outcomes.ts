import type { CandidateResult, ExpansionResult, GrowResult, RunResult } from '../schema/run-result.ts';

/** What becomes of a row that a worker worked on, in any kind of run. */
export type RowOutcome = (RunResult | GrowResult | ExpansionResult | CandidateResult)['outcome'];

/**
 * What bounds the model calls of rows that nobody pays for.
 * `unbilled_tokens_per_hour`: the plan's tokens of such rows in an hour, by all runs of the team together.
 * `failed_share`: a run ends when more than half of its rows have failed.
 * `candidates_max`: an invention writes so many candidates at most.
 */
export type UnbilledLimit = 'unbilled_tokens_per_hour' | 'failed_share' | 'candidates_max';

/**
 * How rows are billed, by outcome: an outcome that is not billed names the limits of its model calls. `null` stands for
 * rows for which no model is called. Of rows that lack a pair see `lacksPair`.
 */
export const OUTCOMES = {
  changed: 'billed',
  kept: 'billed',
  made: 'billed',
  expanded: 'billed',
  failed: ['failed_share', 'unbilled_tokens_per_hour'],
  dropped: ['unbilled_tokens_per_hour'],
  repeated: ['unbilled_tokens_per_hour'],
  rejected: ['candidates_max', 'unbilled_tokens_per_hour'],
  not_selected: null,
} as const satisfies Record<RowOutcome, 'billed' | readonly UnbilledLimit[] | null>;

/** Whether the run delivers a row of its source: it has cells, and is billed unless it is reused or lacks its pair. */
export const isDelivered = ({ outcome }: { readonly outcome: string }): boolean =>
  outcome === 'changed' || outcome === 'kept';

/** How many rows of its source a run delivers, by its counts. */
export const deliveredCount = ({
  changed = 0,
  kept = 0,
}: {
  readonly changed?: number | undefined;
  readonly kept?: number | undefined;
}): number => changed + kept;

/**
 * Whether a delivered or added row was to get a pair of answers and has none: it is not billed, so its calls are limited as those of
 * dropped rows are.
 */
export const lacksPair = ({ outcome, cells }: Pick<WorkedOn, 'outcome' | 'cells'>): boolean =>
  (isDelivered({ outcome }) || outcome === 'expanded') && cells?.chosen === null;

/** What a row of a worker counts for in the limits of its run and of its team. */
export interface RowEffort {
  readonly tokens: number;
  /** Whether it counts towards the share of failed rows at which a run ends. */
  readonly isFailed: boolean;
  /** Its tokens if it is not billed, those of batch jobs included; else 0. */
  readonly unbilledTokens: number;
}

interface WorkedOn {
  readonly outcome: string;
  readonly tokens: { readonly input: number; readonly output: number };
  /** What batch jobs have answered: these tokens count for the run when a job is recorded. */
  readonly batched?: { readonly input: number; readonly output: number } | undefined;
  readonly cells?: Readonly<Partial<Record<string, unknown>>> | undefined;
}

/** Counts a row. An outcome that the table does not know counts as failed. */
export function effortOf({ outcome, tokens, batched, cells }: WorkedOn): RowEffort {
  const limits = Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome as RowOutcome] : OUTCOMES.failed;
  const all = tokens.input + tokens.output;
  const isLimitedBy = (limit: UnbilledLimit): boolean =>
    Array.isArray(limits) && (limits as readonly UnbilledLimit[]).includes(limit);
  return {
    tokens: all - (batched?.input ?? 0) - (batched?.output ?? 0),
    isFailed: isLimitedBy('failed_share'),
    unbilledTokens: isLimitedBy('unbilled_tokens_per_hour') || lacksPair({ outcome, cells }) ? all : 0,
  };
}
