import { describe, expect, it } from 'vitest';
import { functionIds } from '#infra/names.ts';
import { servicesOf } from '#infra/network.ts';
import { permissionsOf } from '#infra/permissions.ts';
import { configFor, grantsOf, resourcesOf, synthesize, type Template } from './synthesize.ts';

const NETWORK = { SAGEMAKER_SUBNETS: 'subnet-0123abcd', SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd' };
const { pipelines, api, operations } = synthesize('dev', { TRAINED_MODELS: 'amazon_sagemaker', ...NETWORK });

const roleIn = (template: Template) =>
  resourcesOf(template, 'AWS::IAM::Role').find(([id]) => id.startsWith('ModelEndpointRole'))?.[1];
const variablesOf = (template: Template, functionName: string): Record<string, unknown> => {
  const found = resourcesOf(template, 'AWS::Lambda::Function').find(
    ([, { Properties }]) => Properties.FunctionName === functionName,
  );
  const environment = found?.[1].Properties.Environment as { Variables: Record<string, unknown> } | undefined;
  return environment?.Variables ?? {};
};
/** The roles with a statement of this name. */
const rolesWith = (template: Template, sid: string): string[] =>
  resourcesOf(template, 'AWS::IAM::Role').flatMap(([id, role]) =>
    JSON.stringify(role).includes(`"Sid":"${sid}"`) ? [id] : [],
  );

describe('a stage with endpoints of SageMaker', () => {
  it('a stage with endpoints of SageMaker has a role that SageMaker alone assumes, and that reads merged models, the image and writes logs', () => {
    const role = roleIn(pipelines);
    if (role === undefined) throw new Error('no role for endpoints');

    expect(role.Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'sagemaker.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
    const grants = grantsOf(role).map(({ action, resource }) => `${action} ${resource}`);
    expect(grants).toContain('s3:GetObject BUCKET/trainings/*/deployment/model/*');
    expect(grants.filter((grant) => grant.startsWith('s3:'))).toHaveLength(2);
    expect(grants.filter((grant) => grant.startsWith('logs:PutLogEvents')).join()).toMatch(
      /Endpoints\/tunesmith-dev-\*.*InferenceComponents\/tunesmith-dev-\*/,
    );
    expect(grants.find((grant) => grant.startsWith('ecr:BatchGetImage'))).toMatch(/repository\/vllm$/);
    expect(grants.filter((grant) => grant.startsWith('ec2:')).length).toBeGreaterThan(5);
  });

  it('a stage with endpoints of SageMaker has alarms on the silence of the sweep that ends their instances, and on copies that do not come', () => {
    const alarmsOf = (template: Template) =>
      resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
    const alarm = alarmsOf(operations).find(
      ({ AlarmName }) => AlarmName === 'tunesmith-dev-deployments-unswept',
    );

    expect(alarm).toMatchObject({ TreatMissingData: 'breaching', ComparisonOperator: 'LessThanThreshold' });
    const overdue = alarmsOf(operations).find(
      ({ AlarmName }) => AlarmName === 'tunesmith-dev-deployments-overdue',
    );
    expect(overdue).toMatchObject({
      MetricName: 'DeploymentsOverdue',
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
    expect(JSON.stringify(alarmsOf(synthesize('dev', {}).operations))).not.toContain('deployments-unswept');
  });

  it('a stage with endpoints of SageMaker tells the function that makes them the image, the role and the network, and no other one', () => {
    const variables = variablesOf(pipelines, 'tunesmith-dev-tasks-deployments-advance-deployment');
    expect(JSON.stringify(variables.MODEL_ENDPOINT_IMAGE)).toContain('/vllm:server-sagemaker-cuda-v');
    expect(variables).toMatchObject({
      TRAINED_MODELS: 'amazon_sagemaker',
      TRAINING_JOB_SUBNETS: 'subnet-0123abcd',
      TRAINING_JOB_SECURITY_GROUPS: 'sg-0123abcd',
      MODEL_ENDPOINT_ROLE_ARN: expect.anything(),
    });
    expect(JSON.stringify(api)).not.toContain('MODEL_ENDPOINT_');
  });

  it('a stage with endpoints of SageMaker lets one function make and delete what has the name of the stage, and those that answer callers ask it', () => {
    expect(rolesWith(pipelines, 'MakeEndpoints').join()).toMatch(/^TasksDeploymentsAdvanceDeployment\w*$/);
    expect(rolesWith(api, 'MakeEndpoints')).toEqual([]);
    expect(rolesWith(api, 'InvokeEndpoints').length).toBeGreaterThan(1);
    expect(JSON.stringify(api)).toContain(
      '["sagemaker:InvokeEndpoint","sagemaker:InvokeEndpointWithResponseStream"]',
    );

    const made = JSON.stringify([pipelines, api]);
    for (const kind of ['endpoint', 'endpoint-config', 'inference-component', 'model']) {
      expect(made).toContain(`:${kind}/tunesmith-dev-*`);
    }
    expect(made).not.toMatch(/sagemaker:\*|"Resource":"arn:aws:sagemaker[^"]*\/\*"/);
  });

  it('a stage with endpoints of SageMaker calls its services from a private network', () => {
    const config = configFor('dev', { TRAINED_MODELS: 'amazon_sagemaker' });
    const callers = (service: string): string[] =>
      functionIds.filter((id) => servicesOf(permissionsOf(id), config).includes(service));

    expect(callers('sagemaker.runtime')).toContain('api/responses/create');
    expect(callers('sagemaker.runtime')).not.toContain('tasks/adapt/adapt-chunk');
    expect(callers('sagemaker.api')).toContain('tasks/deployments/advance-deployment');
  });
});

describe('a stage without endpoints', () => {
  it('a stage without endpoints has no role and no permission for them', () => {
    const other = synthesize('dev');

    expect(roleIn(other.pipelines)).toBeUndefined();
    expect(JSON.stringify([other.pipelines, other.api])).not.toMatch(
      /CreateInferenceComponent|InvokeEndpoint|MODEL_ENDPOINT/,
    );
  });
});
