import type { Config } from '#infra/config.ts';
import { IMAGE_REGIONS } from '#infra/container-image.ts';
import { IMPORT_REGIONS } from '#shared/deployments/decide/deployable.ts';

/**
 * What a region lacks of what the settings ask for; empty if nothing.
 * @param methodSchema CloudFormation's schema of a method of API Gateway in the region; null if it is not known
 */
export function lacksOfRegion(
  {
    sagemaker,
    domain,
    emulated,
    trainedModels,
    keyArn,
  }: Pick<Config, 'sagemaker' | 'domain' | 'emulated' | 'trainedModels' | 'keyArn'>,
  region: string,
  methodSchema: string | null,
): string[] {
  if (emulated) return [];
  const keyRegion = keyArn?.split(':')[3];
  const certificateRegion = domain?.certificateArn.split(':')[3];
  return [
    ...(methodSchema === null || methodSchema.includes('ResponseTransferMode')
      ? []
      : [`API Gateway streams no answers in ${region}, which POST /responses needs: take another region.`]),
    ...(sagemaker === null || IMAGE_REGIONS.includes(region)
      ? []
      : [
          `AWS has no image of the trainer for SageMaker in ${region}: unset SAGEMAKER_INSTANCE_TYPE, and run the trainer on machines of yours.`,
        ]),
    ...(trainedModels?.platforms.includes('amazon_bedrock') !== true ||
    trainedModels.platforms.includes('amazon_sagemaker') ||
    IMPORT_REGIONS.includes(region)
      ? []
      : [
          `Amazon Bedrock imports no models in ${region}, but in ${IMPORT_REGIONS.join(', ')}: set TRAINED_MODELS=amazon_sagemaker, or take another region.`,
        ]),
    ...(trainedModels?.platforms.includes('amazon_sagemaker') !== true || IMAGE_REGIONS.includes(region)
      ? []
      : [
          `AWS has no image for endpoints of SageMaker in ${region}: leave amazon_sagemaker out of TRAINED_MODELS, or take another region.`,
        ]),
    ...(keyRegion === undefined || keyRegion === region
      ? []
      : [`The key of KMS_KEY_ARN is in ${keyRegion}, and the stage in ${region}: take a key there.`]),
    ...(certificateRegion === undefined || certificateRegion === region
      ? []
      : [
          `The certificate of API_CERTIFICATE_ARN is in ${certificateRegion}, and the stage in ${region}: make one there.`,
        ]),
  ];
}
