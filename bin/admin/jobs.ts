import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { FinetuneJobFile } from '#shared/training/decide/finetune-job.ts';
import { type AdminContext, teamOption } from './context.ts';

/** The commands `job …`. */
export function addJobCommands(program: Command, { ports, print, requireTeam }: AdminContext): void {
  program
    .command('job')
    .description('Training jobs of other platforms')
    .command('import')
    .description('import the jobs of a JSON file for a dataset; a job with the same id is replaced')
    .requiredOption(...teamOption)
    .requiredOption('--dataset <id>', 'id of the dataset')
    .requiredOption('--file <path>', 'a JSON file with a job, or a list of jobs')
    .action(async (given: { team: string; dataset: string; file: string }) => {
      const { team_id } = await requireTeam(given.team);
      const dataset = await ports().datasets.find(given.dataset);
      if (dataset?.team_id !== team_id) {
        throw new Error(`The team "${given.team}" has no dataset ${given.dataset}.`);
      }
      const content: unknown = JSON.parse(readFileSync(given.file, 'utf8'));
      const jobs = (Array.isArray(content) ? content : [content]).map((each) =>
        parseInput('', FinetuneJobFile, each),
      );
      for (const job of jobs) {
        await ports().finetuneJobs.save({ ...job, team_id, dataset_id: dataset.dataset_id });
        print(job.finetune_job_id);
      }
    });
}
