import { ArnFormat, Stack } from 'aws-cdk-lib';
import {
  type IManagedPolicy,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import type { TrainingJobResources } from '../grants.ts';
import { trainerBundlePath } from '../names.ts';
import { TRAINING_REPOSITORY, trainingImage } from '../training-image.ts';

const LOG_GROUP = '/aws/sagemaker/TrainingJobs';

/** The source bundle, image and role of SageMaker's training jobs. */
export class TrainingJobs extends Construct implements TrainingJobResources {
  readonly imageUri: string;
  readonly sourceUrl: string;
  readonly roleArn: string;

  /** @param trainerPolicy what every trainer may */
  constructor(scope: Construct, id: string, config: Config, trainerPolicy: IManagedPolicy) {
    super(scope, id);
    const stack = Stack.of(this);
    const image = trainingImage(this);
    const source = new Asset(this, 'Source', { path: trainerBundlePath(config.assetRoot) });
    const logs = (resource: string): string =>
      stack.formatArn({ service: 'logs', resource, arnFormat: ArnFormat.COLON_RESOURCE_NAME });

    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('sagemaker.amazonaws.com'),
      description: 'For training jobs: what a trainer may, its image, its source and its log.',
      managedPolicies: [trainerPolicy],
      inlinePolicies: {
        Run: new PolicyDocument({
          statements: [
            new PolicyStatement({
              sid: 'ReadSource',
              actions: ['s3:GetObject'],
              resources: [`arn:${stack.partition}:s3:::${source.s3BucketName}/${source.s3ObjectKey}`],
            }),
            new PolicyStatement({
              sid: 'SignInToRegistry',
              actions: ['ecr:GetAuthorizationToken'],
              resources: ['*'],
            }),
            new PolicyStatement({
              sid: 'PullImage',
              actions: ['ecr:BatchCheckLayerAvailability', 'ecr:GetDownloadUrlForLayer', 'ecr:BatchGetImage'],
              resources: [
                stack.formatArn({
                  service: 'ecr',
                  account: image.account,
                  resource: 'repository',
                  resourceName: TRAINING_REPOSITORY,
                }),
              ],
            }),
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
