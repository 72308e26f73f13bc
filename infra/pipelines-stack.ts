import { CfnOutput, Duration, Lazy, Stack, type StackProps } from 'aws-cdk-lib';
import { type EventPattern, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type IFunction,
  LayerVersion,
  Runtime,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { BackgroundFunction, Trigger } from '#shared/platform/pipelines/background.ts';
import type { QueueName, TaskContract } from '#shared/platform/pipelines/pipeline.ts';
import {
  backgroundFunctions,
  probeFunctions,
  telemetryFunctions,
  trainingJobFunctions,
} from '#shared/service/pipelines/background.ts';
import { pipelines } from '#shared/service/pipelines/index.ts';
import { forwardTelemetry } from '#shared/telemetry/background.ts';
import { lendCredentials } from '#shared/training/background.ts';
import { deliverWebhook } from '#shared/webhooks/background.ts';
import type { Config } from './config.ts';
import { addAttemptRole } from './constructs/attempt-role.ts';
import { addBatchJobRole } from './constructs/batch-job-role.ts';
import { addModelEndpoints } from './constructs/model-endpoints.ts';
import { addModelImportRole } from './constructs/model-import-role.ts';
import { Pipeline } from './constructs/pipeline.ts';
import { ServiceFunction } from './constructs/service-function.ts';
import { TrainingJobs } from './constructs/training-jobs.ts';
import {
  type DataResources,
  functionArn,
  type Resources,
  stateMachineArn,
  tokenResources,
} from './grants.ts';
import { keyStatement, queueEncryption } from './key.ts';
import { constructIdOf, layerPath, queueName, taskFunctionId, trainingJobPrefix } from './names.ts';
import { permissionsOf } from './permissions.ts';
import { removalPolicy } from './retention.ts';
import { forwardLogs, permitForwarding } from './telemetry.ts';

/** AWS advises six times the time that the function has; an emulator is not throttled, and tests wait for it. */
const VISIBILITY_SECONDS = 120;
const EMULATED_VISIBILITY_SECONDS = 25;

/**
 * A message counts as received also when Lambda has no place for its function. It waits for one as long as a task of a state
 * machine does (`throttled` in statemachines/policies.yaml): 80 minutes of visibility.
 */
const RECEIVES_MAX = 40;

/** The least that an event source takes; each message is handled within seconds. */
const MESSAGES_AT_ONCE = 2;

/** The state machines with their tasks, and the functions that stand outside of any machine. */
export class PipelinesStack extends Stack {
  private readonly config: Config;
  private readonly data: Resources;
  private readonly duckdb: LayerVersion;
  private readonly queues: ReadonlyMap<QueueName, Queue>;
  /** Events that failed for good. */
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, config: Config, data: DataResources, props?: StackProps) {
    super(scope, id, props);
    this.config = config;
    this.addTrainerPolicy(data);
    const { roleArn: attemptRoleArn } = addAttemptRole(this, config, data, this.lenderRoleArn());
    this.data = {
      table: data.table,
      bucket: data.bucket,
      eventBus: data.eventBus,
      trainerQueues: data.trainerQueues,
      attemptRoleArn,
      ...(config.sagemaker === null
        ? {}
        : {
            trainingJobs: new TrainingJobs(this, 'TrainingJobs', config, data, this.trainerStatements()),
          }),
      ...(config.model.provider === 'bedrock' && config.model.batchJobs
        ? { batchJobRoleArn: addBatchJobRole(this, config, data).roleArn }
        : {}),
      ...(config.trainedModels?.platforms.includes('amazon_bedrock') === true
        ? { modelImportRoleArn: addModelImportRole(this, config, data).roleArn }
        : {}),
      ...(config.trainedModels?.platforms.includes('amazon_sagemaker') === true
        ? { modelEndpoints: addModelEndpoints(this, config, data) }
        : {}),
    };

    this.duckdb = new LayerVersion(this, 'DuckdbLayer', {
      code: Code.fromAsset(layerPath(config.assetRoot, 'duckdb')),
      compatibleRuntimes: [Runtime.NODEJS_24_X],
      compatibleArchitectures: [Architecture.X86_64],
      description: 'DuckDB with its Node.js binding',
    });
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...queueEncryption(this, 'DeadLetters', config),
      // An emulator is reached over plain http, which this refuses.
      enforceSSL: !config.emulated,
      retentionPeriod: Duration.days(14),
      removalPolicy: removalPolicy(config),
    });

    this.queues = new Map([
      [
        'attempts',
        new Queue(this, 'Attempts', {
          queueName: queueName(config.stage, 'attempts'),
          ...queueEncryption(this, 'Attempts', config),
          enforceSSL: !config.emulated,
          visibilityTimeout: Duration.seconds(
            config.emulated ? EMULATED_VISIBILITY_SECONDS : VISIBILITY_SECONDS,
          ),
          deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: RECEIVES_MAX },
        }),
      ],
    ]);

    for (const contract of pipelines) {
      for (const [name, task] of Object.entries(contract.tasks)) {
        this.addFunction(taskFunctionId(contract.id, name), `${contract.description}: ${name}`, task);
      }
    }
    for (const contract of pipelines) {
      const { stateMachine } = new Pipeline(this, `${constructIdOf(contract.id)}Pipeline`, {
        contract,
        all: pipelines,
        queues: this.queues,
        config,
        data,
      });
      new CfnOutput(this, `${constructIdOf(contract.id)}StateMachineArn`, {
        value: stateMachine.stateMachineArn,
      });
    }
    for (const contract of backgroundFunctions) this.addBackgroundFunction(contract);
    if (config.sagemaker !== null) {
      for (const contract of trainingJobFunctions) this.addBackgroundFunction(contract);
    }
    if (config.probe) {
      for (const contract of probeFunctions) this.addBackgroundFunction(contract);
    }
    if (config.telemetry !== null) {
      for (const contract of telemetryFunctions) this.addBackgroundFunction(contract);
      const permission = permitForwarding(this, config);
      permission.node.addDependency(this.node.findChild(constructIdOf(forwardTelemetry.id)));
      forwardLogs(this, config, [permission]);
    }
  }

  private addFunction(
    functionId: string,
    description: string,
    task: TaskContract,
    asynchronous: {
      deadLetterQueue?: Queue | undefined;
      takesFrom?: Queue | undefined;
      readsStream?: boolean;
      waitsMinutes?: number | undefined;
      reservedConcurrency?: number | null;
    } = {},
  ) {
    const {
      deadLetterQueue,
      takesFrom,
      readsStream = false,
      waitsMinutes,
      reservedConcurrency = null,
    } = asynchronous;
    return new ServiceFunction(this, constructIdOf(functionId), {
      functionId,
      description,
      uses: permissionsOf(functionId),
      memoryMb: task.memoryMb,
      timeoutSeconds: task.timeoutSeconds,
      ...(task.ephemeralStorageMb === undefined ? {} : { ephemeralStorageMb: task.ephemeralStorageMb }),
      ...(task.layers?.includes('duckdb') ? { layers: [this.duckdb] } : {}),
      isSealed: task.isSealed === true,
      deadLetterQueue,
      ...(takesFrom === undefined ? {} : { takesFrom }),
      readsStream,
      waitsMinutes,
      reservedConcurrency,
      config: this.config,
      data: this.data,
    }).function;
  }

  /** What each trainer may, whoever runs it: have credentials lent for the attempt that it was given, and report it. */
  private trainerStatements(): PolicyStatement[] {
    const { stage } = this.config;
    return [
      new PolicyStatement({
        sid: 'BorrowCredentials',
        actions: ['lambda:InvokeFunction'],
        resources: [functionArn(this, stage, lendCredentials.id)],
      }),
      new PolicyStatement({
        sid: 'Report',
        actions: ['states:SendTaskSuccess', 'states:SendTaskFailure', 'states:SendTaskHeartbeat'],
        resources: tokenResources(this.config, [stateMachineArn(this, stage, 'train')]),
      }),
    ];
  }

  /** For trainers that take jobs from a queue. */
  private addTrainerPolicy({ trainerQueues }: DataResources): void {
    const policy = new ManagedPolicy(this, 'TrainerPolicy', {
      description: 'For the machines that train: take jobs, borrow credentials for them, report.',
      statements: [
        new PolicyStatement({
          sid: 'TakeJobs',
          actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
          resources: [...trainerQueues.values()].map(({ queueArn }) => queueArn),
        }),
        ...this.trainerStatements(),
        ...(this.config.keyArn === null ? [] : [keyStatement(this, this.config.keyArn)]),
      ],
    });
    new CfnOutput(this, 'TrainerPolicyArn', { value: policy.managedPolicyArn });
  }

  /** The role of the function that lends credentials, which is made after the role that it assumes. */
  private lenderRoleArn(): string {
    const produce = (): string => {
      const lender = this.node.findChild(constructIdOf(lendCredentials.id)) as ServiceFunction;
      return lender.role.roleArn;
    };
    return Lazy.string({ produce });
  }

  /** The queue whose messages set a function off, if any do. */
  private sourceOf(trigger: Trigger): Queue | undefined {
    if (trigger.kind === 'queue') return this.queues.get(trigger.queue);
    return trigger.kind === 'trainer-queue' ? this.data.trainerQueues.get(trigger.trainer) : undefined;
  }

  /** Executions that the operator keeps for a function. */
  private reservedFor({ id }: BackgroundFunction): number | null {
    if (id === deliverWebhook.id) return this.config.concurrency.webhooks;
    return id === forwardTelemetry.id ? (this.config.telemetry?.concurrency ?? null) : null;
  }

  private addBackgroundFunction(contract: BackgroundFunction): void {
    const { trigger } = contract;
    const source = this.sourceOf(trigger);
    const isSwept = trigger.kind === 'invoke' && 'isSwept' in trigger;
    const isGivenUp = trigger.kind === 'invoke' && trigger.retries === 0;
    const isOfLogs = trigger.kind === 'logs';
    const handler = this.addFunction(contract.id, `Background function ${contract.id}`, contract, {
      deadLetterQueue:
        isSwept || contract.isSealed === true || trigger.kind === 'logs' ? undefined : this.deadLetters,
      takesFrom: source,
      readsStream: trigger.kind === 'outbox',
      // What waits for executions that are kept for others is sent later, up to the most that Lambda keeps it.
      waitsMinutes: isSwept ? 1 : isGivenUp ? 5 : isOfLogs ? 360 : undefined,
      reservedConcurrency: this.reservedFor(contract),
    });
    if (source !== undefined) {
      new EventSourceMapping(this, `${constructIdOf(contract.id)}Source`, {
        target: handler,
        eventSourceArn: source.queueArn,
        batchSize: 1,
        // Lambda would begin with five at once, which is half of what a new account has. An emulator has no such setting.
        ...(this.config.emulated ? {} : { maxConcurrency: MESSAGES_AT_ONCE }),
        ...(trigger.kind === 'trainer-queue' ? { reportBatchItemFailures: true } : {}),
      });
    }
    if (trigger.kind === 'outbox') this.subscribeToOutbox(contract.id, handler);
    const eventPattern = this.eventsOf(trigger);
    if (trigger.kind !== 'schedule' && eventPattern === null) return;
    const target = new LambdaTarget(handler, { deadLetterQueue: this.deadLetters, retryAttempts: 5 });
    new Rule(this, `${constructIdOf(contract.id)}Rule`, {
      targets: [target],
      ...(trigger.kind === 'schedule'
        ? { schedule: Schedule.rate(Duration.minutes(trigger.everyMinutes)) }
        : {}),
      ...(eventPattern === null ? {} : { eventPattern }),
    });
  }

  /** The sweep publishes what a batch that fails for good leaves. */
  private subscribeToOutbox(functionId: string, target: IFunction): void {
    new EventSourceMapping(this, `${constructIdOf(functionId)}Source`, {
      target,
      ...(this.data.table.tableStreamArn === undefined
        ? {}
        : { eventSourceArn: this.data.table.tableStreamArn }),
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      retryAttempts: 3,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: { Keys: { pk: { S: FilterRule.beginsWith('OUTBOX#') } } },
        }),
      ],
    });
  }

  /** The events that set a function off, if any do. */
  private eventsOf(trigger: Trigger): EventPattern | null {
    const { stage } = this.config;
    if (trigger.kind === 'training-jobs') {
      return {
        source: ['aws.sagemaker'],
        detailType: ['SageMaker Training Job State Change'],
        detail: { TrainingJobName: [{ prefix: trainingJobPrefix(stage) }] },
      };
    }
    if (trigger.kind !== 'ended-executions') return null;
    return {
      source: ['aws.states'],
      detailType: ['Step Functions Execution Status Change'],
      detail: {
        status: ['FAILED', 'ABORTED', 'TIMED_OUT'],
        stateMachineArn: trigger.pipelines.map((id) => stateMachineArn(this, stage, id)),
      },
    };
  }
}
