import * as z from 'zod';

const Limit = z.int().min(1);
const Budget = Limit.nullable();

/**
 * Limits of a team, each with the value that a plan has which names none. The API's document, the options of
 * `npm run admin -- plan set`, the console and docs/limits.md follow from it; docs/limits.md says what happens beyond each.
 */
export const Plan = z.object({
  name: z.string().min(1).meta({ example: 'default' }).describe('Name of the plan.'),
  requests_per_second: Limit.default(50).describe('Requests of the team in a second.'),
  runs_at_once: Limit.default(5).describe('Runs and trainings of the team at once.'),
  rows_per_launch: Limit.default(1_000_000).describe(
    'Rows of one launch; of a pilot, its rows times its arms.',
  ),
  response_tokens_per_minute: Limit.default(200_000).describe(
    'Tokens of answers in a minute, sent and received.',
  ),
  responses_at_once: Limit.default(100).describe('Answers at once.'),
  custom_evals_per_hour: Limit.default(20).describe('Custom evaluations started in an hour.'),
  topic_inferences_per_hour: Limit.default(60).describe(
    'Requests to `invent` in an hour whose topics are inferred.',
  ),
  cancellations_per_hour: Limit.default(20).describe(
    'Runs of datasets, and trainings whose rows are being added, cancelled in an hour.',
  ),
  batch_cancellations_per_hour: Limit.default(2).describe('Runs with batch jobs cancelled in an hour.'),
  comparisons_per_hour: Limit.default(10).describe(
    'Comparisons started in an hour; estimates are not counted.',
  ),
  merges_per_hour: Limit.default(20).describe('Merges of datasets started in an hour (`combine`).'),
  creations_per_hour: Limit.default(4_000).describe(
    'Datasets created in an hour, by an upload or an import.',
  ),
  readings_per_hour: Limit.default(2_000).describe(
    'Uploads, imports and appends whose rows are read in an hour.',
  ),
  scans_per_hour: Limit.default(1_200).describe(
    'Requests in an hour that read through rows or verdicts: `/lint`, `/review`, searches in rows and for doubted ones, launches of trainings and recommendations for them, verdicts, lists of batches, and lists of datasets where filters leave none of many.',
  ),
  builds_per_hour: Limit.default(500).describe('Files of downloads built in an hour.'),
  unbilled_tokens_per_hour: Budget.default(20_000_000).describe(
    'Tokens in an hour that models use for rows which are not billed, such as failed ones, and of the judge of trainings; null for no limit.',
  ),
  tokens_per_run: Budget.default(null).describe('Tokens of one run, sent and received; null for no limit.'),
  minutes_per_run: Budget.default(null).describe(
    'Minutes after its launch in which a run may process rows; null for no limit.',
  ),
});
export type Plan = z.infer<typeof Plan>;

/** The names of the limits of a plan. */
export const planLimits = (): Exclude<keyof Plan, 'name'>[] => Plan.omit({ name: true }).keyof().options;

/** The plan of a team without another plan. */
export const DEFAULT_PLAN: Plan = /* @__PURE__ */ Plan.parse({ name: 'default' });

/** The plan's limits on requests that cost no credits and take work: of a model, of a function, or of the bucket. */
export type FreeUse = Exclude<Extract<keyof Plan, `${string}_per_hour`>, 'unbilled_tokens_per_hour'>;
