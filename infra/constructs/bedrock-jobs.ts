import type { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';

/** Amazon Bedrock, for jobs of one kind of the stack's account and region: nobody else has it assume the role. */
export const bedrockJobs = (
  stack: Stack,
  resource: 'model-invocation-job' | 'model-import-job',
): ServicePrincipal =>
  new ServicePrincipal('bedrock.amazonaws.com', {
    conditions: {
      StringEquals: { 'aws:SourceAccount': stack.account },
      ArnLike: { 'aws:SourceArn': stack.formatArn({ service: 'bedrock', resource, resourceName: '*' }) },
    },
  });
