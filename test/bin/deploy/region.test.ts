import { expect, it } from 'vitest';
import { lacksOfRegion } from '#bin/deploy/region.ts';
import { loadConfig } from '#infra/config.ts';

const configOf = (settings: Record<string, string> = {}) =>
  loadConfig(() => undefined, { STAGE: 'dev', MODEL_ID: 'vendor.model', ...settings });

const STREAMS = '{"ResponseTransferMode":{"enum":["BUFFERED","STREAM"]}}';
const DOMAIN = {
  API_DOMAIN: 'api.example.org',
  API_CERTIFICATE_ARN: 'arn:aws:acm:eu-west-1:123456789012:certificate/0f-1',
};
const GPU = { SAGEMAKER_INSTANCE_TYPE: 'ml.g5.2xlarge' };

it('A region that has all that the settings ask for lacks nothing', () => {
  expect(lacksOfRegion(configOf({ ...DOMAIN, ...GPU }), 'eu-west-1', STREAMS)).toEqual([]);
});

it('A region whose API Gateway cannot stream is told by its name', () => {
  expect(lacksOfRegion(configOf(), 'xx-new-1', '{}')).toEqual([
    expect.stringContaining('streams no answers in xx-new-1'),
  ]);
});

it('A region whose schema may not be read is not taken for one that cannot stream', () => {
  expect(lacksOfRegion(configOf(), 'xx-new-1', null)).toEqual([]);
});

it('GovCloud has no image of the trainer, which matters where SageMaker trains', () => {
  expect(lacksOfRegion(configOf(GPU), 'us-gov-west-1', STREAMS)).toEqual([
    expect.stringContaining('no image of the trainer for SageMaker in us-gov-west-1'),
  ]);
  expect(lacksOfRegion(configOf(), 'us-gov-west-1', STREAMS)).toEqual([]);
});

it('A region in which Amazon Bedrock imports no models is told with those in which it does', () => {
  const config = configOf({ TRAINED_MODELS: 'amazon_bedrock' });

  expect(lacksOfRegion(config, 'eu-west-1', STREAMS)).toEqual([
    'Amazon Bedrock imports no models in eu-west-1, but in eu-central-1, us-east-1, us-east-2, us-west-2: set TRAINED_MODELS=amazon_sagemaker, or take another region.',
  ]);
  expect(lacksOfRegion(config, 'eu-central-1', STREAMS)).toEqual([]);
});

it('A region in which Amazon Bedrock imports no models lacks nothing where endpoints of SageMaker answer too', () => {
  const config = configOf({ TRAINED_MODELS: 'amazon_bedrock,amazon_sagemaker' });

  expect(lacksOfRegion(config, 'eu-west-1', STREAMS)).toEqual([]);
  expect(lacksOfRegion(config, 'us-gov-west-1', STREAMS)).toEqual([
    expect.stringContaining('no image for endpoints of SageMaker in us-gov-west-1'),
  ]);
});

it('A key of another region is told with both regions', () => {
  const config = configOf({ KMS_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/0f-1' });

  expect(lacksOfRegion(config, 'us-east-1', STREAMS)).toEqual([
    'The key of KMS_KEY_ARN is in eu-west-1, and the stage in us-east-1: take a key there.',
  ]);
  expect(lacksOfRegion(config, 'eu-west-1', STREAMS)).toEqual([]);
});

it('A certificate of another region is told with both regions', () => {
  expect(lacksOfRegion(configOf(DOMAIN), 'us-east-1', STREAMS)).toEqual([
    'The certificate of API_CERTIFICATE_ARN is in eu-west-1, and the stage in us-east-1: make one there.',
  ]);
});

it.each([
  [{ API_DOMAIN: 'api.example.org' }, 'API_CERTIFICATE_ARN is missing'],
  [{ API_CERTIFICATE_ARN: DOMAIN.API_CERTIFICATE_ARN }, 'API_DOMAIN is missing'],
  [{ ...DOMAIN, API_DOMAIN: 'https://api.example.org' }, 'API_DOMAIN must be a host name'],
  [{ ...DOMAIN, API_DOMAIN: 'localhost' }, 'API_DOMAIN must be a host name'],
  [{ ...DOMAIN, API_CERTIFICATE_ARN: 'certificate' }, 'API_CERTIFICATE_ARN must be the ARN'],
  [
    { ...DOMAIN, STAGE: 'local', AWS_ENDPOINT_URL: 'http://localhost:4566' },
    'API_DOMAIN is for a stage on AWS',
  ],
])('The settings %j of an address are refused by name', (settings, message) => {
  expect(() => configOf(settings as unknown as Record<string, string>)).toThrow(message);
});
