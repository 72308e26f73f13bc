import type { Command } from 'commander';
import { checkTeamLedger } from '#shared/access/check-ledger.ts';
import { type AdminContext, teamOption } from './context.ts';

/** The commands `ledger …`. */
export function addLedgerCommands(
  program: Command,
  { ports, print, printTable, fail, requireTeam }: AdminContext,
): void {
  const ledger = program.command('ledger').description('The ledger of credits');
  ledger
    .command('show')
    .description('all entries of a team, oldest first')
    .requiredOption(...teamOption)
    .action(async ({ team: teamName }: { team: string }) => {
      const entries = await ports().ledger.listEntries((await requireTeam(teamName)).team_id);
      printTable([
        ['TIME', 'TYPE', 'CREDITS', 'RUN', 'REASON'],
        ...entries.map((each) => [
          each.created_at,
          each.type,
          each.credits,
          each.block === null ? each.run_id : `answers ${each.block}`,
          each.reason,
        ]),
      ]);
    });
  ledger
    .command('check')
    .description('recompute every balance; exits with 1 and names the team if one is wrong')
    .option(...teamOption)
    .action(async ({ team: teamName }: { team?: string }) => {
      const { access } = ports();
      const teams = teamName === undefined ? await access.listTeams() : [await requireTeam(teamName)];
      const rows: (string | number)[][] = [];
      const total = { granted: 0, settled: 0, held: 0, available: 0 };
      const found: string[] = [];
      for (const each of teams) {
        const { balance, faults } = await checkTeamLedger(ports(), each.team_id);
        const { granted, settled, held, available } = balance;
        rows.push([each.name, granted, settled, held, available, faults.length === 0 ? 'holds' : 'BROKEN']);
        found.push(...faults.map((fault) => `Team "${each.name}" (${each.team_id}): ${fault}.`));
        total.granted += granted;
        total.settled += settled;
        total.held += held;
        total.available += available;
      }
      printTable([
        ['TEAM', 'GRANTED', 'SETTLED', 'HELD', 'AVAILABLE', 'INVARIANT'],
        ...rows,
        [
          `${teams.length} in all`,
          total.granted,
          total.settled,
          total.held,
          total.available,
          found.length === 0 ? 'holds' : 'BROKEN',
        ],
      ]);
      for (const fault of found) print(fault);
      if (found.length > 0) fail();
    });
}
