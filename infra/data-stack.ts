import { CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import { DomainName, EndpointType, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AttributeType, BillingMode, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { CORS_SECONDS } from '#shared/platform/contracts/cors.ts';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import { DATA_FORMAT } from '#shared/platform/schema/release.ts';
import type { Trainer } from '#shared/training/schema/training.ts';
import type { Config } from './config.ts';
import { type DataResources, secretName, TABLE_INDEXES } from './grants.ts';
import { keyFor, queueEncryption } from './key.ts';
import { BUCKET_METRICS_FILTER, constructIdOf, eventBusName, trainerQueueName } from './names.ts';
import { removalPolicy } from './retention.ts';

/**
 * The origins of the console's page, as a pattern: the id of the API is not known before the bucket exists. What a page
 * may exchange with the bucket still needs a presigned URL, which only a caller with a key gets. A page at `API_DOMAIN`
 * is allowed besides.
 */
const consoleOrigins = ({ region, urlSuffix }: Stack, { emulatorUrl }: Config): string =>
  emulatorUrl === null ? `https://*.execute-api.${region}.${urlSuffix}` : 'http://127.0.0.1:*';

const INDEX_RANGES: Record<(typeof TABLE_INDEXES)[number], string> = {
  by_created: 'list_created',
  by_updated: 'list_updated',
  by_name: 'list_name',
};

/** Objects on their way, or made again on request: their earlier versions are of no use. */
const NOT_RESTORED = { noncurrentVersionExpiration: Duration.days(1) } as const;

/** Every two minutes, for the six hours of the claim timeout. */
const RECEIVES_WHILE_QUOTA_IS_USED_UP = 180;

/**
 * Everything that outlives a deployment: the table, the bucket, the secrets. In production the stack has termination
 * protection, and the table and the bucket are retained even after a deletion.
 */
export class DataStack extends Stack implements DataResources {
  readonly table: Table;
  readonly bucket: Bucket;
  /** Events of all teams, for the operator's own rules. */
  readonly eventBus: EventBus;
  readonly trainerQueues: ReadonlyMap<Trainer, Queue>;
  /** The dead-letter queue of jobs that no trainer could read. */
  readonly unreadableJobs: Queue;

  constructor(scope: Construct, id: string, config: Config, props?: StackProps) {
    super(scope, id, { ...props, terminationProtection: config.retain });
    this.table = this.addTable(config);
    this.bucket = this.addBucket(config);
    this.eventBus = new EventBus(this, 'Events', { eventBusName: eventBusName(config.stage) });
    this.unreadableJobs = new Queue(this, 'UnreadableJobs', queueProps(this, 'UnreadableJobs', config));
    this.trainerQueues = this.addTrainerQueues(config);
    this.addSecrets(config);
    if (config.domain !== null) this.addDomain(config.domain);

    // `npm run deploy` reads it before it deploys a release that could not read the data.
    new CfnOutput(this, 'DataFormat', { value: String(DATA_FORMAT.written) });
    // A release whose roles may not use the key is not gone back to.
    if (config.keyArn !== null) new CfnOutput(this, 'KeyArn', { value: config.keyArn });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'EventBusName', { value: this.eventBus.eventBusName });
    new CfnOutput(this, 'BucketName', { value: this.bucket.bucketName });
    for (const [trainer, { queueUrl }] of this.trainerQueues) {
      new CfnOutput(this, `${constructIdOf(trainer)}TrainerQueueUrl`, { value: queueUrl });
    }
    new CfnOutput(this, 'ModelApiKeySecretName', {
      value: secretName(config.stage, 'model_api_key'),
    });
  }

  /**
   * The operator's address of the API. It outlives the API's stack: when that is deleted and deployed again, callers and DNS
   * records stay as they are.
   */
  private addDomain({ name, certificateArn }: NonNullable<Config['domain']>): void {
    const domain = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new CfnOutput(this, 'DomainTarget', {
      value: domain.domainNameAliasDomainName,
      description: `What a CNAME record of ${name} names`,
    });
    new CfnOutput(this, 'DomainTargetZone', {
      value: domain.domainNameAliasHostedZoneId,
      description: 'The zone of the target, for an alias record of Route 53',
    });
  }

  private addTable(config: Config): Table {
    const tableKey = keyFor(this, 'Table', config);
    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expires_at',
      // Sets off the function that publishes events, which reads the items itself.
      stream: StreamViewType.KEYS_ONLY,
      pointInTimeRecoverySpecification: {
        pointInTimeRecoveryEnabled: true,
        recoveryPeriodInDays: config.backupDays,
      },
      deletionProtection: config.retain,
      ...(tableKey === null ? {} : { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: tableKey }),
      removalPolicy: removalPolicy(config),
    });
    for (const indexName of TABLE_INDEXES) {
      table.addGlobalSecondaryIndex({
        indexName,
        partitionKey: { name: 'list_pk', type: AttributeType.STRING },
        sortKey: { name: INDEX_RANGES[indexName], type: AttributeType.STRING },
      });
    }
    return table;
  }

  private addBucket(config: Config): Bucket {
    const privately: BucketProps = {
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // An emulator uses plain HTTP, which this denies.
      enforceSSL: !config.emulated,
      removalPolicy: removalPolicy(config),
      // A CDK function empties it; an emulator's bucket is deleted with the emulator.
      autoDeleteObjects: !config.retain && !config.emulated,
    };
    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...privately,
      lifecycleRules: [{ id: 'expire', expiration: Duration.days(90) }],
    });
    const key = keyFor(this, 'Bucket', config);
    return new Bucket(this, 'Bucket', {
      ...privately,
      // A key of the bucket, so that not each object is a request to KMS. S3 writes access logs to no bucket with a key.
      ...(key === null
        ? {}
        : { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }),
      // Deleted and overwritten objects stay for as long as the table can be restored to the items that name them.
      versioned: true,
      serverAccessLogsBucket: accessLogs as IBucket,
      serverAccessLogsPrefix: 'data/',
      // Without it there is no metric of requests that S3 rejects. An emulator does not support it.
      ...(config.detailedMetrics && !config.emulated ? { metrics: [{ id: BUCKET_METRICS_FILTER }] } : {}),
      // Pages upload files with PUT, whose ETag confirms the content, and download with GET.
      cors: [
        {
          allowedOrigins: [
            consoleOrigins(this, config),
            ...(config.domain === null ? [] : [`https://${config.domain.name}`]),
            ...config.corsOrigins,
          ],
          allowedMethods: [HttpMethods.PUT, HttpMethods.GET, HttpMethods.HEAD],
          allowedHeaders: ['*'],
          exposedHeaders: ['ETag'],
          maxAge: CORS_SECONDS,
        },
      ],
      lifecycleRules: [
        { id: 'abort-incomplete-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
        {
          id: 'expire-earlier-versions',
          noncurrentVersionExpiration: Duration.days(config.backupDays),
          expiredObjectDeleteMarker: true,
        },
        // Quarantine: completed uploads have been copied, all others were abandoned.
        {
          id: 'expire-quarantine',
          prefix: bucketPrefixes.uploads,
          expiration: Duration.days(2),
          ...NOT_RESTORED,
        },
        // Files that are being read, and what they were converted to: a dataset has copies of its own.
        {
          id: 'expire-imports',
          prefix: bucketPrefixes.imports,
          expiration: Duration.days(2),
          ...NOT_RESTORED,
        },
        {
          id: 'expire-converted',
          prefix: bucketPrefixes.converted,
          expiration: Duration.days(2),
          ...NOT_RESTORED,
        },
        // Stored responses count as absent after 30 days.
        { id: 'expire-responses', prefix: bucketPrefixes.responses, expiration: Duration.days(31) },
        // Batches of requests, and what they left, count as absent after 30 days.
        { id: 'expire-batches', prefix: bucketPrefixes.batches, expiration: Duration.days(32) },
        // What batch jobs wrote is read within hours; a job that is cancelled may write when nobody reads any more.
        {
          id: 'expire-batch-outputs',
          prefix: bucketPrefixes.batchOutputs,
          expiration: Duration.days(3),
          ...NOT_RESTORED,
        },
        // Exports are rebuilt on request.
        {
          id: 'expire-exports',
          prefix: bucketPrefixes.exports,
          expiration: Duration.days(30),
          ...NOT_RESTORED,
        },
      ],
    });
  }

  private addTrainerQueues(config: Config): ReadonlyMap<Trainer, Queue> {
    return new Map(
      config.trainers.map((trainer) => [
        trainer,
        new Queue(this, `${constructIdOf(trainer)}Trainer`, {
          ...queueProps(this, constructIdOf(trainer), config),
          queueName: trainerQueueName(config.stage, trainer),
          // A job is used for hours, and the next deployment needs its name.
          removalPolicy: RemovalPolicy.DESTROY,
          // A trainer deletes its message as soon as it has claimed the job.
          visibilityTimeout: Duration.minutes(2),
          deadLetterQueue: {
            queue: this.unreadableJobs,
            maxReceiveCount:
              trainer === 'gpu' && config.sagemaker !== null ? RECEIVES_WHILE_QUOTA_IS_USED_UP : 5,
          },
        }),
      ]),
    );
  }

  private addSecrets(config: Config): void {
    new Secret(this, 'CursorSigning', {
      secretName: secretName(config.stage, 'cursor_signing'),
      description: 'Signs the cursors of list endpoints',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new Secret(this, 'WebhookSigning', {
      secretName: secretName(config.stage, 'webhook_signing'),
      description: 'The secrets of webhooks are derived from it',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new Secret(this, 'ModelApiKey', {
      secretName: secretName(config.stage, 'model_api_key'),
      description: 'Key of the OpenAI-compatible model; Bedrock needs none',
      // A placeholder: the key itself is stored in the secret and never in a template.
      secretStringValue: SecretValue.unsafePlainText('unset'),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    if (config.probe) {
      new Secret(this, 'ProbeAccess', {
        secretName: secretName(config.stage, 'probe_access'),
        description: 'Where the API is, and the key of the probe: npm run admin -- probe start',
        secretStringValue: SecretValue.unsafePlainText('unset'),
        removalPolicy: RemovalPolicy.DESTROY,
      });
    }
    if (config.telemetry === null) return;
    new Secret(this, 'TelemetryHeaders', {
      secretName: secretName(config.stage, 'telemetry_headers'),
      description: 'Headers for the receiver of OpenTelemetry: name=value,name=value',
      secretStringValue: SecretValue.unsafePlainText('unset'),
      removalPolicy: RemovalPolicy.DESTROY,
    });
  }
}

function queueProps(scope: Construct, id: string, config: Config): QueueProps {
  return {
    ...queueEncryption(scope, id, config),
    // An emulator uses plain HTTP, which this denies.
    enforceSSL: !config.emulated,
    retentionPeriod: Duration.days(14),
    removalPolicy: removalPolicy(config),
  };
}
