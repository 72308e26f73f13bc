import { expect, it } from 'vitest';
import { bedrockStatements } from '#infra/bedrock-access.ts';

const PLACE = { partition: 'aws', region: 'eu-west-1', account: '123456789012' };
const OWN = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123';

const readable = (ids: readonly string[]): string[] =>
  bedrockStatements(PLACE, ids)
    .filter(({ actions }) => actions.includes('bedrock:GetInferenceProfile'))
    .flatMap(({ resources }) => resources);

it("a function may look up the applications' own profiles that it invokes, and no others", () => {
  expect(readable([OWN, 'eu.vendor.model-v1:0', 'vendor.other-v1:0'])).toEqual([OWN]);
  expect(readable(['eu.vendor.model-v1:0', 'vendor.other-v1:0'])).toEqual([]);
});
