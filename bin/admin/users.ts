import type { Command } from 'commander';
import { ensureUser } from '#shared/access/issue-key.ts';
import { type AdminContext, teamOption } from './context.ts';

/** The commands `user …`. */
export function addUserCommands(
  program: Command,
  { ports, print, printTable, requireTeam }: AdminContext,
): void {
  const user = program.command('user').description('Users, who hold keys and can be in several teams');
  user
    .command('create <name>')
    .description('create a user and print the id; an existing one is printed')
    .option(...teamOption)
    .action(async (name: string, { team: teamName }: { team?: string }) => {
      const made = await ensureUser(ports(), name);
      if (teamName !== undefined) {
        const { team_id } = await requireTeam(teamName);
        await ports().access.addMember(team_id, made.user_id, ports().now());
      }
      print(made.user_id);
    });
  user
    .command('list')
    .option(...teamOption)
    .action(async ({ team: teamName }: { team?: string }) => {
      const { access } = ports();
      const members =
        teamName === undefined ? null : await access.listMembers((await requireTeam(teamName)).team_id);
      const shown = (await access.listUsers()).filter(({ user_id }) => members?.includes(user_id) ?? true);
      printTable([
        ['USER', 'ID', 'CREATED'],
        ...shown.map((each) => [each.name, each.user_id, each.created_at]),
      ]);
    });
}
