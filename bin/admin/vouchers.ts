import type { Command } from 'commander';
import { Voucher } from '#shared/access/decide/vouchers/record.ts';
import type { AdminContext } from './context.ts';
import { percent, positive, time } from './values.ts';

/** The commands `voucher …`. */
export function addVoucherCommands(program: Command, { ports, printTable, requireTeam }: AdminContext): void {
  const voucher = program
    .command('voucher')
    .description('Discount codes, which launches of trainings redeem');
  voucher
    .command('create <code>')
    .description('create a voucher with a discount in percent')
    .requiredOption('--percent <number>', 'how much it takes off, 1 to 100', percent)
    .option('--uses <number>', 'how often it can be redeemed (default: any number of times)', positive)
    .option('--expires <date>', 'until when it can be redeemed; a day counts to its end, in UTC', time)
    .option('--team <name>', 'the one team that can redeem it')
    .action(
      async (code: string, given: { percent: number; uses?: number; expires?: string; team?: string }) => {
        const made = Voucher.safeParse({
          code,
          percent: given.percent,
          uses: 0,
          uses_max: given.uses ?? null,
          valid_until: given.expires ?? null,
          team_id: given.team === undefined ? null : (await requireTeam(given.team)).team_id,
          created_at: new Date(ports().now()).toISOString(),
          revoked_at: null,
        });
        if (!made.success) {
          throw new Error('A code has up to 64 letters, digits, hyphens and underscores.');
        }
        if (!(await ports().vouchers.create(made.data))) {
          throw new Error(`There is a voucher ${code} already. List them: voucher list`);
        }
      },
    );
  voucher.command('list').action(async () => {
    const { access, vouchers } = ports();
    const teams = new Map((await access.listTeams()).map(({ team_id, name }) => [team_id, name]));
    printTable([
      ['CODE', 'PERCENT', 'USED', 'OF', 'TEAM', 'EXPIRES', 'REVOKED'],
      ...(await vouchers.list()).map((each) => [
        each.code,
        each.percent,
        each.uses,
        each.uses_max,
        each.team_id === null ? null : (teams.get(each.team_id) ?? each.team_id),
        each.valid_until,
        each.revoked_at,
      ]),
    ]);
  });
  voucher
    .command('revoke <code>')
    .description('revoke a voucher; trainings that redeemed it keep their discount')
    .action(async (code: string) => {
      if (!(await ports().vouchers.revoke(code, new Date(ports().now()).toISOString()))) {
        throw new Error(`There is no voucher ${code}. List them: voucher list`);
      }
    });
}
