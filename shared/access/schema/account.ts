import * as z from 'zod';
import { Scope } from '#shared/platform/schema/scope.ts';

const Limit = z.int().min(1);
const Credits = z.int().min(0);

/** The plan of a team, as its callers are shown it. */
export const AccountPlan = z
  .object({
    name: z.string().describe('Name of the plan.'),
    requests_per_second: Limit.describe('Requests of the team in a second.'),
    runs_at_once: Limit.describe('Runs and trainings of the team at once.'),
    rows_per_launch: Limit.describe('Rows of one launch.'),
    response_tokens_per_minute: Limit.describe('Tokens of answers in a minute, sent and received.'),
    responses_at_once: Limit.describe('Answers at once.'),
    custom_evals_per_hour: Limit.describe('Custom evaluations started in an hour.'),
    topic_inferences_per_hour: Limit.describe('Requests to `invent` in an hour whose topics are inferred.'),
    cancellations_per_hour: Limit.describe('Runs of datasets cancelled in an hour.'),
    batch_cancellations_per_hour: Limit.describe('Runs with batch jobs cancelled in an hour.'),
    comparisons_per_hour: Limit.describe('Comparisons started in an hour.'),
    tokens_per_run: Limit.nullable().describe('Tokens of one run, sent and received; null for no limit.'),
    minutes_per_run: Limit.nullable().describe(
      'Minutes after its launch in which a run may process rows; null for no limit.',
    ),
  })
  .meta({ id: 'AccountPlan' });

export const AccountBalance = z
  .object({
    granted: Credits.describe('Credits that the operator has granted, in all.'),
    settled: Credits.describe('Credits that were billed, in all.'),
    held: Credits.describe('Credits that are reserved for runs and answers.'),
    available: Credits.describe('Credits that can be spent: `granted` less `settled` and `held`.'),
    active_runs: z.int().min(0).describe('Runs and trainings that are active.'),
  })
  .meta({ id: 'AccountBalance' });
export type AccountBalance = z.infer<typeof AccountBalance>;

/** Who calls, as the key says, and what the team may do and has. */
export const Account = z
  .object({
    organization_id: z.string().describe('Id of the organization of the key.'),
    team_id: z.string().describe('Id of the team of the key.'),
    user_id: z.string().describe('Id of the person or machine that the key was issued to.'),
    key_id: z.string().describe('Id of the key; it is no secret.'),
    scopes: z.array(Scope).describe('What the key may do.'),
    plan: AccountPlan.describe('Limits of the team.'),
    balance: AccountBalance.describe('Credits of the team.'),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;
