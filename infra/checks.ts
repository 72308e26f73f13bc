import {
  type App,
  type IPolicyValidationPlugin,
  type PolicyValidationPluginReport,
  Stack,
  Validations,
} from 'aws-cdk-lib';
import { CfnManagedPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/**
 * Reasons for wildcard resources, by the Sid of the statement. A wildcard in any other statement, and one in any
 * action, fails the synthesis.
 */
export const wildcardReasons: Readonly<Record<string, string>> = {
  WriteOwnLogs: 'Lambda names the streams of the function’s own log group.',
  Trace: 'X-Ray has no resources that a policy could name.',
  DeliverLogs: 'Log deliveries have no resources that a policy could name.',
  ReadObjects: 'The objects under the prefixes that the contract names.',
  WriteObjects: 'The objects under the prefixes that the contract names.',
  ReadConnections: 'What teams have stored to reach providers by; each team’s are found by its id.',
  DeleteObjects: 'The objects under the prefixes that the contract names.',
  WriteOutputs: 'Sessions of the role are narrowed to the output of one attempt.',
  ReadPlans: 'The plans of all runs lie under one prefix.',
  WriteResults: 'The map results of all runs lie under one prefix.',
  DescribeExecutions: 'The executions of the machines that the contract names; each run has its own.',
  StopExecutions: 'The executions of the machines that the contract names; each run has its own.',
  WriteJobOutput: 'SageMaker leaves something of its own below the attempts of all trainings.',
  AssumeAttemptRole: 'The role at the path of the stage: by its name, the two roles would name each other.',
  LaunchTrainingJobs:
    'The training jobs of the stage, by the beginning of their names; each attempt has its own.',
  StopTrainingJobs:
    'The training jobs of the stage, by the beginning of their names; each attempt has its own.',
  ListStreams: 'The streams of the table; which one there is, is known once the table exists.',
  DecryptSource:
    'The key of the CDK’s bucket, which no template knows; S3 alone uses it, for the source bundle.',
  WriteInstanceMetrics: 'Metrics have no resources; the condition names their namespace.',
  SignInToRegistry: 'Signing in to a registry has no resources that a policy could name.',
  JoinNetwork: 'Network interfaces have no name before they are there, and EC2 lists no single ones.',
  WriteTrainingLogs: 'SageMaker names the streams of the log group that all training jobs share.',
  ListBatchJobs: 'The list of batch jobs has no resources that a policy could name.',
  EndBatchJobs: 'Amazon Bedrock gives batch jobs their ids.',
  MakeBatchJobs:
    'Amazon Bedrock gives batch jobs their ids; an inference profile has its model in several regions.',
  ReadBatchInputs: 'The inputs of the batch jobs of all runs lie under one prefix.',
  WriteBatchOutputs: 'What batch jobs write of all runs lies under one prefix.',
  InvokeBatchModels: 'An inference profile has its model in several regions.',
  ImportModels: 'An import has no ARN before it is made, and the list of imports is of the account.',
  FollowImports: 'Amazon Bedrock gives imports their ids.',
  TagModels: 'Amazon Bedrock gives imports and imported models their ids.',
  DeleteModels: 'Amazon Bedrock gives imported models their ids; those of the stage are told by their tags.',
  InvokeImportedModels:
    'Amazon Bedrock gives imported models their ids; those of the stage are told by their tags.',
  MakeEndpoints: 'The endpoints of the stage, by the beginning of their names; each deployment has its own.',
  InvokeEndpoints:
    'The endpoints of the stage, by the beginning of their names; each deployment has its own.',
  WriteEndpointLogs: 'SageMaker names a log group for each endpoint of the stage, and its streams.',
  ReadModels: 'The merged files of all deployed trainings.',
  FollowChildren: 'The executions of the child machines; each run has its own.',
  FollowChunks: 'The executions of the map’s chunks; each has its own.',
};

/** A statement for one inference profile: its model is allowed in every region that the profile uses. */
const PROFILE_MODEL = /^InvokeModelOfProfile\d+$/;
const PROFILE_REASON = 'The model in every region of the inference profile, and only through that profile.';

/** Rules that are suppressed for the whole service, each with its reason. */
const serviceReasons: Readonly<Record<string, string>> = {
  'AwsSolutions-L1': 'Node.js 24 is the runtime that the functions are built for and tested on.',
  'Serverless-LambdaLatestVersion':
    'Node.js 24 is the runtime that the functions are built for and tested on.',
  'Serverless-LambdaStarPermissions':
    'Each wildcard is acknowledged by its statement, under AwsSolutions-IAM5.',
  'Serverless-LambdaDLQ':
    'Functions behind a route or in a state machine are invoked synchronously: their caller has the error. Those that take events have a queue, which a test checks, or a sweep that repeats them.',
  'Serverless-LambdaEventSourceMappingDestination':
    'The source is a queue, which has a dead-letter queue of its own, or the outbox: the sweep publishes what a batch leaves.',
  'Serverless-LambdaAsyncFailureDestination':
    'Events that failed for good are in the dead-letter queue of their function, which a test checks.',
  'Serverless-SQSRedrivePolicy': 'The only queues without one are dead-letter queues themselves.',
  'AwsSolutions-SMG4':
    'Rotating the cursor key would break cursors in use, and only its vendor can issue a model key; both are replaced by hand.',
  'AwsSolutions-APIG2':
    'Functions validate every request against the contract and name all bad fields; the gateway would name none.',
  'AwsSolutions-APIG3':
    'A firewall costs money whether it is used or not; who needs one sets FIREWALL_REQUESTS.',
  'AwsSolutions-COG4': 'Callers are programs with API keys, which a Lambda authorizer checks.',
};

type Statement = { Sid?: string; Effect: string; Resource: unknown };

/** A reference in the format of cdk-nag's finding ids. */
function flatten(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll('${', '<').replaceAll('}', '>');
  const node = value as Record<string, unknown>;
  if ('Fn::Join' in node) {
    const [delimiter, items] = node['Fn::Join'] as [string, unknown[]];
    return items.map(flatten).join(delimiter);
  }
  if ('Fn::GetAtt' in node) {
    const [resource, attribute] = node['Fn::GetAtt'] as [unknown, unknown];
    return `<${flatten(resource)}.${flatten(attribute)}>`;
  }
  if ('Fn::ImportValue' in node) return flatten(node['Fn::ImportValue']);
  if ('Ref' in node) return `<${flatten(node.Ref)}>`;
  return JSON.stringify(value);
}

function statementsOf(node: CfnRole | CfnManagedPolicy): Statement[] {
  const resolve = (value: unknown): unknown => Stack.of(node).resolve(value);
  const policies =
    node instanceof CfnRole
      ? ((resolve(node.policies) ?? []) as { policyDocument: unknown }[])
      : [{ policyDocument: node.policyDocument }];
  return policies.flatMap(
    ({ policyDocument }) => (resolve(policyDocument) as { Statement: Statement[] }).Statement,
  );
}

/**
 * Acknowledges the wildcards that `wildcardReasons` explains. cdk-nag identifies findings by their resolved text, which
 * exists only after the stacks refer to each other: so this is the first of the plugins.
 */
class WildcardReasons implements IPolicyValidationPlugin {
  readonly name = 'wildcard-reasons';

  validate(context: { readonly appConstruct?: IConstruct }): PolicyValidationPluginReport {
    for (const node of context.appConstruct?.node.findAll() ?? []) {
      if (!(node instanceof CfnRole || node instanceof CfnManagedPolicy)) continue;
      for (const { Sid: sid = '', Resource: resource } of statementsOf(node)) {
        const reason = PROFILE_MODEL.test(sid) ? PROFILE_REASON : wildcardReasons[sid];
        if (reason === undefined) continue;
        for (const text of [resource].flat().map(flatten)) {
          if (!text.includes('*')) continue;
          Validations.of(node).acknowledge({ id: `AwsSolutions-IAM5[Resource::${text}]`, reason });
        }
      }
    }
    return { success: true, violations: [] };
  }
}

/** Fails the synthesis if a stack violates a rule of cdk-nag's AwsSolutions or Serverless pack without a reason. */
export function addChecks(app: App): void {
  for (const [id, reason] of Object.entries(serviceReasons)) Validations.of(app).acknowledge({ id, reason });
  Validations.of(app).addPlugins(
    new WildcardReasons(),
    new AwsSolutionsChecks(app),
    new ServerlessChecks(app),
  );
}
