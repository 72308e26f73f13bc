import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stage } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { addStacks } from '#infra/app.ts';
import { repositoryRoot } from '#local/paths.ts';
import { configFor, newApp } from './synthesize.ts';

/** A region of each partition in which the service can be deployed. */
const REGIONS = [
  ['aws', 'eu-central-1'],
  ['aws-us-gov', 'us-gov-west-1'],
  ['aws-cn', 'cn-north-1'],
] as const;

/** Settings with which everything is deployed that can be. */
const EVERYTHING = {
  SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
  ALARM_EMAIL: 'ann@example.com',
  DETAILED_METRICS: 'true',
  FIREWALL_REQUESTS: '1000',
};

/** All that CloudFormation gets for a stage in a region, as one text. */
function templatesIn(region: string): string {
  const app = newApp({ builtinCloudFormationValidation: false });
  const stage = new Stage(app, 'Stage', { env: { account: '111122223333', region } });
  addStacks(stage, configFor('dev', EVERYTHING));
  const { directory } = app.synth();
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .join('\n');
}

it.each(REGIONS)('ARNs of a stage in the partition %s name no other', (partition, region) => {
  const text = templatesIn(region);

  const named = new Set(text.match(/arn:aws[a-z-]*/g));
  expect([...named].filter((name) => name !== `arn:${partition}`)).toEqual([]);
  // CloudFormation fills the partition in, in the names of Step Functions' integrations too.
  expect(text).toMatch(/"Ref": ?"AWS::Partition"\s*\},\s*":states:::lambda:invoke/);
  expect(text).not.toContain('${Partition}');
});

it('ARNs are never written out in what is deployed', () => {
  const files = ['functions', 'infra', 'shared', 'statemachines'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(ts|json|yaml)$/.test(file))
      .map((file) => join(folder, file)),
  );

  expect(files.length).toBeGreaterThan(500);
  expect(
    files.filter((file) => readFileSync(join(repositoryRoot, file), 'utf8').includes('arn:aws')),
  ).toEqual([]);
});
