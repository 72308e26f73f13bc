import type { Command } from 'commander';
import { ensureOrganization } from '#shared/access/issue-key.ts';
import type { AdminContext } from './context.ts';

/** The commands `org …`. */
export function addOrganizationCommands(program: Command, { ports, print, printTable }: AdminContext): void {
  const org = program.command('org').description('Organizations, which own teams');
  org
    .command('create <name>')
    .description('create an organization and print its id; an existing one is printed')
    .action(async (name: string) => print((await ensureOrganization(ports(), name)).organization_id));
  org
    .command('list')
    .action(async () =>
      printTable([
        ['ORGANIZATION', 'ID', 'CREATED'],
        ...(await ports().access.listOrganizations()).map((each) => [
          each.name,
          each.organization_id,
          each.created_at,
        ]),
      ]),
    );
}
