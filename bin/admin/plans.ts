import type { Command } from 'commander';
import { assignPlan } from '#shared/access/issue-key.ts';
import { DEFAULT_PLAN, Plan } from '#shared/platform/access/plan.ts';
import { type AdminContext, teamOption } from './context.ts';
import { natural, positive } from './values.ts';

/** The commands `plan …`. */
export function addPlanCommands(program: Command, { ports, printTable, requireTeam }: AdminContext): void {
  const plan = program.command('plan').description('Plans, which limit what a team does at once');
  plan
    .command('set <name>')
    .description(
      'create or change a plan; limits that are not given keep their value, or have that of the default plan',
    )
    .option('--requests-per-second <number>', 'requests that the team may send in a second', positive)
    .option('--runs-at-once <number>', 'runs that may be active', positive)
    .option('--rows-per-launch <number>', 'rows that one run may process', positive)
    .option('--response-tokens-per-minute <number>', 'tokens that responses may take in a minute', positive)
    .option('--responses-at-once <number>', 'answers that may be under way', positive)
    .option('--custom-evals-per-hour <number>', 'custom evaluations that may be started in an hour', positive)
    .option('--topic-inferences-per-hour <number>', 'requests to invent whose topics are inferred', positive)
    .option('--cancellations-per-hour <number>', 'runs that may be cancelled in an hour', positive)
    .option(
      '--batch-cancellations-per-hour <number>',
      'runs with batch jobs that may be cancelled in an hour',
      positive,
    )
    .option('--comparisons-per-hour <number>', 'comparisons that may be started in an hour', positive)
    .option('--tokens-per-run <number>', 'tokens that one run may take; 0 for no limit', natural)
    .option('--minutes-per-run <number>', 'minutes that one run may take; 0 for no limit', natural)
    .action(async (name: string, limits: Record<string, number>) => {
      const { access } = ports();
      const earlier = (await access.findPlan(name)) ?? DEFAULT_PLAN;
      await access.savePlan(changedPlan(name, limits, earlier));
    });
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
        [
          'PLAN',
          'REQUESTS/S',
          'RUNS AT ONCE',
          'ROWS/LAUNCH',
          'TOKENS/MIN',
          'ANSWERS AT ONCE',
          'EVALS/HOUR',
          'TOPICS/HOUR',
          'CANCELS/HOUR',
          'BATCH CANCELS/HOUR',
          'COMPARISONS/HOUR',
          'TOKENS/RUN',
          'MINUTES/RUN',
        ],
        ...(await ports().access.listPlans()).map((each) => [
          each.name,
          each.requests_per_second,
          each.runs_at_once,
          each.rows_per_launch,
          each.response_tokens_per_minute,
          each.responses_at_once,
          each.custom_evals_per_hour,
          each.topic_inferences_per_hour,
          each.cancellations_per_hour,
          each.batch_cancellations_per_hour,
          each.comparisons_per_hour,
          each.tokens_per_run,
          each.minutes_per_run,
        ]),
      ]),
    );
}

/** A plan with the limits that are given, and those of `earlier` instead of others. */
function changedPlan(name: string, limits: Record<string, number>, earlier: Omit<Plan, 'name'>): Plan {
  const orNone = (given: number | undefined, earlier: number | null): number | null =>
    given === undefined ? earlier : given === 0 ? null : given;
  return Plan.parse({
    name,
    requests_per_second: limits.requestsPerSecond ?? earlier.requests_per_second,
    runs_at_once: limits.runsAtOnce ?? earlier.runs_at_once,
    rows_per_launch: limits.rowsPerLaunch ?? earlier.rows_per_launch,
    response_tokens_per_minute: limits.responseTokensPerMinute ?? earlier.response_tokens_per_minute,
    responses_at_once: limits.responsesAtOnce ?? earlier.responses_at_once,
    custom_evals_per_hour: limits.customEvalsPerHour ?? earlier.custom_evals_per_hour,
    topic_inferences_per_hour: limits.topicInferencesPerHour ?? earlier.topic_inferences_per_hour,
    cancellations_per_hour: limits.cancellationsPerHour ?? earlier.cancellations_per_hour,
    batch_cancellations_per_hour: limits.batchCancellationsPerHour ?? earlier.batch_cancellations_per_hour,
    comparisons_per_hour: limits.comparisonsPerHour ?? earlier.comparisons_per_hour,
    tokens_per_run: orNone(limits.tokensPerRun, earlier.tokens_per_run),
    minutes_per_run: orNone(limits.minutesPerRun, earlier.minutes_per_run),
  });
}
