import { ArnFormat, Stack } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { ANSWERING_IMAGE, containerImage } from '../container-image.ts';
import type { DataResources, ModelEndpointResources } from '../grants.ts';
import { keyPolicyOf } from '../key.ts';
import { modelEndpointPrefix } from '../names.ts';
import { mergedModelStatements } from './model-import-role.ts';
import { sageMaker } from './sagemaker.ts';
import { imageStatements, metricStatements, networkStatements } from './training-jobs.ts';

/**
 * The image of endpoints of SageMaker, and the role that it assumes for them: it reads the files of merged models, and writes
 * logs (https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-roles.html#sagemaker-roles-createmodel-perms).
 */
export function addModelEndpoints(
  scope: Construct,
  config: Config,
  data: DataResources,
): ModelEndpointResources {
  const stack = Stack.of(scope);
  const image = containerImage(scope, 'EndpointImages', ANSWERING_IMAGE);
  const logs = ['Endpoints', 'InferenceComponents'].map((kind) =>
    stack.formatArn({
      service: 'logs',
      resource: `log-group:/aws/sagemaker/${kind}/${modelEndpointPrefix(config.stage)}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    }),
  );
  const role = new Role(scope, 'ModelEndpointRole', {
    assumedBy: sageMaker(stack),
    ...keyPolicyOf(scope, config),
    description: 'For endpoints of SageMaker: the files of merged models, the image and the logs.',
    inlinePolicies: {
      Answer: new PolicyDocument({
        statements: [
          ...mergedModelStatements(scope, data),
          ...imageStatements(stack, ANSWERING_IMAGE, image.account),
          ...metricStatements('Endpoints'),
          ...networkStatements(config.trainedModels?.network ?? null),
          new PolicyStatement({
            sid: 'WriteEndpointLogs',
            actions: [
              'logs:CreateLogGroup',
              'logs:CreateLogStream',
              'logs:DescribeLogStreams',
              'logs:PutLogEvents',
            ],
            resources: logs,
          }),
        ],
      }),
    },
  });
  return { imageUri: image.uri, roleArn: role.roleArn };
}
