import type { Stack } from 'aws-cdk-lib';
import { type IPrincipal, ServicePrincipal } from 'aws-cdk-lib/aws-iam';

/** SageMaker, for the account of a stack alone (https://docs.aws.amazon.com/sagemaker/latest/dg/security-confused-deputy-prevention.html). */
export const sageMaker = ({ account }: Pick<Stack, 'account'>): IPrincipal =>
  new ServicePrincipal('sagemaker.amazonaws.com', {
    conditions: { StringEquals: { 'aws:SourceAccount': account } },
  });
