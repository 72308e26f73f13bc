import type { Config } from '#infra/config.ts';
import { TRAINING_REGIONS } from '#infra/training-image.ts';

/**
 * What a region lacks of what the settings ask for; empty if nothing.
 * @param methodSchema CloudFormation's schema of a method of API Gateway in the region; null if it is not known
 */
export function lacksOfRegion(
  { sagemaker, domain, emulated }: Pick<Config, 'sagemaker' | 'domain' | 'emulated'>,
  region: string,
  methodSchema: string | null,
): string[] {
  if (emulated) return [];
  const certificateRegion = domain?.certificateArn.split(':')[3];
  return [
    ...(methodSchema === null || methodSchema.includes('ResponseTransferMode')
      ? []
      : [`API Gateway streams no answers in ${region}, which POST /responses needs: take another region.`]),
    ...(sagemaker === null || TRAINING_REGIONS.includes(region)
      ? []
      : [
          `AWS has no image of the trainer for SageMaker in ${region}: unset SAGEMAKER_INSTANCE_TYPE, and run the trainer on machines of yours.`,
        ]),
    ...(certificateRegion === undefined || certificateRegion === region
      ? []
      : [
          `The certificate of API_CERTIFICATE_ARN is in ${certificateRegion}, and the stage in ${region}: make one there.`,
        ]),
  ];
}
