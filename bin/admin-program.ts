import { Command } from 'commander';
import { addAuditCommands, recordCommands } from './admin/audit.ts';
import { type AdminOptions, createAdminContext } from './admin/context.ts';
import { addCreditCommands, addHoldCommands, addUsageCommand } from './admin/credits.ts';
import { addDeploymentCommands } from './admin/deployments.ts';
import { addJobCommands } from './admin/jobs.ts';
import { addKeyCommands } from './admin/keys.ts';
import { addLedgerCommands } from './admin/ledger.ts';
import { addOrganizationCommands } from './admin/organizations.ts';
import { addPlanCommands } from './admin/plans.ts';
import { addPoolCommands } from './admin/pool.ts';
import { addProbeCommands } from './admin/probe.ts';
import { addRunCommands, addSweepCommand } from './admin/runs.ts';
import { addStackCommands } from './admin/stacks.ts';
import { addTeamCommands } from './admin/teams.ts';
import { addUserCommands } from './admin/users.ts';
import { addVoucherCommands } from './admin/vouchers.ts';

/** In the order of the help. */
const NOUNS = [
  addOrganizationCommands,
  addTeamCommands,
  addUserCommands,
  addKeyCommands,
  addPlanCommands,
  addCreditCommands,
  addLedgerCommands,
  addUsageCommand,
  addHoldCommands,
  addRunCommands,
  addVoucherCommands,
  addStackCommands,
  addJobCommands,
  addDeploymentCommands,
  addPoolCommands,
  addProbeCommands,
  addSweepCommand,
  addAuditCommands,
];

/** The commands of `npm run admin`. */
export function createAdminProgram(options: AdminOptions): Command {
  const program = new Command('admin')
    .description('Keys, teams, plans and credits of a Tunesmith installation.')
    .option('--stage <name>', 'the deployed stage; without it TABLE_NAME, or else the local cloud');
  const context = createAdminContext(options, () => program.opts<{ stage?: string }>().stage);
  for (const addCommands of NOUNS) addCommands(program, context);
  recordCommands(program, context);
  return program;
}
