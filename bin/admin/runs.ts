import type { Command } from 'commander';
import type { RunRecord } from '#shared/runs/decide/record.ts';
import type { AdminContext, AdminPorts } from './context.ts';

/** The commands `runs …`. */
export function addRunCommands(program: Command, { ports, print, printTable }: AdminContext): void {
  const activeRuns = async (): Promise<RunRecord[]> => {
    const found: RunRecord[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<AdminPorts['runs']['listActive']>> = await ports().runs.listActive({
        limit: 100,
        after,
      });
      found.push(...page.runs);
      after = page.next;
    } while (after !== null);
    return found;
  };
  const run = program.command('runs').alias('run').description('Runs');
  run
    .command('list')
    .description('active runs of the installation, or every run of a dataset')
    .option('--dataset <id>', 'id of the dataset')
    .action(async ({ dataset }: { dataset?: string }) => {
      const listed = dataset === undefined ? await activeRuns() : await ports().runs.listOfDataset(dataset);
      printTable([
        ['RUN', 'PIPELINE', 'STATUS', 'RESERVED', 'SETTLED', 'STARTED', 'ENDED', 'DATASET', 'TEAM'],
        ...listed.map((each) => [
          each.run_id,
          each.pipeline,
          each.error_data === null ? each.status : `${each.status} (${each.error_data.code})`,
          each.reserved_credits,
          each.settled_credits,
          each.started_at,
          each.ended_at,
          each.dataset_id,
          each.team_id,
        ]),
      ]);
    });
  run
    .command('cancel <id>')
    .description('cancel the active run of a run id or dataset id; finished rows stay')
    .action(async (id: string) => {
      const found = (await activeRuns()).find(({ run_id, dataset_id }) => run_id === id || dataset_id === id);
      if (found === undefined) throw new Error(`There is no active run ${id}. List them: runs list`);
      const { dataset_id, run_id } = found;
      print(JSON.stringify(await ports().cancel({ dataset_id, run_id })));
    });
}

/** The command `sweep`. */
export function addSweepCommand(program: Command, { ports, print }: AdminContext): void {
  program
    .command('sweep')
    .description('end active runs whose execution is missing or has ended, now')
    .action(async () => print(JSON.stringify(await ports().sweep())));
}
