import { describe, expect, it } from 'vitest';
import { objectKeys } from '#shared/platform/storage/object-keys.ts';
import { configFor, EMULATED, grantsOf, resourcesOf, synthesize, type Template } from './synthesize.ts';

const KEY = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const { pipelines, api } = synthesize('dev', { TRAINED_MODELS: 'amazon_bedrock', KMS_KEY_ARN: KEY });

const roleIn = (template: Template) =>
  resourcesOf(template, 'AWS::IAM::Role').find(([id]) => id.startsWith('ModelImportRole'))?.[1];
const functionsWith = (templates: readonly Template[], variable: string): string[] =>
  templates
    .flatMap((template) => resourcesOf(template, 'AWS::Lambda::Function'))
    .filter(([, { Properties }]) => JSON.stringify(Properties.Environment ?? {}).includes(variable))
    .map(([, { Properties }]) => String(Properties.FunctionName))
    .sort();
/** The roles with a statement of this name, and the statement. */
const statementsOf = (template: Template, sid: string) =>
  resourcesOf(template, 'AWS::IAM::Role').flatMap(([id, role]) =>
    JSON.stringify(role).includes(`"Sid":"${sid}"`) ? [[id, role] as const] : [],
  );

describe('a stage that imports trained models into Amazon Bedrock', () => {
  it('a stage that imports trained models into Amazon Bedrock has a role that Bedrock alone assumes, for imports of this account and region, and that reads merged models', () => {
    const role = roleIn(pipelines);
    if (role === undefined) throw new Error('no role for imports');

    expect(role.Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'bedrock.amazonaws.com' },
          Condition: {
            StringEquals: { 'aws:SourceAccount': expect.anything() },
            ArnLike: { 'aws:SourceArn': expect.anything() },
          },
        },
      ],
    });
    expect(JSON.stringify(role.Properties.AssumeRolePolicyDocument)).toMatch(/:model-import-job\/\*/);
    expect(grantsOf(role).map(({ action, resource }) => `${action} ${resource}`)).toEqual([
      's3:GetObject BUCKET/trainings/*/deployment/model/*',
      's3:ListBucket BUCKET',
    ]);
    expect(objectKeys.deployedModel('id', 'config.json')).toMatch(/^trainings\/.*\/deployment\/model\/.*/);
  });

  it('a stage that imports trained models into Amazon Bedrock names the role to the function that advances deployments, and to no other', () => {
    expect(functionsWith([pipelines, api], 'MODEL_IMPORT_ROLE_ARN')).toEqual([
      'tunesmith-dev-tasks-deployments-advance-deployment',
    ]);
  });

  it('a stage that imports trained models into Amazon Bedrock lets that function alone import, and delete what has the tags of the stage', () => {
    const [found, ...others] = statementsOf(pipelines, 'DeleteModels');
    expect(others).toEqual([]);
    expect(found?.[0]).toMatch(/AdvanceDeployment/);
    const policy = JSON.stringify(found);
    expect(policy).toContain('"aws:ResourceTag/application":"tunesmith","aws:ResourceTag/stage":"dev"');
    for (const action of [
      'CreateModelImportJob',
      'ListModelImportJobs',
      'GetModelImportJob',
      'DeleteImportedModel',
    ]) {
      expect(policy).toContain(`bedrock:${action}`);
    }
    expect(policy).toContain('"iam:PassedToService":"bedrock.amazonaws.com"');
    expect(policy).toContain('kms:CreateGrant');
    expect(statementsOf(api, 'DeleteModels')).toEqual([]);
  });

  it('a stage that imports trained models into Amazon Bedrock lets functions that answer callers invoke models with the tags of the stage, and no other function', () => {
    const asking = [
      ...statementsOf(api, 'InvokeImportedModels'),
      ...statementsOf(pipelines, 'InvokeImportedModels'),
    ];

    expect(asking.map(([id]) => id.replace(/Role.*$/, '')).length).toBeGreaterThanOrEqual(3);
    for (const [, role] of asking) {
      expect(JSON.stringify(role)).toContain('"aws:ResourceTag/stage":"dev"');
      expect(JSON.stringify(role)).toMatch(/"kms:ViaService":/);
    }
  });
});

describe('a stage without imports', () => {
  it('a stage without imports has no role and no permission for them', () => {
    const other = synthesize('dev');

    expect(roleIn(other.pipelines)).toBeUndefined();
    expect(JSON.stringify([other.pipelines, other.api])).not.toMatch(
      /ModelImportJob|ImportedModel|MODEL_IMPORT/,
    );
  });
});

describe('the setting TRAINED_MODELS', () => {
  it('the setting TRAINED_MODELS deletes imported models without use after 14 days, or as many as it is told', () => {
    expect(configFor('dev', { TRAINED_MODELS: 'amazon_bedrock' }).trainedModels).toEqual({
      platforms: ['amazon_bedrock'],
      idleDays: 14,
      hoursPerDay: 8,
      network: null,
    });
    expect(
      configFor('dev', { TRAINED_MODELS: 'amazon_bedrock', TRAINED_MODELS_IDLE_DAYS: '3' }).trainedModels
        ?.idleDays,
    ).toBe(3);
  });

  it('the setting TRAINED_MODELS tries Amazon Bedrock before SageMaker, in whatever order they are named', () => {
    expect(
      configFor('dev', { TRAINED_MODELS: 'amazon_sagemaker,amazon_bedrock' }).trainedModels?.platforms,
    ).toEqual(['amazon_bedrock', 'amazon_sagemaker']);
  });

  it('the setting TRAINED_MODELS keeps the adapters of a model server', () => {
    expect(configFor('local', { ...EMULATED, TRAINED_MODELS: 'model_server' }).trainedModels).toEqual({
      platforms: ['model_server'],
      idleDays: null,
      hoursPerDay: null,
      network: null,
    });
  });

  it('the setting TRAINED_MODELS deploys nothing where it is not set', () => {
    expect(configFor('dev').trainedModels).toBeNull();
  });

  it.each([
    [
      'another platform',
      'dev',
      { TRAINED_MODELS: 'amazon_bedrock,sagemaker' },
      /amazon_bedrock, amazon_sagemaker, model_server.* not "sagemaker"/,
    ],
    [
      'more hours than all models of a team can use in a day',
      'dev',
      { TRAINED_MODELS: 'amazon_bedrock', TRAINED_MODELS_HOURS: '73' },
      /at most 72, not 73/,
    ],
    [
      'a laptop beside AWS',
      'dev',
      { TRAINED_MODELS: 'amazon_bedrock,model_server' },
      /for a laptop, and for nothing beside it/,
    ],
    [
      'an import on an emulator',
      'local',
      { ...EMULATED, TRAINED_MODELS: 'amazon_bedrock' },
      /an emulator imports no models/,
    ],
  ])('the setting TRAINED_MODELS refuses %s', (_, stage, settings, message) => {
    expect(() => configFor(stage, settings as Record<string, string>)).toThrow(message);
  });
});
