import * as z from 'zod';
import { count, text } from '#shared/platform/schema/common.ts';
import { Plan } from '#shared/platform/schema/plan.ts';
import { Scope } from '#shared/platform/schema/scope.ts';

export const AccountBalance = z
  .object({
    granted: count(1000).describe('Credits that the operator has granted, in all.'),
    settled: count(7).describe('Credits that were billed, in all.'),
    held: count(3).describe('Credits that are reserved for runs and answers.'),
    available: count(990).describe('Credits that can be spent: `granted` less `settled` and `held`.'),
    active_runs: count(1).describe('Runs and trainings that are active.'),
  })
  .meta({ id: 'AccountBalance' });
export type AccountBalance = z.infer<typeof AccountBalance>;

/** Who calls, as the key says, and what the team may do and has. */
export const Account = z
  .object({
    organization_id: text('1f7c0a52-2c0a-4c53-8f4e-0f6f1d5b8a10').describe(
      'Id of the organization of the key.',
    ),
    team_id: text('2a6f1d5b-8a10-4f0c-9a52-2c0a4c538f4e').describe('Id of the team of the key.'),
    user_id: text('7c9e6679-7425-40de-944b-e07fc1f90ae7').describe(
      'Id of the person or machine that the key was issued to.',
    ),
    key_id: text('6d5e1f2a-3c4b-4d8e-9f6a-7b8c9d0e1f2a').describe('Id of the key; it is no secret.'),
    scopes: z
      .array(Scope)
      .meta({ example: ['datasets:read', 'datasets:write'] })
      .describe('What the key may do.'),
    plan: Plan.meta({ id: 'AccountPlan' }).describe('Limits of the team.'),
    balance: AccountBalance.describe('Credits of the team.'),
    release: text('0.2.0').describe('Release of this installation, as its CHANGELOG.md names it.'),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;
