import { ArnFormat } from 'aws-cdk-lib';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import type { Network } from '#shared/platform/schema/network.ts';
import type { Config } from './config.ts';
import { policyOfStack } from './key.ts';
import { functionName } from './names.ts';

/** Whether what a function uses is beyond AWS's own services and this stage, and so may be in a private network. */
const BEYOND_AWS: Readonly<Record<keyof Uses, boolean>> = {
  table: false,
  credits: false,
  apiKeys: false,
  audit: false,
  bucket: false,
  bucketOrigin: false,
  starts: false,
  observes: false,
  stops: false,
  invokes: false,
  secrets: false,
  models: true,
  modelIds: false,
  listsModels: false,
  imports: true,
  egress: true,
  toolCatalog: false,
  connections: true,
  search: true,
  batchJobs: true,
  publishesEvents: false,
  trainers: false,
  trainerQueues: false,
  lendsCredentials: false,
  trainingJobs: false,
  deploysModels: false,
  probe: false,
  telemetry: true,
  fails: false,
};

/** Whether a function talks to models, tool servers, hubs, or receivers of webhooks or telemetry, which may be in a private network. */
const reachesOut = (uses: Uses): boolean =>
  Object.entries(uses).some(([use, value]) => {
    const isUsed = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
    return isUsed && BEYOND_AWS[use as keyof Uses];
  });

/** Whether a function calls the API, which only a private network reaches if it is private. */
const callsPrivateApi = ({ probe }: Uses, { apiVpcEndpoints }: Pick<Config, 'apiVpcEndpoints'>): boolean =>
  probe === true && apiVpcEndpoints.length > 0;

/** The private network that a function joins; null for Lambda's own. */
export const networkOf = (uses: Uses, config: Pick<Config, 'network' | 'apiVpcEndpoints'>): Network | null =>
  reachesOut(uses) || callsPrivateApi(uses, config) ? config.network : null;

/**
 * The services of AWS that a function calls from inside of the network, each of which needs an endpoint there, or a way to the
 * internet. Lambda itself delivers logs, and takes from queues and streams.
 */
export function servicesOf(
  uses: Uses,
  { model, trainedModels }: Pick<Config, 'model' | 'trainedModels'>,
): string[] {
  const imports = trainedModels?.platforms.includes('amazon_bedrock') === true;
  const hasEndpoints = trainedModels?.platforms.includes('amazon_sagemaker') === true;
  const calls: Readonly<Record<string, boolean>> = {
    // Every request is counted there.
    dynamodb: true,
    xray: true,
    s3: uses.bucket !== undefined,
    states: [uses.starts, uses.observes, uses.stops, uses.fails].some((ids) => (ids ?? []).length > 0),
    lambda: (uses.invokes ?? []).length > 0,
    secretsmanager: (uses.secrets ?? []).length > 0 || uses.connections === true,
    sqs: uses.trainerQueues === true,
    events: uses.publishesEvents === true,
    sts: uses.lendsCredentials === true,
    'sagemaker.api': uses.trainingJobs !== undefined || (hasEndpoints && uses.deploysModels === 'write'),
    'sagemaker.runtime': hasEndpoints && (uses.models ?? []).includes('respond'),
    'bedrock-runtime':
      (uses.models ?? []).length > 0 &&
      (model.provider === 'bedrock' || (imports && (uses.models ?? []).includes('respond'))),
    bedrock:
      (imports && uses.deploysModels === 'write') ||
      (model.provider === 'bedrock' &&
        ((model.batchJobs && uses.batchJobs !== undefined) ||
          ((uses.models ?? []).length > 0 && Object.values(model.ids).some(isProfile)))),
  };
  return Object.keys(calls).filter((service) => calls[service] === true);
}

/** Whether the model behind an id has to be looked up, which a service of its own does. */
const isProfile = (modelId: string): boolean => modelId.includes(':application-inference-profile/');

const INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
];

/**
 * What Lambda does with the role of a function in a private network. The code of the function itself may do none of it:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-best-practice-security
 */
export function networkPolicyOf(scope: Construct, { stage }: Pick<Config, 'stage'>): ManagedPolicy {
  return policyOfStack(scope, 'NetworkPolicy', (stack) => {
    const functions = stack.formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: functionName(stage, '*'),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    return new ManagedPolicy(stack, 'NetworkPolicy', {
      description: 'For Lambda: to put functions into a private network.',
      statements: [
        new PolicyStatement({ sid: 'JoinNetwork', actions: INTERFACES, resources: ['*'] }),
        new PolicyStatement({
          sid: 'LeaveNetworkAlone',
          effect: Effect.DENY,
          actions: INTERFACES,
          resources: ['*'],
          conditions: { ArnLike: { 'lambda:SourceFunctionArn': functions } },
        }),
      ],
    });
  });
}
