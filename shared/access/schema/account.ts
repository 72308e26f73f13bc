import * as z from 'zod';
import { Plan } from '#shared/platform/schema/plan.ts';
import { Scope } from '#shared/platform/schema/scope.ts';

const Credits = z.int().min(0);

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
    plan: Plan.meta({ id: 'AccountPlan' }).describe('Limits of the team.'),
    balance: AccountBalance.describe('Credits of the team.'),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;
