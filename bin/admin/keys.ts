import type { Command } from 'commander';
import { assignPlan, ensureTeam, ensureUser, grantCredits, issueKey } from '#shared/access/issue-key.ts';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '#shared/platform/schema/scope.ts';
import { type AdminContext, teamOption } from './context.ts';
import { natural, scopes } from './values.ts';

/** Default owner of a key. */
const USER_DEFAULT = 'operator';

/** Told beside the key, which is all that is printed to the standard output. */
const READS_AUDIT =
  'This key reads the audit log: what operators did to every team of this installation, with the names of teams and people. Give it to nobody else.';

/** The commands `key …`. */
export function addKeyCommands(
  program: Command,
  { ports, print, printTable, requireTeam }: AdminContext,
): void {
  const key = program.command('key').description('API keys');
  key
    .command('create')
    .description(
      'make a key and print it, this once; team, organization and user are made where they are new',
    )
    .requiredOption(...teamOption)
    .option('--credits <number>', 'credits to grant to the team', natural, 0)
    .option(
      '--scopes <list>',
      `what the key may do, of ${SCOPES.join(', ')} (default: all but audit, which reads what operators did to all teams)`,
      scopes,
    )
    .option('--plan <name>', 'plan of the team')
    .option('--user <name>', 'whose key it is', USER_DEFAULT)
    .option('--org <name>', 'organization of the team')
    .action(
      async (given: {
        team: string;
        credits: number;
        scopes?: Scope[];
        plan?: string;
        user: string;
        org?: string;
      }) => {
        const owner = await ensureTeam(ports(), given.team, given.org);
        if (given.plan !== undefined) await assignPlan(ports(), owner, given.plan);
        const holder = await ensureUser(ports(), given.user);
        const { key: made } = await issueKey(ports(), owner, holder, given.scopes ?? DEFAULT_SCOPES);
        if (given.credits > 0) await grantCredits(ports(), owner, given.credits, 'granted with a key');
        print(made);
        if (given.scopes?.includes('audit') === true) console.warn(READS_AUDIT);
      },
    );
  key
    .command('list')
    .requiredOption(...teamOption)
    .action(async ({ team: teamName }: { team: string }) => {
      const { access } = ports();
      const users = new Map((await access.listUsers()).map(({ user_id, name }) => [user_id, name]));
      const listed = await access.listKeys((await requireTeam(teamName)).team_id);
      printTable([
        ['KEY', 'ENDS IN', 'USER', 'SCOPES', 'CREATED', 'REVOKED'],
        ...listed.map((each) => [
          each.key_id,
          each.ending,
          users.get(each.user_id) ?? each.user_id,
          each.scopes.join(','),
          each.created_at,
          each.revoked_at,
        ]),
      ]);
    });
  key
    .command('revoke <key-id>')
    .description('revoke a key; it is refused within a minute')
    .requiredOption(...teamOption)
    .action(async (keyId: string, { team: teamName }: { team: string }) => {
      const { access, now } = ports();
      if (!(await access.revokeKey((await requireTeam(teamName)).team_id, keyId, now()))) {
        throw new Error(
          `The team "${teamName}" has no key ${keyId}. List them: key list --team "${teamName}"`,
        );
      }
    });
}
