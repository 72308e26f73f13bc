import { expect, test } from 'vitest';
import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import { chooseSubdomains } from '#shared/growth/decide/invent/prompts/choose-subdomains.v1.ts';
import { DOMAINS } from '#shared/growth/decide/invent/taxonomy.ts';
import { toConverse } from '#shared/models/adapters/bedrock-converse.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import { answerInForm } from '#shared/witnesses/decide/prompts/answer-in-form.v1.ts';

/** Requests that name three labels each, every row others: as many sets as rows. */
const requests = Array.from(
  { length: 200 },
  (_, n) => `Classify the animal. Labels: cat ${n}, dog ${n}, hen ${n}.\nIt is number ${n}.`,
);

const asked = (request: string, variation: number): GenerateRequest => {
  const form = readForm({ request, answer: '', profile: NO_PROFILE });
  expect(form.labels).toHaveLength(3);
  const rest = { draft: null, fault: null, image: null, blueprint: null };
  return answerInForm({ request, form, variation, ...rest });
};
const bedrockSchema = (request: GenerateRequest): string | undefined =>
  toConverse('a-model', request, false, new Set()).outputConfig?.textFormat?.structure?.jsonSchema?.schema;

test('rows with labels of their own share one schema on Bedrock, which compiles each new one for minutes', () => {
  const sent = requests.flatMap((request) => [asked(request, 0), asked(request, 1)]);

  expect(new Set(sent.map(bedrockSchema))).toEqual(
    new Set([
      '{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"],"additionalProperties":false}',
    ]),
  );
  // The prompt lists what the schema leaves out.
  for (const { messages, jsonSchema } of sent) {
    const labels =
      JSON.stringify(jsonSchema?.schema)
        .match(/"enum":\[([^\]]*)\]/)?.[1]
        ?.split(',') ?? [];
    expect(labels).toHaveLength(3);
    for (const label of labels) expect(messages.at(-1)?.content).toContain(label);
  }
});

test('the same set of labels has the same schema, byte by byte, in whatever order a row names them and a vote asks', () => {
  const schemas = ['red, green, blue', 'blue, red, green'].flatMap((labels) =>
    [0, 1].map((variation) =>
      JSON.stringify(asked(`Which colour is it? Labels: ${labels}.\nIt is a leaf.`, variation).jsonSchema),
    ),
  );

  expect(new Set(schemas).size).toBe(1);
  expect(schemas[0]).toContain('["blue","green","red"]');
});

test('descriptions whose nearest domains differ share one schema of topics on Bedrock', () => {
  const topics = DOMAINS.map((_, n) =>
    chooseSubdomains(
      'rows',
      [...DOMAINS.slice(n), ...DOMAINS.slice(0, n)].slice(0, 8).flatMap(({ subdomains }) => subdomains),
    ),
  );

  expect(new Set(topics.map(bedrockSchema)).size).toBe(1);
  expect(new Set(topics.map(({ jsonSchema }) => JSON.stringify(jsonSchema))).size).toBe(DOMAINS.length);
});
