import type { Command } from 'commander';
import { MICROCREDITS } from '#shared/access/decide/meter.ts';
import { grantCredits } from '#shared/access/issue-key.ts';
import { readUsage } from '#shared/access/read-usage.ts';
import { type AdminContext, teamOption } from './context.ts';
import { positive } from './values.ts';

/** Microcredits as credits. */
function credits(microcredits: number): string {
  return (microcredits / MICROCREDITS).toFixed(3);
}

/** The commands `credits …`. */
export function addCreditCommands(program: Command, { ports, print, requireTeam }: AdminContext): void {
  program
    .command('credits')
    .description('Credits of a team')
    .command('grant')
    .description('add credits and print what is available then')
    .requiredOption(...teamOption)
    .requiredOption('--credits <number>', 'how many', positive)
    .requiredOption('--reason <text>', 'why; it stays in the ledger, which the team can read')
    .action(async (given: { team: string; credits: number; reason: string }) => {
      const available = await grantCredits(
        ports(),
        await requireTeam(given.team),
        given.credits,
        given.reason,
      );
      print(String(available));
    });
}

/** The command `usage`. */
export function addUsageCommand(program: Command, { ports, printTable, requireTeam }: AdminContext): void {
  program
    .command('usage')
    .description('usage and cost of answers, by day (UTC) and model')
    .requiredOption(...teamOption)
    .option('--days <number>', 'how many days back, today included', positive, 30)
    .action(async ({ team: teamName, days }: { team: string; days: number }) => {
      const { team_id } = await requireTeam(teamName);
      const used = await readUsage(ports().meter, team_id, days, ports().now());
      printTable([
        ['DAY', 'MODEL', 'ANSWERS', 'INPUT TOKENS', 'OUTPUT TOKENS', 'COST', 'BILLED'],
        ...[...used.days, used.total].map((each) => [
          each.day,
          each.model,
          each.answers,
          each.input_tokens,
          each.output_tokens,
          credits(each.cost_microcredits),
          credits(each.billed_microcredits),
        ]),
      ]);
    });
}

/** The commands `holds …`. */
export function addHoldCommands(program: Command, { ports, printTable, requireTeam }: AdminContext): void {
  program
    .command('holds')
    .description('Credits reserved for runs; team list shows those reserved for answers')
    .command('list')
    .option(...teamOption)
    .option('--all', 'holds that have ended too')
    .action(async ({ team: teamName, all }: { team?: string; all?: boolean }) => {
      const { access } = ports();
      const teams = teamName === undefined ? await access.listTeams() : [await requireTeam(teamName)];
      const rows: (string | number | null)[][] = [];
      for (const each of teams) {
        for (const hold of await ports().ledger.listHolds(each.team_id)) {
          if (all !== true && hold.state !== 'held') continue;
          rows.push([
            each.name,
            hold.run_id,
            hold.credits,
            hold.state,
            hold.settled_credits,
            hold.created_at,
          ]);
        }
      }
      printTable([['TEAM', 'RUN', 'CREDITS', 'STATE', 'SETTLED', 'SINCE'], ...rows]);
    });
}
