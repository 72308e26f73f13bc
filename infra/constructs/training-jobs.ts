import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import { bucketPrefixes } from '#shared/platform/runtime/uses.ts';
import type { Network } from '#shared/platform/schema/network.ts';
import type { Config } from '../config.ts';
import { type ContainerImage, containerImage, TRAINING_IMAGE } from '../container-image.ts';
import type { DataResources, TrainingJobResources } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { trainerBundlePath } from '../names.ts';
import { sageMaker } from './sagemaker.ts';

const LOG_GROUP = '/aws/sagemaker/TrainingJobs';

/**
 * What SageMaker does in a private network with the role of a job or of a model. EC2 takes most of it for no single resource:
 * https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-roles.html#sagemaker-roles-createtrainingjob-perms
 */
export function networkStatements(network: Network | null): PolicyStatement[] {
  if (network === null) return [];
  return [
    new PolicyStatement({
      sid: 'JoinNetwork',
      actions: [
        'ec2:CreateNetworkInterface',
        'ec2:CreateNetworkInterfacePermission',
        'ec2:DeleteNetworkInterface',
        'ec2:DeleteNetworkInterfacePermission',
        'ec2:DescribeDhcpOptions',
        'ec2:DescribeNetworkInterfaces',
        'ec2:DescribeSecurityGroups',
        'ec2:DescribeSubnets',
        'ec2:DescribeVpcs',
      ],
      resources: ['*'],
    }),
  ];
}

/** What SageMaker does to fetch an image of AWS's. */
export const imageStatements = (
  stack: Stack,
  { repository }: ContainerImage,
  account: string,
): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'SignInToRegistry',
    actions: ['ecr:GetAuthorizationToken'],
    resources: ['*'],
  }),
  new PolicyStatement({
    sid: 'PullImage',
    actions: ['ecr:BatchCheckLayerAvailability', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchGetImage'],
    resources: [
      stack.formatArn({ service: 'ecr', account, resource: 'repository', resourceName: repository }),
    ],
  }),
];

/** What SageMaker does to show how busy its instances are: `namespace` is the one that CloudWatch lists them in. */
export const metricStatements = (namespace: 'TrainingJobs' | 'Endpoints'): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'WriteInstanceMetrics',
    actions: ['cloudwatch:PutMetricData'],
    resources: ['*'],
    conditions: { StringEquals: { 'cloudwatch:namespace': `/aws/sagemaker/${namespace}` } },
  }),
];

/** The source bundle, image and role of SageMaker's training jobs. */
export class TrainingJobs extends Construct implements TrainingJobResources {
  readonly imageUri: string;
  readonly sourceUrl: string;
  readonly roleArn: string;

  /** @param trainerStatements what every trainer may */
  constructor(
    scope: Construct,
    id: string,
    config: Config,
    { bucket }: DataResources,
    trainerStatements: PolicyStatement[],
  ) {
    super(scope, id);
    const stack = Stack.of(this);
    const image = containerImage(this, 'TrainingImages', TRAINING_IMAGE);
    const source = new Asset(this, 'Source', { path: trainerBundlePath(config.assetRoot) });
    const bucketArn = `arn:${stack.partition}:s3:::${source.s3BucketName}`;
    const sourceArn = `${bucketArn}/${source.s3ObjectKey}`;
    const logs = (resource: string): string =>
      stack.formatArn({ service: 'logs', resource, arnFormat: ArnFormat.COLON_RESOURCE_NAME });

    const role = new Role(this, 'Role', {
      assumedBy: sageMaker(stack),
      ...keyPolicyOf(this, config),
      description: 'For training jobs: what a trainer may, its image, its source and its log.',
      inlinePolicies: {
        Train: new PolicyDocument({ statements: trainerStatements }),
        Run: new PolicyDocument({
          statements: [
            new PolicyStatement({
              sid: 'ReadSource',
              actions: ['s3:GetObject'],
              resources: [sourceArn],
            }),
            // Where the CDK was bootstrapped with a key for its bucket, whose name no template knows. S3 decrypts in the
            // context of the object, or of the bucket where that has a bucket key:
            // https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html#encryption-context
            new PolicyStatement({
              sid: 'DecryptSource',
              actions: ['kms:Decrypt'],
              resources: [stack.formatArn({ service: 'kms', resource: 'key', resourceName: '*' })],
              conditions: {
                StringLike: {
                  // China's name of the service ends in `.cn`.
                  'kms:ViaService': `s3.${stack.region}.amazonaws.com*`,
                  'kms:EncryptionContext:aws:s3:arn': [bucketArn, sourceArn],
                },
              },
            }),
            // What SageMaker itself leaves of a job. Nothing is read of it.
            new PolicyStatement({
              sid: 'WriteJobOutput',
              actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
              resources: [
                bucket.arnForObjects(`${bucketPrefixes.trainings}*/iterations/*/attempts/*/sagemaker/*`),
              ],
            }),
            ...imageStatements(stack, TRAINING_IMAGE, image.account),
            ...metricStatements('TrainingJobs'),
            ...networkStatements(config.sagemaker?.network ?? null),
            new PolicyStatement({
              sid: 'WriteTrainingLogs',
              actions: [
                'logs:CreateLogGroup',
                'logs:CreateLogStream',
                'logs:DescribeLogStreams',
                'logs:PutLogEvents',
              ],
              resources: [logs(`log-group:${LOG_GROUP}`), logs(`log-group:${LOG_GROUP}:*`)],
            }),
          ],
        }),
      },
    });

    this.imageUri = image.uri;
    this.sourceUrl = source.s3ObjectUrl;
    this.roleArn = role.roleArn;
  }
}
