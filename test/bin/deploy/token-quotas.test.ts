import { expect, it } from 'vitest';
import { judgeTokens, type Quota, tokensOf } from '#bin/deploy/token-quotas.ts';

const quota = (name: string, value: number): Quota => ({ name, value });

// As Service Quotas lists them.
const QUOTAS: readonly Quota[] = [
  quota('On-demand model inference tokens per minute for Amazon Nova Lite', 1),
  quota('Cross-region model inference tokens per minute for Amazon Nova Lite', 2),
  quota('Model invocation max tokens per day for Amazon Nova Lite (doubled for cross-region calls)', 3),
  quota('[bedrock-mantle endpoint] Input tokens per minute for Amazon Nova Lite', 99),
  quota('On-demand latency-optimized model inference tokens per minute for Amazon Nova Lite', 98),
  quota('Cross-region model inference tokens per minute for Anthropic Claude Sonnet 4.5 V1', 4),
  quota(
    'Cross-region model inference tokens per minute for Anthropic Claude Sonnet 4.5 V1 1M Context Length',
    97,
  ),
  quota('Global cross-region model inference tokens per minute for Anthropic Claude Sonnet 4.5 V1', 5),
  quota('Global cross-region model inference tokens per day for Anthropic Claude Sonnet 4.5 V1', 6),
  quota('Model invocation max tokens per day for Anthropic Claude Sonnet 4.5 V1', 7),
  quota('On-demand model inference tokens per minute for Anthropic Claude 3.5 Sonnet', 8),
  quota('On-demand model inference tokens per minute for Anthropic Claude 3.5 Sonnet V2', 9),
  quota('On-demand InvokeModel tokens per minute for Meta Llama 3.1 8B Instruct', 10),
  quota('On-demand model inference tokens per minute for OpenAI GPT OSS 20B', 11),
  quota('Model invocation max tokens per day for GPT OSS 20B', 12),
  quota('On-demand model inference tokens per minute for Amazon Titan Text Embeddings V2', 13),
];

it.each([
  ['amazon.nova-lite-v1:0', { aMinute: 1, aDay: 3 }],
  ['us.amazon.nova-lite-v1:0', { aMinute: 2, aDay: 3 }],
  [
    'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.amazon.nova-lite-v1:0',
    { aMinute: 2, aDay: 3 },
  ],
  ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', { aMinute: 4, aDay: 7 }],
  ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', { aMinute: 5, aDay: 6 }],
  ['anthropic.claude-3-5-sonnet-20240620-v1:0', { aMinute: 8, aDay: null }],
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', { aMinute: 9, aDay: null }],
  ['meta.llama3-1-8b-instruct-v1:0', { aMinute: 10, aDay: null }],
  ['openai.gpt-oss-20b-1:0', { aMinute: 11, aDay: 12 }],
  ['amazon.titan-embed-text-v2:0', { aMinute: 13, aDay: null }],
  ['nobody.knows-it-v1:0', { aMinute: null, aDay: null }],
])('the quotas of %s are found by its name', (modelId, tokens) => {
  expect(tokensOf(modelId, QUOTAS)).toEqual(tokens);
});

const judged = (aMinute: number | null, aDay: number | null) =>
  judgeTokens(new Map([['vendor.model', { aMinute, aDay }]]));

it('a model without tokens is missing, as in an account on the free plan', () => {
  expect(judged(0, 0)).toMatchObject({
    state: 'missing',
    found: 'vendor.model: 0 tokens a minute, 0 tokens a day',
    advice: expect.stringMatching(/paid plan.*Service Quotas/),
  });
});

it('a model with few tokens a day is told of with the rows that they suffice for', () => {
  expect(judged(100_000, 800_000)).toMatchObject({
    state: 'note',
    advice: expect.stringContaining('some 400 rows a day'),
  });
});

it('a model with enough tokens is ready, and one that no quota names is to be looked up', () => {
  expect(judged(4_000_000, 5_760_000_000)).toEqual({
    state: 'ok',
    found: 'vendor.model: 4,000,000 tokens a minute, 5,760,000,000 tokens a day',
  });
  expect(judged(null, null)).toMatchObject({ state: 'note', advice: expect.stringContaining('Look it up') });
});
