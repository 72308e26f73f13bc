import type { Command } from 'commander';
import { assignPlan, ensureTeam } from '#shared/access/issue-key.ts';
import type { AdminContext } from './context.ts';

/** The commands `team …`. */
export function addTeamCommands(program: Command, { ports, print, printTable }: AdminContext): void {
  const team = program.command('team').description('Teams, which hold datasets and credits');
  team
    .command('create <name>')
    .description('create a team and print its id; an existing one is printed')
    .option('--org <name>', 'its organization, made where it is new (default: one of the name of the team)')
    .option('--plan <name>', 'its plan')
    .action(async (name: string, { org: organization, plan }: { org?: string; plan?: string }) => {
      const made = await ensureTeam(ports(), name, organization);
      if (plan !== undefined) await assignPlan(ports(), made, plan);
      print(made.team_id);
    });
  team.command('list').action(async () => {
    const { access, ledger } = ports();
    const organizations = new Map(
      (await access.listOrganizations()).map(({ organization_id, name }) => [organization_id, name]),
    );
    const rows = (await access.listTeams()).map(async (each) => {
      const balance = await ledger.findBalance(each.team_id);
      return [
        each.name,
        organizations.get(each.organization_id) ?? null,
        each.plan,
        balance?.available ?? null,
        balance?.held ?? null,
        balance?.metered ?? null,
        balance?.active_runs ?? null,
        each.team_id,
      ];
    });
    printTable([
      ['TEAM', 'ORGANIZATION', 'PLAN', 'AVAILABLE', 'HELD', 'FOR ANSWERS', 'RUNS', 'ID'],
      ...(await Promise.all(rows)),
    ]);
  });
}
