import * as z from 'zod';
import type { DeploymentRecord, DeploymentRepository } from '#shared/deployments/decide/record.ts';
import { DeploymentPlatform } from '#shared/deployments/schema/deployment.ts';
import { envNames } from '#shared/platform/runtime/env-names.ts';
import type { ReleaseRecord } from './releases.ts';

/** What a command says of a deployed model. */
export type DeployedModel = Pick<DeploymentRecord, 'experiment_id' | 'team_id' | 'platform' | 'status'>;

/** The deployments of a stage, of all teams, oldest first. @param platform of this one alone */
export async function listDeployments(
  deployments: Pick<DeploymentRepository, 'list'>,
  platform?: string,
): Promise<DeploymentRecord[]> {
  const found: DeploymentRecord[] = [];
  for await (const each of deployments.list()) {
    if (platform === undefined || each.platform === platform) found.push(each);
  }
  return found;
}

const NAMED_MAX = 10;

/** Whether AWS has something of a deployment, or will, that only functions of the stage delete. */
export const costsMoney = ({ platform, status }: DeployedModel): boolean =>
  platform !== 'model_server' && status !== 'failed';

/**
 * @param deployed the deployments of the stage
 * @param platforms on which the functions can still end models after the change
 * @throws {Error} if models would stay on another platform, where nothing would end them
 */
export function requireEndable(
  stage: string,
  deployed: readonly DeployedModel[],
  platforms: readonly DeploymentPlatform[],
): void {
  const left = deployed.filter((each) => costsMoney(each) && !platforms.includes(each.platform));
  if (left.length === 0) return;
  const named = left
    .slice(0, NAMED_MAX)
    .map((each) => `${each.experiment_id} (${each.platform}, ${each.status}, team ${each.team_id})`);
  const more = left.length > NAMED_MAX ? `, and ${left.length - NAMED_MAX} more` : '';
  const without = [...new Set(left.map(({ platform }) => platform))].sort();
  const deletions = without.map(
    (platform) => `npm run admin -- --stage ${stage} deployment delete --platform ${platform}`,
  );
  throw new Error(
    `Nothing was changed. These deployed models would stay on AWS and cost money, since nothing could end them any more: ${named.join(', ')}${more}. ` +
      `What would be deployed has no ${without.join(' and no ')} in TRAINED_MODELS. Delete them first (${deletions.join('; ')}), ` +
      `wait until they are gone (npm run admin -- --stage ${stage} deployment list), and run this again.`,
  );
}

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      Properties: z
        .object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional() })
        .optional(),
    }),
  ),
});

/** The platforms on which the functions of a kept release end models: none before there were any. */
export function platformsOf({ files }: Pick<ReleaseRecord, 'files'>): DeploymentPlatform[] {
  const text = files['Pipelines.template.json'];
  const { Resources } = Template.parse(text === undefined ? { Resources: {} } : JSON.parse(text));
  const named = Object.values(Resources).flatMap(({ Type, Properties }) => {
    const given = Properties?.Environment?.Variables[envNames.trainedModels];
    return Type === 'AWS::Lambda::Function' && typeof given === 'string' ? given.split(',') : [];
  });
  return DeploymentPlatform.options.filter((platform) => named.includes(platform));
}
