import { expect, it } from 'vitest';
import { ROLES_OF_STACKS } from '#infra/roles.ts';
import {
  configFor,
  EVERYTHING,
  type Resource,
  resourcesOf,
  type Synthesized,
  synthesize,
  type Template,
} from './synthesize.ts';

/** IAM's quota for all inline policies of a role together, without white space; it cannot be raised. */
const ROLE_CHARACTERS_MAX = 10_240;

/** The longest that AWS has of each. */
const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': 'ap-southeast-1',
  'AWS::AccountId': '123456789012',
  'AWS::StackName': 'tunesmith-abcdefghijkl-pipelines',
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

/** Names that CloudFormation gives are at most 64 characters long here, as those of buckets and functions are. */
const NAME = 'n'.repeat(64);
const ARN = `arn:${PSEUDO['AWS::Partition']}:dynamodb:${PSEUDO['AWS::Region']}:${PSEUDO['AWS::AccountId']}:${NAME}`;

/** A CloudFormation value as it is deployed, in length. */
function filledIn(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('Fn::Join' in value) {
    const [delimiter, items] = value['Fn::Join'] as [string, unknown[]];
    return items.map((item) => filledIn('', item)).join(delimiter);
  }
  if ('Fn::GetAtt' in value || 'Fn::ImportValue' in value) {
    return /Arn/.test(JSON.stringify(value)) ? ARN : NAME;
  }
  if ('Ref' in value) return PSEUDO[String(value.Ref)] ?? NAME;
  return value;
}

const lengthOf = ({ Properties: { Policies = [] } }: Resource): number =>
  (Policies as { PolicyDocument: unknown }[]).reduce(
    (sum, { PolicyDocument }) => sum + JSON.stringify(PolicyDocument, filledIn).length,
    0,
  );

/** Characters of the inline policies of every role of a stage. */
const lengthsOf = ({ data, pipelines, api, operations }: Synthesized): [string, number][] =>
  [data, pipelines, api, operations].flatMap((template) =>
    resourcesOf(template, 'AWS::IAM::Role').map(([id, role]): [string, number] => [id, lengthOf(role)]),
  );

/** A long name of a stage, and everything that gives roles more rights. */
const STAGE = 'abcdefghijkl';
const environment = {
  TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker',
  KMS_KEY_ARN: 'arn:aws-us-gov:kms:ap-southeast-1:123456789012:key/mrk-1234abcd12ab34cd56ef1234567890ab',
  MODEL_BATCH_JOBS: 'true',
  SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge',
  MODEL_ID: 'apac.vendor.model-of-all-roles-20260101-v1:0',
  MODEL_ID_JUDGE: 'apac.vendor.model-of-the-judge-20260101-v1:0',
  MODEL_ID_TRANSLATE: 'apac.vendor.model-of-translations-20260101-v1:0',
};

/** The longest list of hosted models of one kind that the configuration takes. */
function mostModels(idOf: (n: number) => string): string[] {
  const taken = (ids: readonly string[]): boolean => {
    try {
      configFor(STAGE, { ...environment, RESPOND_MODELS: ids.join() });
      return true;
    } catch {
      return false;
    }
  };
  const ids: string[] = [];
  while (taken([...ids, idOf(ids.length)])) ids.push(idOf(ids.length));
  return ids;
}

const KINDS = {
  'inference profiles': (n: number) => `us-gov.anthropic.claude-sonnet-${n}-20250929-v1:0`,
  'inference profiles with short names': (n: number) => `us.m${n}`,
  'profiles of two geographies each': (n: number) =>
    `${n % 2 === 0 ? 'us' : 'eu'}.amazon.nova-${n >> 1}-v1:0`,
  'profiles of applications': (n: number) =>
    `arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:application-inference-profile/abcdefghij${n}`,
  'models without a profile': (n: number) => `v.m${n}`,
};

it('the check of an account counts the roles that a stage has', () => {
  const { data, pipelines, api, operations } = synthesize('dev', EVERYTHING);
  const countOf = (...templates: Template[]): number =>
    templates.reduce((sum, template) => sum + resourcesOf(template, 'AWS::IAM::Role').length, 0);

  const { api: apiRoles, pipelines: otherRoles } = ROLES_OF_STACKS;
  expect(countOf(data, pipelines, api, operations)).toBe(apiRoles + otherRoles);
});

it.each(Object.entries(KINDS))(
  'the inline policies of every role stay within the quota of IAM with as many %s as the configuration takes',
  (_kind, idOf) => {
    const ids = mostModels(idOf);
    const stage = synthesize(STAGE, { ...environment, RESPOND_MODELS: ids.join() });

    expect(ids.length).toBeGreaterThanOrEqual(8);
    const lengths = lengthsOf(stage);
    expect(lengths.length).toBeGreaterThan(150);
    expect(lengths.filter(([, length]) => length > ROLE_CHARACTERS_MAX)).toEqual([]);
  },
);
