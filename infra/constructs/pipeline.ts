import { ArnFormat, Aws, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { PipelineContract, QueueName } from '#shared/platform/pipelines/pipeline.ts';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import type { Config } from '../config.ts';
import { readDefinition } from '../definitions.ts';
import { type DataResources, executionArns, functionArn, stateMachineArn } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { functionToken, queueToken, stateMachineName, stateMachineToken, taskFunctionId } from '../names.ts';
import { addLogGroup } from '../retention.ts';

/** Label of the one Distributed Map; the ARNs of its children contain it. */
const MAP_LABEL = 'Chunks';

export interface PipelineProps {
  readonly contract: PipelineContract;
  /** Every pipeline: the map machine invokes the workers of all. */
  readonly all: readonly PipelineContract[];
  readonly queues: ReadonlyMap<QueueName, IQueue>;
  readonly config: Config;
  readonly data: DataResources;
}

/** An emulator only reads the literal `MaxConcurrency` of a map and would otherwise run up to 64 concurrent workers. */
function withLiteralConcurrency(
  definition: Record<string, unknown>,
  workers: number,
): Record<string, unknown> {
  return JSON.parse(JSON.stringify(definition), (_key, value) => {
    if (typeof value !== 'object' || value === null || !('MaxConcurrencyPath' in value)) return value;
    const { MaxConcurrencyPath: _path, ...state } = value;
    return { ...state, MaxConcurrency: workers };
  });
}

const statement = (sid: string, actions: string[], resources: string[]): PolicyStatement[] =>
  resources.length === 0 ? [] : [new PolicyStatement({ sid, actions, resources })];

/** A state machine whose role allows exactly the resources in its definition. */
export class Pipeline extends Construct {
  readonly stateMachine: StateMachine;

  constructor(scope: Construct, id: string, props: PipelineProps) {
    super(scope, id);
    const { contract, config } = props;
    const name = stateMachineName(config.stage, contract.id);
    const file = readDefinition(contract.id, config.workersMax);
    // GovCloud and China are partitions of their own, and name the integrations of Step Functions by them too.
    const definition = JSON.stringify(
      config.emulated ? withLiteralConcurrency(file, config.emulatedMapConcurrency) : file,
    ).replaceAll('${Partition}', Aws.PARTITION);

    // Step Functions uses one resource policy for all groups below this path.
    const logGroup = addLogGroup(this, 'Logs', `/aws/vendedlogs/states/${name}`, config);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      ...keyPolicyOf(this, config),
      inlinePolicies: {
        Uses: new PolicyDocument({
          statements: [
            ...observabilityGrants(),
            ...(definition.includes('"DISTRIBUTED"') ? this.mapGrants(props) : this.taskGrants(props)),
          ],
        }),
      },
    });
    const substitutions = this.substitutions(props);
    const used = Object.entries(substitutions).filter(([token]) => definition.includes(`\${${token}}`));
    this.stateMachine = new StateMachine(this, 'Machine', {
      stateMachineName: name,
      comment: contract.description,
      definitionBody: DefinitionBody.fromString(definition),
      ...(used.length === 0 ? {} : { definitionSubstitutions: Object.fromEntries(used) }),
      role: role.withoutPolicyUpdates(),
      // Payloads contain only ids and keys; they are not logged anyway, because a log has other readers than the table.
      logs: { destination: logGroup, level: LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
    });
  }

  private substitutions({ contract, config, data, queues }: PipelineProps): Record<string, string> {
    const { stage } = config;
    return Object.fromEntries([
      ...Object.keys(contract.tasks).map((task) => [
        functionToken(task),
        functionArn(this, stage, taskFunctionId(contract.id, task)),
      ]),
      ...[...contract.children, ...(contract.setsOff ?? [])].map((other) => [
        stateMachineToken(other),
        stateMachineArn(this, stage, other),
      ]),
      ...(contract.sends ?? []).map((name) => [queueToken(name), queues.get(name)?.queueUrl ?? '']),
      ['BucketName', data.bucket.bucketName],
    ]);
  }

  /** Permissions to invoke its tasks, to start children and wait for them, and to start other pipelines. */
  private taskGrants({ contract, config, queues }: PipelineProps): PolicyStatement[] {
    const { stage } = config;
    const tasks = Object.keys(contract.tasks).filter((task) => !contract.workers.includes(task));
    const { children } = contract;
    return [
      ...statement(
        'InvokeTasks',
        ['lambda:InvokeFunction'],
        tasks.map((task) => functionArn(this, stage, taskFunctionId(contract.id, task))),
      ),
      ...statement(
        'SendMessages',
        ['sqs:SendMessage'],
        (contract.sends ?? []).flatMap((name) => queues.get(name)?.queueArn ?? []),
      ),
      ...statement(
        'StartChildren',
        ['states:StartExecution'],
        [...children, ...(contract.setsOff ?? [])].map((other) => stateMachineArn(this, stage, other)),
      ),
      ...statement(
        'FollowChildren',
        ['states:DescribeExecution', 'states:StopExecution'],
        children.map((child) => executionArns(this, stage, child)),
      ),
      // Step Functions detects the end of a child (`startExecution.sync`) with one rule that it manages itself.
      ...statement(
        'HearOfChildren',
        ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
        children.length === 0
          ? []
          : [
              Stack.of(this).formatArn({
                service: 'events',
                resource: 'rule',
                resourceName: 'StepFunctionsGetEventsForStepFunctionsExecutionRule',
              }),
            ],
      ),
    ];
  }

  /** Permissions to read plans, invoke the workers of every pipeline, and write their results. */
  private mapGrants({ contract, config, data, all }: PipelineProps): PolicyStatement[] {
    const { stage } = config;
    const objects = data.bucket.arnForObjects(`${bucketPrefixes.runs}*`);
    const workers = all.flatMap((pipeline) =>
      pipeline.workers.map((task) => functionArn(this, stage, taskFunctionId(pipeline.id, task))),
    );
    return [
      ...statement('InvokeWorkers', ['lambda:InvokeFunction'], workers),
      // The chunks run as child executions of the machine itself.
      ...statement('StartChunks', ['states:StartExecution'], [stateMachineArn(this, stage, contract.id)]),
      ...statement(
        'FollowChunks',
        ['states:DescribeExecution', 'states:StopExecution'],
        [
          executionArns(this, stage, contract.id),
          Stack.of(this).formatArn({
            service: 'states',
            resource: 'execution',
            resourceName: `${stateMachineName(stage, contract.id)}/${MAP_LABEL}:*`,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        ],
      ),
      // The plan of a comparison is stored with its training.
      ...statement(
        'ReadPlans',
        ['s3:GetObject'],
        [objects, data.bucket.arnForObjects(`${bucketPrefixes.trainings}*`)],
      ),
      ...statement(
        'WriteResults',
        ['s3:PutObject', 's3:ListMultipartUploadParts', 's3:AbortMultipartUpload'],
        [objects],
      ),
    ];
  }
}

/**
 * Permissions of every state machine for logs and traces; neither service supports resource-level permissions here.
 */
function observabilityGrants(): PolicyStatement[] {
  return [
    ...statement(
      'DeliverLogs',
      [
        'logs:CreateLogDelivery',
        'logs:GetLogDelivery',
        'logs:UpdateLogDelivery',
        'logs:DeleteLogDelivery',
        'logs:ListLogDeliveries',
        'logs:PutResourcePolicy',
        'logs:DescribeResourcePolicies',
        'logs:DescribeLogGroups',
      ],
      ['*'],
    ),
    ...statement(
      'Trace',
      [
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
      ],
      ['*'],
    ),
  ];
}
