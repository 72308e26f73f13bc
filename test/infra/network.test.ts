import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { functionIds } from '#infra/names.ts';
import { networkOf, servicesOf } from '#infra/network.ts';
import { permissionsOf } from '#infra/permissions.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import { configFor, flatten, propertiesOfFirst, resourcesOf, synthesize } from './synthesize.ts';

const SETTINGS = { VPC_SUBNETS: 'subnet-0123abcd,subnet-4567abcd', VPC_SECURITY_GROUPS: 'sg-0123abcd' };
const ENDPOINTS = { API_VPC_ENDPOINTS: 'vpce-0123abcd,vpce-4567abcd' };

const config = configFor('dev', {
  ...SETTINGS,
  MODEL_BATCH_JOBS: 'true',
  TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker',
});
const inside = synthesize('dev', SETTINGS);
const outside = synthesize('dev');

const functionsOf = (stacks: typeof inside): [string, Record<string, unknown>][] =>
  [stacks.pipelines, stacks.api].flatMap((template) =>
    resourcesOf(template, 'AWS::Lambda::Function').map(
      ([, { Properties }]): [string, Record<string, unknown>] => [
        String(Properties.FunctionName),
        Properties,
      ],
    ),
  );

it('functions that talk to models, tool servers, hubs and webhooks are in the private network, and no others', () => {
  const joined = functionsOf(inside).filter(([, { VpcConfig }]) => VpcConfig !== undefined);
  const names = joined.map(([name]) => name);

  expect(names).toContain('tunesmith-dev-tasks-adapt-adapt-chunk');
  expect(names).toContain('tunesmith-dev-api-responses-create');
  expect(names).toContain('tunesmith-dev-consumers-deliver-webhook');
  expect(names).not.toContain('tunesmith-dev-api-authorizer');
  expect(names).not.toContain('tunesmith-dev-api-datasets-get');
  for (const [, { VpcConfig }] of joined) {
    expect(VpcConfig).toEqual({
      SubnetIds: ['subnet-0123abcd', 'subnet-4567abcd'],
      SecurityGroupIds: ['sg-0123abcd'],
    });
  }
  expect(functionsOf(outside).filter(([, { VpcConfig }]) => VpcConfig !== undefined)).toEqual([]);
});

it.each<[Uses, boolean]>([
  [{ models: ['rewrite'] }, true],
  [{ egress: true }, true],
  [{ imports: true }, true],
  [{ connections: true }, true],
  [{ search: true }, true],
  [{ batchJobs: 'read' }, true],
  [{ telemetry: true }, true],
  [{ models: [] }, false],
  [{ table: 'write', bucket: { read: ['runs'] }, invokes: ['tasks/x'], trainingJobs: 'launch' }, false],
])('a function that uses %j joins the private network: %s', (uses, joins) => {
  expect(networkOf(uses, config) !== null).toBe(joins);
});

it('the roles of functions in the private network, and no others, have the policy with which Lambda joins it', () => {
  const joined = functionsOf(inside)
    .filter(([, { VpcConfig }]) => VpcConfig !== undefined)
    .map(([, { Role }]) => flatten(Role).replace(/^<(.*)\.Arn>$/, '$1'));
  const withPolicy = [inside.pipelines, inside.api].flatMap((template) =>
    resourcesOf(template, 'AWS::IAM::Role')
      .filter(([, { Properties }]) => flatten(Properties.ManagedPolicyArns ?? []).includes('NetworkPolicy'))
      .map(([id]) => id),
  );

  expect(withPolicy.sort()).toEqual(joined.sort());
  // Each stack has its own: what another one exports could not be removed with the setting.
  expect(resourcesOf(inside.data, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  expect(JSON.stringify([outside.data, outside.pipelines, outside.api])).not.toContain('NetworkPolicy');
});

it('the code of a function may do nothing of what Lambda does with network interfaces', () => {
  const { PolicyDocument } = propertiesOfFirst(inside.pipelines, 'AWS::IAM::ManagedPolicy', 'NetworkPolicy');
  const [join, leave] = (PolicyDocument as { Statement: Record<string, unknown>[] }).Statement;

  expect(join).toMatchObject({ Effect: 'Allow', Resource: '*' });
  expect(leave).toMatchObject({ Effect: 'Deny', Action: join?.Action, Resource: '*' });
  expect(JSON.stringify(leave?.Condition)).toMatch(
    /^\{"ArnLike":\{"lambda:SourceFunctionArn":.*:function:tunesmith-dev-\*"/,
  );
});

it('the page of settings names each service that functions call from the private network', () => {
  const page = readFileSync(new URL('../../docs/operations/configure.md', import.meta.url), 'utf8');
  const [, section = ''] = /\n## A private network for functions\n(.*?)\n## /s.exec(page) ?? [];
  const called = functionIds
    .map(permissionsOf)
    .filter((uses) => networkOf(uses, config) !== null)
    .flatMap((uses) => servicesOf(uses, config));

  expect([...section.matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, name]) => name).sort()).toEqual(
    [...new Set(called)].sort(),
  );
});

it('a private API answers through its endpoints alone', () => {
  const { api } = synthesize('dev', ENDPOINTS);
  const { EndpointConfiguration, Policy } = propertiesOfFirst(api, 'AWS::ApiGateway::RestApi');

  expect(EndpointConfiguration).toEqual({
    Types: ['PRIVATE'],
    VpcEndpointIds: ['vpce-0123abcd', 'vpce-4567abcd'],
  });
  expect((Policy as { Statement: unknown }).Statement).toEqual([
    {
      Action: 'execute-api:Invoke',
      Condition: { StringEquals: { 'aws:SourceVpce': ['vpce-0123abcd', 'vpce-4567abcd'] } },
      Effect: 'Allow',
      Principal: { AWS: '*' },
      Resource: 'execute-api:/*',
    },
  ]);
  const open = propertiesOfFirst(outside.api, 'AWS::ApiGateway::RestApi');
  expect([open.EndpointConfiguration, open.Policy]).toEqual([{ Types: ['REGIONAL'] }, undefined]);
});

it('a change of the endpoints of a private API is deployed', () => {
  const deploymentOf = (endpoints: string): string | undefined =>
    resourcesOf(
      synthesize('dev', { API_VPC_ENDPOINTS: endpoints }).api,
      'AWS::ApiGateway::Deployment',
    )[0]?.[0];

  expect(deploymentOf('vpce-0123abcd')).not.toBe(deploymentOf('vpce-4567abcd'));
});

it.each([
  [{ VPC_SUBNETS: 'subnet-0123abcd' }, 'VPC_SECURITY_GROUPS is missing'],
  [{ ...SETTINGS, VPC_SUBNETS: 'vpc-1' }, 'VPC_SUBNETS must list ids'],
  [{ API_VPC_ENDPOINTS: 'vpc-1' }, 'API_VPC_ENDPOINTS must list ids'],
  [
    {
      ...ENDPOINTS,
      API_DOMAIN: 'api.example.org',
      API_CERTIFICATE_ARN: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f',
    },
    'API_VPC_ENDPOINTS make the API private',
  ],
  [{ ...SETTINGS, STAGE: 'local', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' }, 'an emulator has no networks'],
  [
    { ...ENDPOINTS, STAGE: 'local', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566' },
    'an emulator has no networks',
  ],
])('the settings %j of private networks are refused by name', (settings, message) => {
  expect(() => configFor('dev', settings as unknown as Record<string, string>)).toThrow(message);
});
