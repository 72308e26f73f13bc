import { expect, it, vi } from 'vitest';
import { adviseOn } from '#bin/deploy/model-advice.ts';
import { type AskedEndpoint, checkModels } from '#bin/deploy/model-check.ts';
import { MODEL_PROBES } from '#bin/deploy/model-probes.ts';
import { loadConfig } from '#infra/config.ts';
import { connectBedrock } from '#shared/models/adapters/bedrock.ts';
import { type GenerateRequest, ModelError } from '#shared/models/decide/port.ts';
import { MODEL_ROLES } from '#shared/platform/schema/model-role.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { startBedrockEndpoint } from '#test/helpers/bedrock-endpoint.ts';

const configOf = (settings: Record<string, string> = {}) =>
  loadConfig(() => undefined, { STAGE: 'dev', MODEL_ID: 'vendor.model', ...settings });

const options = { region: 'eu-central-1', timeoutSeconds: 5, leftOut: () => [] };

/** Models that take everything but what `refusal` throws for. */
function endpointOf(refusal: (what: string, modelId: string) => ModelError | null = () => null) {
  const asked: { readonly modelId: string; readonly request: GenerateRequest | 'stream' | 'embedding' }[] =
    [];
  const take = (modelId: string, request: GenerateRequest | 'stream' | 'embedding') => {
    asked.push({ modelId, request });
    const what = typeof request === 'string' ? request : (request.jsonSchema?.name ?? 'text');
    const error = refusal(what, modelId);
    if (error !== null) throw error;
  };
  const endpoint: AskedEndpoint = {
    model: (modelId) => ({
      modelId,
      generate: async (request) => {
        take(modelId, request);
        return { text: '{}', finishReason: 'stop', usage: { input_tokens: 1, output_tokens: 1 } };
      },
    }),
    embeddings: (modelId) => ({
      modelId,
      embed: async () => {
        take(modelId, 'embedding');
        return [new Float32Array([1])];
      },
    }),
    answering: (modelId) => ({
      modelId,
      forwards: () => false,
      async *answer() {
        take(modelId, 'stream');
        yield {
          type: 'end',
          reason: 'stop',
          usage: { input_tokens: 1, output_tokens: 1 },
        } as never;
      },
    }),
  };
  return { endpoint, asked };
}

it('The check of the models asks the model of each role every kind of request that the service makes of it', async () => {
  const { endpoint, asked } = endpointOf();
  const settings = Object.fromEntries(MODEL_ROLES.map((role) => [`MODEL_ID_${role.toUpperCase()}`, role]));

  const findings = await checkModels(configOf({ ...settings, RESPOND_MODELS: 'further' }), endpoint, options);

  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([]);
  for (const { role, request } of MODEL_PROBES) {
    expect(asked).toContainEqual({ modelId: role, request });
  }
  expect(asked.filter(({ request }) => request === 'stream').map(({ modelId }) => modelId)).toEqual([
    'respond',
    'further',
  ]);
  expect(asked).toContainEqual({ modelId: 'embed', request: 'embedding' });
  expect(asked).toHaveLength(MODEL_PROBES.length + 3);
});

it('The check of the models says which model refuses what, and why, once for each reason', async () => {
  const { endpoint } = endpointOf((what, modelId) =>
    modelId === 'weak' && what !== 'text'
      ? new ModelError('rejected', 'no schema', { requestField: 'text.format' })
      : null,
  );

  const findings = await checkModels(configOf({ MODEL_ID_JUDGE: 'weak' }), endpoint, options);

  const refused = findings.filter(({ state }) => state === 'missing');
  const names = MODEL_PROBES.filter(({ role }) => role === 'judge').map(
    ({ request }) => request.jsonSchema?.name,
  );
  expect(refused).toHaveLength(1);
  expect(refused[0]).toMatchObject({
    name: 'Model: judge',
    found: `weak refuses ${names.join(', ')}: no schema`,
    advice: expect.stringContaining('set MODEL_ID_JUDGE to a model with structured outputs'),
  });
});

it('The check of the models says what a model that answers does not take, and what is lost by it', async () => {
  const { endpoint } = endpointOf();
  const leftOut = (modelId: string): OptionalPart[] =>
    modelId === 'plain' ? ['schema', 'temperature'] : ['seed', 'prompt_cache'];

  const findings = await checkModels(configOf({ MODEL_ID_JUDGE: 'plain' }), endpoint, {
    ...options,
    leftOut,
  });

  expect(findings.find(({ name }) => name === 'Model: judge')).toMatchObject({
    state: 'note',
    found: expect.stringMatching(/^plain answers: .*; it takes no JSON schema, no temperature$/),
    advice: expect.stringMatching(/Without a schema .*Without a temperature .*MODEL_ID_JUDGE/),
  });
  expect(findings.find(({ name }) => name === 'Model: rewrite')).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/; it takes no seed, no prompt cache$/),
  });
});

