import { type Command, Option } from 'commander';
import { retireDeployment } from '#shared/deployments/retire-deployment.ts';
import { DeploymentPlatform } from '#shared/deployments/schema/deployment.ts';
import { listDeployments } from '../deploy/deployed-models.ts';
import type { AdminContext } from './context.ts';

/** The commands `deployment …`. */
export function addDeploymentCommands(program: Command, { ports, print, printTable }: AdminContext): void {
  const listed = (platform?: string) => listDeployments(ports().deployments, platform);
  const onPlatform = () =>
    new Option('--platform <name>', 'those of a platform').choices(DeploymentPlatform.options);
  const deployment = program.command('deployment').description('Trained models that answer');
  deployment
    .command('list')
    .description('deployed models of all teams, oldest first')
    .addOption(onPlatform())
    .action(async ({ platform }: { platform?: string }) => {
      printTable([
        [
          'TRAINING',
          'PLATFORM',
          'STATUS',
          'WAITS FOR',
          'UNSETTLED SINCE',
          'MODEL',
          'NAME',
          'SINCE',
          'LAST USED',
          'TEAM',
        ],
        ...(await listed(platform)).map((each) => [
          each.experiment_id,
          each.platform,
          each.status,
          each.waits_for,
          each.unsettled_since,
          each.model,
          each.name,
          each.created_at,
          each.last_used_at,
          each.team_id,
        ]),
      ]);
    });
  deployment
    .command('delete [trainings...]')
    .description('delete the deployments of trainings, or of a platform: they stop answering at once')
    .addOption(onPlatform())
    .action(async (trainings: string[], { platform }: { platform?: string }) => {
      if ((trainings.length === 0) === (platform === undefined)) {
        throw new Error('Name the trainings, or a platform: deployment list has both.');
      }
      const all = await listed(platform);
      const missing = trainings.find((id) => !all.some(({ experiment_id }) => experiment_id === id));
      if (missing !== undefined) throw new Error(`There is no deployment of the training ${missing}.`);
      const chosen =
        platform === undefined ? all.filter(({ experiment_id }) => trainings.includes(experiment_id)) : all;
      for (const { experiment_id } of chosen) {
        // The sweep of the stage, which looks each minute, does the work.
        await retireDeployment({ deployments: ports().deployments, start: async () => {} }, experiment_id);
        print(`${experiment_id} is being deleted`);
      }
      print(
        chosen.length === 0
          ? 'Nothing to delete.'
          : 'What AWS has of them goes within some minutes: look with deployment list.',
      );
    });
}
