import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, FileSystem, Size, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type CfnFunction,
  Code,
  type ILayerVersion,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { envNames, toolCatalogFile } from '#shared/platform/runtime/env-names.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import type { Config } from '../config.ts';
import { environmentFor, grantsFor, type Resources, rateLimitGrant } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { bundlePath, functionName } from '../names.ts';
import { networkOf, networkPolicyOf } from '../network.ts';
import { addLogGroup } from '../retention.ts';

export interface ServiceFunctionProps {
  readonly functionId: string;
  readonly description: string;
  readonly uses: Uses;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  readonly ephemeralStorageMb?: number;
  readonly layers?: readonly ILayerVersion[];
  /** Whether it counts the caller's requests in the table, in addition to its other table access. */
  readonly countsRequests?: boolean;
  /** Whether browsers call it, so that it needs the allowed origins. */
  readonly answersBrowsers?: boolean;
  /** Reserved concurrency, which is also its maximum; none if null or absent. */
  readonly reservedConcurrency?: number | null;
  /** The dead-letter queue of asynchronous invocations. */
  readonly deadLetterQueue?: IQueue | undefined;
  /**
   * Minutes for which an asynchronous invocation waits for its execution, of which there is then only one: callers or a sweep
   * set it off again.
   */
  readonly waitsMinutes?: number | undefined;
  /** The queue that it consumes. */
  readonly takesFrom?: IQueue;
  /** Whether its role writes its logs, and nothing else. */
  readonly isSealed?: boolean;
  /** Whether it is set off by the table's stream. */
  readonly readsStream?: boolean;
  readonly config: Config;
  readonly data: Resources;
}

/** The bundle of a function, with the tool catalog if the function uses it. */
function codeFolder({ functionId, uses, config }: ServiceFunctionProps): string {
  const bundle = bundlePath(config.assetRoot, functionId);
  if (uses.toolCatalog !== true || config.toolCatalog.length === 0) return bundle;
  const folder = FileSystem.mkdtemp('with-tool-catalog-');
  cpSync(bundle, folder, { recursive: true });
  writeFileSync(join(folder, toolCatalogFile), JSON.stringify(config.toolCatalog));
  return folder;
}

/** The statements for what a function is: its logs, its trace, and where its events come from and go to. */
function ownGrants(
  scope: Construct,
  name: string,
  { data, deadLetterQueue, takesFrom, readsStream, isSealed }: ServiceFunctionProps,
): PolicyStatement[] {
  return [
    new PolicyStatement({
      sid: 'WriteOwnLogs',
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [
        Stack.of(scope).formatArn({
          service: 'logs',
          resource: `log-group:/aws/lambda/${name}:*`,
        }),
      ],
    }),
    ...(isSealed === true
      ? []
      : [
          new PolicyStatement({
            sid: 'Trace',
            actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
            resources: ['*'],
          }),
        ]),
    ...(deadLetterQueue === undefined
      ? []
      : [
          new PolicyStatement({
            sid: 'SendDeadLetters',
            actions: ['sqs:SendMessage'],
            resources: [deadLetterQueue.queueArn],
          }),
        ]),
    ...(takesFrom === undefined
      ? []
      : [
          new PolicyStatement({
            sid: 'TakeMessages',
            actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
            resources: [takesFrom.queueArn],
          }),
        ]),
    ...(readsStream === true
      ? [
          new PolicyStatement({
            sid: 'ReadStream',
            actions: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
            resources: data.table.tableStreamArn === undefined ? [] : [data.table.tableStreamArn],
          }),
          new PolicyStatement({
            sid: 'ListStreams',
            actions: ['dynamodb:ListStreams'],
            resources: [`${data.table.tableArn}/stream/*`],
          }),
        ]
      : []),
  ];
}

/** A Lambda function with its own role, log group and environment, all derived from what it uses. */
export class ServiceFunction extends Construct {
  readonly functionId: string;
  readonly isSealed: boolean;
  readonly function: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { config, data, uses, functionId } = props;
    const name = functionName(config.stage, functionId);
    if (name.length > 64) {
      throw new Error(`The function name "${name}" is longer than the 64 characters that Lambda allows.`);
    }

    const network = networkOf(uses, config);
    this.functionId = functionId;
    this.isSealed = props.isSealed === true;
    this.logGroup = addLogGroup(this, 'Logs', `/aws/lambda/${name}`, config);

    const counts = props.countsRequests === true && uses.table !== 'write';
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      // Policies of their own: the statements of some roles leave no room for their text.
      managedPolicies: [
        ...(network === null ? [] : [networkPolicyOf(this, config)]),
        ...(props.isSealed === true ? [] : keyPolicyOf(this, config).managedPolicies),
      ],
      inlinePolicies: {
        Uses: new PolicyDocument({
          statements: [
            ...ownGrants(this, name, props),
            ...grantsFor(this, uses, config, data),
            ...(counts ? [rateLimitGrant(data.table)] : []),
          ],
        }),
      },
    });

    this.function = new LambdaFunction(this, 'Function', {
      functionName: name,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      code: Code.fromAsset(codeFolder(props)),
      handler: 'index.handler',
      memorySize: props.memoryMb,
      // Lambda ends a chain of calls after 16 links. Each link here works for a while, and goes on only if more is to do.
      ...(uses.invokes?.includes(functionId) ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
      timeout: Duration.seconds(props.timeoutSeconds),
      ...(props.reservedConcurrency == null
        ? {}
        : { reservedConcurrentExecutions: props.reservedConcurrency }),
      ...(props.ephemeralStorageMb === undefined
        ? {}
        : { ephemeralStorageSize: Size.mebibytes(props.ephemeralStorageMb) }),
      ...(props.layers === undefined ? {} : { layers: [...props.layers] }),
      ...(props.deadLetterQueue === undefined ? {} : { deadLetterQueue: props.deadLetterQueue }),
      ...(props.waitsMinutes === undefined
        ? {}
        : { retryAttempts: 0, maxEventAge: Duration.minutes(props.waitsMinutes) }),
      environment: {
        ...environmentFor(this, uses, config, data),
        ...(counts ? { [envNames.tableName]: data.table.tableName } : {}),
        ...(props.answersBrowsers === true && config.corsOrigins.length > 0
          ? { [envNames.corsOrigins]: config.corsOrigins.join(',') }
          : {}),
      },
      // The role holds its statements already; CDK would add its own beside them.
      role: this.role.withoutPolicyUpdates(),
      tracing: props.isSealed === true ? Tracing.DISABLED : Tracing.ACTIVE,
      logGroup: this.logGroup,
    });
    if (network !== null) {
      // By its ids alone; the CDK would ask for the VPC with its zones.
      (this.function.node.defaultChild as CfnFunction).vpcConfig = {
        subnetIds: [...network.subnets],
        securityGroupIds: [...network.securityGroups],
      };
    }
    if (props.isSealed === true) {
      Validations.of(this.function).acknowledge({
        id: 'Serverless-LambdaTracing',
        reason: 'Its role may write its logs alone: code of strangers runs in it.',
      });
    }
  }
}
