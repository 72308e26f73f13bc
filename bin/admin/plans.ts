import { type Command, Option } from 'commander';
import { assignPlan } from '#shared/access/issue-key.ts';
import { own } from '#shared/platform/own.ts';
import { DEFAULT_PLAN, Plan, planLimits } from '#shared/platform/schema/plan.ts';
import { type AdminContext, teamOption } from './context.ts';
import { natural, positive } from './values.ts';

/** The limits of a plan, each with the option that sets it; 0 removes a limit that can be null. */
const LIMITS = planLimits().map((limit) => {
  const schema = Plan.shape[limit];
  const nullable = schema.safeParse(null).success;
  return {
    limit,
    option: new Option(
      `--${limit.replaceAll('_', '-')} <number>`,
      `${schema.description}${nullable ? ' 0 for no limit.' : ''}`,
    ).argParser(nullable ? natural : positive),
  };
});

/** The commands `plan …`. */
export function addPlanCommands(program: Command, { ports, printTable, requireTeam }: AdminContext): void {
  const plan = program.command('plan').description('Plans, which limit what a team does at once');
  const set = plan
    .command('set <name>')
    .description(
      'create or change a plan; limits that are not given keep their value, or have that of the default plan',
    )
    .action(async (name: string, given: Readonly<Record<string, number>>) => {
      const { access } = ports();
      const earlier = (await access.findPlan(name)) ?? DEFAULT_PLAN;
      const limits = LIMITS.flatMap(({ limit, option }) => {
        const value = own(given, option.attributeName());
        return value === undefined ? [] : [[limit, value === 0 ? null : value]];
      });
      await access.savePlan(Plan.parse({ ...earlier, ...Object.fromEntries(limits), name }));
    });
  for (const { option } of LIMITS) set.addOption(option);
  plan
    .command('assign <name>')
    .requiredOption(...teamOption)
    .action(async (name: string, { team: teamName }: { team: string }) =>
      assignPlan(ports(), await requireTeam(teamName), name),
    );
  plan
    .command('list')
    .action(async () =>
      printTable([
        ['PLAN', ...LIMITS.map(({ limit }) => limit.replaceAll('_', ' ').toUpperCase())],
        ...(await ports().access.listPlans()).map((each) => [
          each.name,
          ...LIMITS.map(({ limit }) => each[limit]),
        ]),
      ]),
    );
}