it('The check of the models ends where a model says nothing', async () => {
  const { endpoint } = endpointOf();
  const silent: AskedEndpoint = {
    ...endpoint,
    model: (modelId) => ({
      modelId,
      generate: (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    }),
  };

  const findings = await checkModels(configOf(), silent, { ...options, timeoutSeconds: 0.05 });

  expect(findings.find(({ name }) => name === 'Model: judge')).toMatchObject({ state: 'missing' });
});

it('The check of the models notes a role without a model', async () => {
  const config = configOf({ MODEL_BASE_URL: 'http://127.0.0.1:1/v1' });

  const findings = await checkModels(config, endpointOf().endpoint, options);

  expect(findings.find(({ name }) => name === 'Model: embed')).toMatchObject({ state: 'note' });
});

const bedrock = (name: string, message: string, kind: ModelError['kind'] = 'misconfigured') =>
  adviseOn(new ModelError(kind, 'refused', { cause: Object.assign(new Error(message), { name }) }), {
    provider: 'bedrock',
    region: 'eu-central-1',
    setting: 'MODEL_ID_JUDGE',
  });

it.each([
  [
    'ResourceNotFoundException',
    'Model use case details have not been submitted for this account. Fill out the Anthropic use case details form before using the model.',
    /Anthropic asks each account once/,
  ],
  [
    'AccessDeniedException',
    'Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions (aws-marketplace:ViewSubscriptions, aws-marketplace:Subscribe) to enable access to this model.',
    /aws-marketplace:Subscribe and aws-marketplace:ViewSubscriptions/,
  ],
  [
    'AccessDeniedException',
    'Model access is denied due to INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided. Your AWS Marketplace subscription for this model cannot be completed at this time.',
    /way of payment/,
  ],
  [
    'AccessDeniedException',
    'User: arn:aws:iam::1:user/ann is not authorized to perform: bedrock:InvokeModel on resource: arn because no identity-based policy allows the bedrock:InvokeModel action',
    /^Allow bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream/,
  ],
  [
    'AccessDeniedException',
    'User: arn is not authorized to perform: bedrock:InvokeModel on resource: arn with an explicit deny in a service control policy',
    /policies of the organization/,
  ],
  [
    'AccessDeniedException',
    "You don't have access to the model with the specified model ID.",
    /without a request/,
  ],
  [
    'ResourceNotFoundException',
    'Access denied. This Model is marked by provider as Legacy and you have not been actively using the model in the last 15 days.',
    /retired/,
  ],
  [
    'ResourceNotFoundException',
    'Could not find the model',
    /no such model in eu-central-1.*MODEL_ID_JUDGE|There is no such model in eu-central-1/,
  ],
  ['ExpiredTokenException', 'The security token included in the request is expired', /Sign in again/],
])('What to do about a refusal of Amazon Bedrock: %s: %s', (name, message, advice) => {
  expect(bedrock(name, message)).toMatch(advice);
});

it.each([
  [
    'Invocation of model ID x with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
    /inference profile alone: set MODEL_ID_JUDGE/,
  ],
  ['The provided model identifier is invalid.', /no such model in eu-central-1/],
  ['Malformed input request', /does not take a request as this role makes it/],
])('What to do about a refusal of Amazon Bedrock: ValidationException: %s', (message, advice) => {
  expect(bedrock('ValidationException', message, 'rejected')).toMatch(advice);
});

it.each([
  [
    'AccessDeniedException',
    'Your account is not authorized to access this model. Your AWS Marketplace subscription for this model is still being processed. Try again after 15 minutes.',
  ],
  ['MPAgreementBeingCreated', 'Your AWS Marketplace subscription for this model is still being processed'],
])(
  'What to do about a refusal of Amazon Bedrock: a subscription that is being made (%s) is waited for',
  (name, message) => {
    expect(bedrock(name, message, 'unavailable')).toMatch(
      /being subscribed.*15 minutes.*MODEL_OUTAGE_SECONDS/,
    );
  },
);

it('What to do about a refusal of Amazon Bedrock names no page that Bedrock no longer has', () => {
  expect(bedrock('AccessDeniedException', '')).not.toMatch(/Ask for access/);
});

it('What to do about a refusal of Amazon Bedrock is told from what the real client throws', async () => {
  const stand = await startBedrockEndpoint();
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', stand.url);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const endpoint = connectBedrock({ region: 'eu-central-1', timeoutSeconds: 5, connectionsMax: 1 });
  try {
    stand.reply((stream) => {
      stream.respond({
        ':status': 403,
        'content-type': 'application/json',
        'x-amzn-errortype': 'AccessDeniedException',
      });
      stream.end(JSON.stringify({ message: 'not authorized to perform: aws-marketplace:Subscribe' }));
    });

    const findings = await checkModels(configOf({ MODEL_ID_EMBED: '' }), endpoint, options);

    expect(findings.find(({ name }) => name === 'Model: judge')).toMatchObject({
      state: 'missing',
      advice: expect.stringContaining('aws-marketplace:Subscribe'),
    });
  } finally {
    await endpoint.close();
    await stand.close();
    vi.unstubAllEnvs();
  }
});
