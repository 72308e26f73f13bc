import { expect, it } from 'vitest';
import { takeLook } from '#bin/deploy/look.ts';
import type { Place } from '#bin/deploy/place.ts';
import { placeLooks } from '#bin/deploy/place-checks.ts';
import { loadConfig } from '#infra/config.ts';

const REGION = 'eu-west-1';
const ACCOUNT = '123456789012';
const KEY = `arn:aws:kms:${REGION}:${ACCOUNT}:key/0f000000-0000-4000-8000-000000000000`;
const SETTINGS = {
  VPC_SUBNETS: 'subnet-0123abcd,subnet-4567abcd',
  VPC_SECURITY_GROUPS: 'sg-0123abcd',
  API_VPC_ENDPOINTS: 'vpce-0123abcd',
  KMS_KEY_ARN: KEY,
  PERMISSIONS_BOUNDARY: 'team/developers',
};

const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${ACCOUNT}:root` }, Action: 'kms:*', Resource: '*' },
    {
      Effect: 'Allow',
      Principal: { Service: `logs.${REGION}.amazonaws.com` },
      Action: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
      Resource: '*',
    },
    {
      Effect: 'Allow',
      Principal: { Service: ['cloudwatch.amazonaws.com', 'events.amazonaws.com'] },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      Resource: '*',
    },
  ],
};
const key = {
  state: 'Enabled',
  usage: 'ENCRYPT_DECRYPT',
  spec: 'SYMMETRIC_DEFAULT',
  policy: JSON.stringify(KEY_POLICY),
};
const main = { id: 'rtb-1', isMain: true, subnets: [], way: null };
const endpoint = (service: string, changes: object = {}) => ({
  id: 'vpce-1',
  service: `com.amazonaws.${REGION}.${service}`,
  isAvailable: true,
  hasPrivateDns: true,
  routeTables: [],
  ...changes,
});
const gateway = (service: string) => endpoint(service, { hasPrivateDns: null, routeTables: ['rtb-1'] });
const ENDPOINTS = [
  gateway('s3'),
  gateway('dynamodb'),
  ...['xray', 'states', 'lambda', 'secretsmanager', 'bedrock-runtime', 'bedrock', 'events', 'sqs'].map(
    (name) => endpoint(name),
  ),
];

/** What settings name, and nothing missing of it. */
const place: Place = {
  subnets: async (ids) => ids.map((id) => ({ id, vpcId: 'vpc-1' })),
  securityGroups: async (ids) => ids.map((id) => ({ id, vpcId: 'vpc-1' })),
  endpointsOf: async () => ENDPOINTS,
  endpoints: async (ids) => ids.map((id) => endpoint('execute-api', { id })),
  routeTables: async () => [main],
  key: async () => key,
  policy: async () => {},
};

const findingsOf = async (changes: Partial<Place> = {}, settings: Record<string, string> = SETTINGS) => {
  const config = loadConfig(() => undefined, { STAGE: 'dev', MODEL_ID: 'vendor.model', ...settings });
  const looks = placeLooks({ ...place, ...changes }, config, REGION, ACCOUNT);
  const findings = await Promise.all(looks.map((look) => takeLook(look, false)));
  return new Map(findings.map((finding) => [finding.name, finding]));
};
const refusing = (name: string, message: string) => () =>
  Promise.reject(Object.assign(new Error(message), { name }));

it('the look at what settings name finds a place that lacks nothing ready, and looks at nothing that they do not name', async () => {
  const findings = await findingsOf();

  expect([...findings].map(([name, { state }]) => [name, state])).toEqual([
    ['Private network', 'ok'],
    ['API endpoints', 'ok'],
    ['Key', 'ok'],
    ['Boundary', 'ok'],
  ]);
  expect(findings.get('Boundary')?.found).toBe(`arn:aws:iam::${ACCOUNT}:policy/team/developers`);
  expect((await findingsOf({}, {})).size).toBe(0);
});

// The words of EC2, KMS and IAM.
it.each([
  [
    'Private network',
    'subnets',
    'InvalidSubnetID.NotFound',
    "The subnet ID 'subnet-0123abcd' does not exist",
  ],
  [
    'Private network',
    'securityGroups',
    'InvalidGroup.NotFound',
    "The security group 'sg-0123abcd' does not exist",
  ],
  [
    'API endpoints',
    'endpoints',
    'InvalidVpcEndpointId.NotFound',
    "The Vpc Endpoint Id 'vpce-0123abcd' does not exist",
  ],
  ['Key', 'key', 'NotFoundException', `Key '${KEY}' does not exist`],
  [
    'Boundary',
    'policy',
    'NoSuchEntityException',
    `Policy arn:aws:iam::${ACCOUNT}:policy/team/developers was not found.`,
  ],
] as const)(
  'the look at %s tells in the words of AWS what is not there: %s',
  async (name, call, code, message) => {
    const finding = (await findingsOf({ [call]: refusing(code, message) })).get(name);

    expect(finding).toMatchObject({ state: 'missing', found: message, advice: expect.any(String) });
  },
);

it.each([
  ['Private network', 'subnets', 'UnauthorizedOperation', 'ec2:DescribeRouteTables'],
  ['Key', 'key', 'AccessDeniedException', 'kms:GetKeyPolicy'],
  ['Boundary', 'policy', 'AccessDenied', 'iam:GetPolicy'],
] as const)('the look at %s names the permission that it lacks', async (name, call, code, permission) => {
  const finding = (await findingsOf({ [call]: refusing(code, 'no') })).get(name);

  expect(finding?.state).toBe('missing');
  expect(finding?.advice).toContain(permission);
});

it('the look at a private network wants one VPC', async () => {
  const securityGroups = async () => [{ id: 'sg-0123abcd', vpcId: 'vpc-2' }];

  expect((await findingsOf({ securityGroups })).get('Private network')).toMatchObject({
    state: 'missing',
    found: 'several networks: subnet-0123abcd in vpc-1, subnet-4567abcd in vpc-1, sg-0123abcd in vpc-2',
  });
});

it.each([
  [
    'has a service without an endpoint',
    { endpointsOf: async () => ENDPOINTS.filter(({ service }) => !service.endsWith('.xray')) },
    /to xray$/,
  ],
  [
    'has an endpoint without private names',
    {
      endpointsOf: async () => [
        ...ENDPOINTS.filter(({ service }) => !service.endsWith('.states')),
        endpoint('states', { hasPrivateDns: false }),
      ],
    },
    /to states$/,
  ],
  [
    'has an endpoint that is not ready',
    {
      endpointsOf: async () => [
        ...ENDPOINTS.filter(({ service }) => !service.endsWith('.lambda')),
        endpoint('lambda', { isAvailable: false }),
      ],
    },
    /to lambda$/,
  ],
  [
    'has a gateway that is not in the route table of a subnet',
    {
      routeTables: async () => [
        main,
        { id: 'rtb-2', isMain: false, subnets: ['subnet-4567abcd'], way: null },
      ],
    },
    /from subnet-0123abcd, subnet-4567abcd to dynamodb, s3$/,
  ],
  [
    'leads to an internet gateway alone',
    { endpointsOf: async () => [], routeTables: async () => [{ ...main, way: 'igw-1' }] },
    /to bedrock-runtime, .*xray$/,
  ],
] as const)('the look at a private network tells that it %s', async (_, changes, found) => {
  const finding = (await findingsOf(changes)).get('Private network');

  expect(finding?.state).toBe('missing');
  expect(finding?.found).toMatch(found);
});

it.each(['nat-1', 'tgw-1', 'eni-1'])(
  'a private network with a route to %s needs no endpoint',
  async (way) => {
    const changes = { endpointsOf: async () => [], routeTables: async () => [{ ...main, way }] };

    expect((await findingsOf(changes)).get('Private network')).toMatchObject({ state: 'ok' });
  },
);

it('the look at the network of jobs wants a way to the hub where a trainer runs, and to S3 alone for trained models', async () => {
  const network = { SAGEMAKER_SUBNETS: 'subnet-0123abcd', SAGEMAKER_SECURITY_GROUPS: 'sg-0123abcd' };
  const trains = await findingsOf({}, { ...network, SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge' });
  const answers = await findingsOf({}, { ...network, TRAINED_MODELS: 'amazon_sagemaker' });

  expect(trains.get('Jobs network')?.found).toMatch(/to the hub of the base models$/);
  expect(answers.get('Jobs network')?.state).toBe('ok');
});

it('the look at the endpoints of a private API wants endpoints of API Gateway', async () => {
  const endpoints = async () => [endpoint('s3', { id: 'vpce-0123abcd' })];

  expect((await findingsOf({ endpoints })).get('API endpoints')).toMatchObject({
    state: 'missing',
    found: `vpce-0123abcd is of com.amazonaws.${REGION}.s3`,
  });
});

const without = (n: number): string =>
  JSON.stringify({ ...KEY_POLICY, Statement: KEY_POLICY.Statement.filter((_, at) => at !== n) });

it.each([
  ['is disabled', { ...key, state: 'Disabled' }, /^the key is Disabled/],
  ['signs', { ...key, usage: 'SIGN_VERIFY', spec: 'RSA_2048' }, /SIGN_VERIFY \(RSA_2048\)$/],
  ['leaves the account out', { ...key, policy: without(0) }, /by the account 123456789012/],
  ['leaves logs out', { ...key, policy: without(1) }, /by logs\.eu-west-1\.amazonaws\.com$/],
  [
    'leaves alarms out',
    { ...key, policy: without(2) },
    /by cloudwatch\.amazonaws\.com, events\.amazonaws\.com$/,
  ],
])('the look at a key tells that it %s', async (_, found, told) => {
  const finding = (await findingsOf({ key: async () => found })).get('Key');

  expect(finding?.state).toBe('missing');
  expect(finding?.found).toMatch(told);
});
