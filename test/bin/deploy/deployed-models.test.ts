import { expect, it } from 'vitest';
import { platformsOf, requireEndable } from '#bin/deploy/deployed-models.ts';
import { makeDeployment } from '#test/helpers/deploying.ts';

const ID = makeDeployment().experiment_id;

it('A change refuses to leave deployed models on a platform where nothing could end them, and says which command does', () => {
  const models = [makeDeployment(), makeDeployment({ platform: 'amazon_bedrock', status: 'deleting' })];

  expect(() => requireEndable('trial', models, ['amazon_bedrock', 'amazon_sagemaker'])).not.toThrow();
  expect(() => requireEndable('trial', models, ['amazon_bedrock'])).toThrow(
    new RegExp(`Nothing was changed.*${ID} \\(amazon_sagemaker, ready, team team\\)\\. `),
  );
  expect(() => requireEndable('trial', models, ['amazon_bedrock'])).toThrow(
    'npm run admin -- --stage trial deployment delete --platform amazon_sagemaker)',
  );
  expect(() => requireEndable('trial', models, [])).toThrow('no amazon_bedrock and no amazon_sagemaker');
  expect(() => requireEndable('trial', Array(12).fill(models[0]), [])).toThrow(', and 2 more. ');
});

it('A change may leave what AWS has nothing of: failed deployments, and adapters of a laptop', () => {
  const models = [makeDeployment({ status: 'failed' }), makeDeployment({ platform: 'model_server' })];

  expect(() => requireEndable('trial', models, [])).not.toThrow();
});

it('A kept release ends models on the platforms that its functions are told, and on none before there were any', () => {
  const release = (variables: object) => ({
    files: {
      'Pipelines.template.json': JSON.stringify({
        Resources: {
          Advance: {
            Type: 'AWS::Lambda::Function',
            Properties: {
              Environment: { Variables: { TABLE_NAME: { 'Fn::ImportValue': 'x' }, ...variables } },
            },
          },
          Plain: { Type: 'AWS::Lambda::Function', Properties: { Handler: 'x' } },
          Role: { Type: 'AWS::IAM::Role' },
        },
      }),
    },
  });

  expect(platformsOf(release({}))).toEqual([]);
  expect(platformsOf(release({ TRAINED_MODELS: 'amazon_bedrock' }))).toEqual(['amazon_bedrock']);
  expect(platformsOf(release({ TRAINED_MODELS: 'amazon_sagemaker,amazon_bedrock' }))).toEqual([
    'amazon_bedrock',
    'amazon_sagemaker',
  ]);
  expect(platformsOf({ files: {} })).toEqual([]);
});
