import { Aws, CfnMapping, Fn } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** An image of AWS's Deep Learning Containers. */
export interface ContainerImage {
  readonly repository: string;
  readonly tag: string;
}

/**
 * PyTorch with CUDA, and the SageMaker training toolkit. AWS patches it until 28 September 2027:
 * https://aws.github.io/deep-learning-containers/reference/support_policy/
 */
export const TRAINING_IMAGE: ContainerImage = {
  repository: 'pytorch',
  tag: '2.14.0-cu133-amzn2023-sagemaker',
};

/** vLLM 0.27 with what SageMaker asks of a container: https://aws.github.io/deep-learning-containers/vllm/ */
export const ANSWERING_IMAGE: ContainerImage = { repository: 'vllm', tag: 'server-sagemaker-cuda-v2.3' };

const OF_MOST = '763104351884';

/** The account of the registry in each region. */
const ACCOUNTS: Readonly<Record<string, string>> = {
  'af-south-1': '626614931356',
  'ap-east-1': '871362719292',
  'ap-east-2': '975050140332',
  'ap-northeast-1': OF_MOST,
  'ap-northeast-2': OF_MOST,
  'ap-northeast-3': '364406365360',
  'ap-south-1': OF_MOST,
  'ap-south-2': '772153158452',
  'ap-southeast-1': OF_MOST,
  'ap-southeast-2': OF_MOST,
  'ap-southeast-3': '907027046896',
  'ap-southeast-4': '457447274322',
  'ap-southeast-5': '550225433462',
  'ap-southeast-7': '590183813437',
  'ca-central-1': OF_MOST,
  'ca-west-1': '204538143572',
  'cn-north-1': '727897471807',
  'cn-northwest-1': '727897471807',
  'eu-central-1': OF_MOST,
  'eu-central-2': '380420809688',
  'eu-north-1': OF_MOST,
  'eu-south-1': '692866216735',
  'eu-south-2': '503227376785',
  'eu-west-1': OF_MOST,
  'eu-west-2': OF_MOST,
  'eu-west-3': OF_MOST,
  'il-central-1': '780543022126',
  'me-central-1': '914824155844',
  'me-south-1': '217643126080',
  'mx-central-1': '637423239942',
  'sa-east-1': OF_MOST,
  'us-east-1': OF_MOST,
  'us-east-2': OF_MOST,
  'us-west-1': OF_MOST,
  'us-west-2': OF_MOST,
};

/** Regions that have the images. */
export const IMAGE_REGIONS: readonly string[] = Object.keys(ACCOUNTS);

/**
 * An image in the stack's region, and its account. Accounts and tags:
 * https://aws.github.io/deep-learning-containers/reference/available_images/
 */
export function containerImage(
  scope: Construct,
  id: string,
  { repository, tag }: ContainerImage,
): { readonly uri: string; readonly account: string } {
  const accounts = new CfnMapping(scope, id, {
    mapping: Object.fromEntries(Object.entries(ACCOUNTS).map(([region, account]) => [region, { account }])),
  });
  const account = Fn.findInMap(accounts.logicalId, Aws.REGION, 'account');
  const registry = `${account}.dkr.ecr.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  return { uri: `${registry}/${repository}:${tag}`, account };
}
