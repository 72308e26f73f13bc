import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { BedrockClient, GetInferenceProfileCommand } from '@aws-sdk/client-bedrock';
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { connectBedrock } from '#shared/models/adapters/bedrock.ts';
import type { GenerateRequest } from '#shared/models/decide/port.ts';
import { GIF } from '#test/helpers/images.ts';
import { newTurn } from '#test/helpers/turns.ts';

const bedrock = mockClient(BedrockRuntimeClient);
const endpoint = connectBedrock({ region: 'eu-west-1', timeoutSeconds: 20, connectionsMax: 2 });

const REQUEST: GenerateRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ],
  maxOutputTokens: 50,
  temperature: 0.2,
  jsonSchema: { name: 'grade', schema: { type: 'object' } },
};

const bodyOf = (value: unknown) =>
  ({ body: new TextEncoder().encode(JSON.stringify(value)), contentType: 'application/json' }) as never;

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

beforeEach(() => bedrock.reset());
// Files share their process.
afterAll(() => bedrock.restore());

it('Bedrock gets the system text, the turns, the limits and the schema, and answers with text and tokens', async () => {
  bedrock.on(ConverseCommand).resolves({
    output: { message: { role: 'assistant', content: [{ text: '{"a":' }, { text: '1}' }] } },
    stopReason: 'max_tokens',
    usage: { inputTokens: 11, outputTokens: 5, totalTokens: 16 },
  } as never);

  const generation = await endpoint.model('eu.model-1').generate(REQUEST);

  expect(generation).toEqual({
    text: '{"a":1}',
    finishReason: 'length',
    usage: { input_tokens: 11, output_tokens: 5 },
  });
  expect(bedrock.commandCalls(ConverseCommand)[0]?.args[0].input).toEqual({
    modelId: 'eu.model-1',
    system: [{ text: 'Be brief.' }],
    messages: [{ role: 'user', content: [{ text: 'Hello' }] }],
    inferenceConfig: { maxTokens: 50, temperature: 0.2 },
    outputConfig: {
      textFormat: {
        type: 'json_schema',
        structure: {
          jsonSchema: { name: 'grade', schema: '{"type":"object","additionalProperties":false}' },
        },
      },
    },
  });
});

it.each([
  ['anthropic.claude-3-5-haiku-20241022-v1:0', true],
  ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', true],
  ['us.amazon.nova-lite-v1:0', true],
  ['anthropic.claude-3-haiku-20240307-v1:0', false],
  ['meta.llama3-1-8b-instruct-v1:0', false],
])(
  'Bedrock is told where what all rows share ends, where the model keeps prompts: %s %s',
  async (id, keeps) => {
    bedrock.on(ConverseCommand).resolves({
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      usage: { inputTokens: 11, outputTokens: 5, totalTokens: 316, cacheReadInputTokens: 300 },
    } as never);
    const without = connectBedrock({
      region: 'eu-west-1',
      timeoutSeconds: 20,
      connectionsMax: 1,
      cachesPrompts: false,
    });

    const { usage } = await endpoint.model(id).generate(REQUEST);
    await without.model(id).generate(REQUEST);

    const [first, second] = bedrock.commandCalls(ConverseCommand).map(({ args }) => args[0].input.system);
    expect(first).toEqual([{ text: 'Be brief.' }, ...(keeps ? [{ cachePoint: { type: 'default' } }] : [])]);
    expect(second).toEqual([{ text: 'Be brief.' }]);
    expect(usage.input_tokens).toBe(311);
  },
);

it('Bedrock is shown an image as bytes, with the format that they have', async () => {
  bedrock.on(ConverseCommand).resolves({ output: { message: { role: 'assistant', content: [] } } } as never);
  const messages = [
    { role: 'user' as const, content: 'What is it?', images: [`data:image/gif;base64,${GIF}`] },
  ];

  await endpoint.model('m').generate({ ...REQUEST, messages });

  expect(bedrock.commandCalls(ConverseCommand)[0]?.args[0].input.messages).toEqual([
    {
      role: 'user',
      content: [
        { image: { format: 'gif', source: { bytes: Buffer.from(GIF, 'base64') } } },
        { text: 'What is it?' },
      ],
    },
  ]);
});

it('Bedrock refuses the link to an image without a call, since it takes bytes alone', async () => {
  const messages = [
    { role: 'user' as const, content: 'What is it?', images: ['https://example.com/cat.png'] },
  ];

  await expect(endpoint.model('m').generate({ ...REQUEST, messages })).rejects.toMatchObject({
    kind: 'rejected',
    message: expect.stringContaining('only as its bytes'),
  });
  expect(bedrock.commandCalls(ConverseCommand)).toEqual([]);
});

it.each([
  ['ThrottlingException', undefined, 'throttled'],
  ['ServiceUnavailableException', 503, 'unavailable'],
  ['InternalServerException', 500, 'unavailable'],
  ['ModelNotReadyException', 429, 'unavailable'],
  ['ModelErrorException', 424, 'unavailable'],
  ['ModelTimeoutException', 408, 'timeout'],
  ['AccessDeniedException', 403, 'misconfigured'],
  ['ResourceNotFoundException', 404, 'misconfigured'],
  ['ValidationException', 400, 'rejected'],
  ['Error', undefined, 'unavailable'],
  ['SomethingNew', 418, 'rejected'],
])('Bedrock calls %s by its kind', async (name, status, kind) => {
  bedrock
    .on(ConverseCommand)
    .rejects(Object.assign(new Error('secret row text'), { name, $metadata: { httpStatusCode: status } }));

  const failure = await endpoint
    .model('m')
    .generate(REQUEST)
    .catch((error: Error) => error);

  expect(failure).toMatchObject({ name: 'ModelError', kind });
  expect((failure as Error).message).not.toContain('secret');
});

it.each([
  [
    'AccessDeniedException',
    'Your account is not authorized to access this model. Your AWS Marketplace subscription for this model is still being processed. Try again after 15 minutes.',
    'unavailable',
  ],
  ['MPAgreementBeingCreated', 'Your account is not authorized to access this model.', 'unavailable'],
  // What no waiting mends.
  [
    'AccessDeniedException',
    'Model access is denied due to IAM user or service role is not authorized to perform the required AWS Marketplace actions (aws-marketplace:ViewSubscriptions, aws-marketplace:Subscribe) to enable access to this model. Your AWS Marketplace subscription for this model cannot be completed at this time. If you recently fixed this issue, try again after 2 minutes.',
    'misconfigured',
  ],
  [
    'AccessDeniedException',
    'Model access is denied due to INVALID_PAYMENT_INSTRUMENT: A valid payment instrument must be provided. Your AWS Marketplace subscription for this model cannot be completed at this time.',
    'misconfigured',
  ],
])(
  'Bedrock tells a subscription that is being made from one that cannot be made: %s %s',
  async (name, message, kind) => {
    bedrock
      .on(ConverseCommand)
      .rejects(Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 403 } }));

    await expect(endpoint.model('m').generate(REQUEST)).rejects.toMatchObject({
      kind,
      message: expect.stringMatching(
        kind === 'unavailable' ? /still being made$/ : /check the id of the model/,
      ),
    });
  },
);

it.each([
  'The provided model identifier is invalid.',
  'Invocation of model ID m with on-demand throughput isn’t supported. Retry your request with the ID or ARN of an inference profile that contains this model.',
  'Operation not allowed',
])('Bedrock refuses every request where it says: %s', async (message) => {
  bedrock.on(ConverseCommand).rejects(
    Object.assign(new Error(message), {
      name: 'ValidationException',
      $metadata: { httpStatusCode: 400 },
    }),
  );

  await expect(endpoint.model('m').generate(REQUEST)).rejects.toMatchObject({
    kind: 'misconfigured',
    message: expect.stringMatching(/an inference profile/),
  });
});

it.each([
  [
    '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
    'temperature or top_p, not both',
  ],
  ['temperature: range: 0..1', 'other temperatures'],
  [
    "Value '1.5' at 'inferenceConfig.temperature' failed to satisfy constraint: Member must have value less than or equal to 1",
    'other temperatures',
  ],
  ['This model does not support the temperature field.', 'does not take a temperature'],
])(
  'Bedrock refuses a temperature by itself, its value, or beside another field: %s',
  async (message, told) => {
    bedrock.on(ConverseCommand).rejects(
      Object.assign(new Error(message), {
        name: 'ValidationException',
        $metadata: { httpStatusCode: 400 },
      }),
    );

    await expect(endpoint.model('m').generate(REQUEST)).rejects.toMatchObject({
      kind: 'rejected',
      requestField: 'temperature',
      message: expect.stringContaining(told),
    });
  },
);

it('Bedrock holds no piece of a streamed answer once it is read', async () => {
  const pieces: WeakRef<object>[] = [];
  async function* events() {
    for (let n = 0; n < 50; n += 1) {
      const event = { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'x'.repeat(1000) } } };
      pieces.push(new WeakRef(event));
      yield event;
    }
  }
  bedrock.on(ConverseStreamCommand).resolves({ stream: events() } as never);
  const parts = endpoint.answering('m').answer(newTurn(), new AbortController().signal);

  for (let n = 0; n < 50; n += 1) await parts.next();
  await new Promise(setImmediate);
  collectGarbage();

  // The last ones may still be in the hands of the generators.
  expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBeLessThan(5);
  await parts.return();
});

it('Bedrock tells a row that is too long from other refusals', async () => {
  bedrock
    .on(ConverseCommand)
    .rejects(
      Object.assign(new Error('Input is too long for requested model.'), { name: 'ValidationException' }),
    );

  await expect(endpoint.model('m').generate(REQUEST)).rejects.toMatchObject({ kind: 'too_long' });
});

it.each([
  ['Too many tokens per day, please wait before trying again.', 'exhausted'],
  ['Too many tokens, please wait before trying again.', 'throttled'],
  ['Too many requests, please wait before trying again.', 'throttled'],
])('Bedrock tells a used-up quota of the day from a throttle: %s', async (message, kind) => {
  bedrock.on(ConverseCommand).rejects(
    Object.assign(new Error(message), {
      name: 'ThrottlingException',
      $metadata: { httpStatusCode: 429 },
    }),
  );

  await expect(endpoint.model('m').generate(REQUEST)).rejects.toMatchObject({ name: 'ModelError', kind });
});

it('Bedrock waits as long as Bedrock asks for', async () => {
  bedrock.on(ConverseCommand).rejects(
    Object.assign(new Error('slow down'), {
      name: 'ThrottlingException',
      $response: { headers: { 'retry-after': '12' } },
    }),
  );

  await expect(endpoint.model('m').generate(REQUEST)).rejects.toMatchObject({ retryAfterSeconds: 12 });
});

it('Bedrock embeds with Titan, one text a call', async () => {
  bedrock.on(InvokeModelCommand).resolves(bodyOf({ embedding: [3, 4] }));

  const vectors = await endpoint.embeddings('amazon.titan-embed-text-v2:0').embed(['a', 'b']);

  expect(vectors).toEqual([Float32Array.from([0.6, 0.8]), Float32Array.from([0.6, 0.8])]);
  expect(bedrock.commandCalls(InvokeModelCommand)).toHaveLength(2);
});

it.each([
  {
    embeddings: [
      [1, 0],
      [0, 2],
    ],
  },
  {
    embeddings: {
      float: [
        [1, 0],
        [0, 2],
      ],
    },
  },
])('Bedrock embeds with Cohere, many texts a call', async (answer) => {
  bedrock.on(InvokeModelCommand).resolves(bodyOf(answer));

  const vectors = await endpoint.embeddings('cohere.embed-multilingual-v3').embed(['a', 'b']);

  expect(vectors).toEqual([Float32Array.from([1, 0]), Float32Array.from([0, 1])]);
  expect(bedrock.commandCalls(InvokeModelCommand)).toHaveLength(1);
});

it.each([
  ['cohere.embed-multilingual-v3', 'END'],
  ['cohere.embed-english-v3', 'END'],
  ['cohere.embed-v4:0', 'RIGHT'],
  ['eu.cohere.embed-v4:0', 'RIGHT'],
])('Bedrock has %s cut a text that is too long by %s', async (modelId, truncate) => {
  bedrock.on(InvokeModelCommand).resolves(bodyOf({ embeddings: [[1, 0]] }));

  await endpoint.embeddings(modelId).embed(['a']);

  const { body } = bedrock.commandCalls(InvokeModelCommand)[0]?.args[0].input ?? {};
  expect(JSON.parse(String(body))).toMatchObject({ truncate });
});

const PROFILE = 'arn:aws:bedrock:eu-west-1:123456789012:application-inference-profile/abc123';

it("Bedrock is told to embed as the model behind an application's inference profile does", async () => {
  const profiles = mockClient(BedrockClient);
  profiles.on(GetInferenceProfileCommand, { inferenceProfileIdentifier: PROFILE }).resolves({
    models: [{ modelArn: 'arn:aws:bedrock:eu-west-1::foundation-model/cohere.embed-v4:0' }],
  });
  bedrock.on(InvokeModelCommand).resolves(bodyOf({ embeddings: { float: [[0, 1]] } }));
  const embeddings = endpoint.embeddings(PROFILE);

  await embeddings.embed(['a']);
  await embeddings.embed(['b']);

  const sent = bedrock.commandCalls(InvokeModelCommand).map(({ args }) => args[0].input);
  expect(sent.map(({ modelId }) => modelId)).toEqual([PROFILE, PROFILE]);
  expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ texts: ['a'], truncate: 'RIGHT' });
  expect(profiles.commandCalls(GetInferenceProfileCommand)).toHaveLength(1);
  profiles.restore();
});

it("Bedrock gets a cache point for the model behind an application's inference profile", async () => {
  const profiles = mockClient(BedrockClient);
  profiles.on(GetInferenceProfileCommand).resolves({
    models: [{ modelArn: 'arn:aws:bedrock:eu-west-1::foundation-model/amazon.nova-lite-v1:0' }],
  });
  bedrock.on(ConverseCommand).resolves({
    output: { message: { role: 'assistant', content: [{ text: 'x' }] } },
    stopReason: 'end_turn',
  });

  const own = connectBedrock({ region: 'eu-west-1', timeoutSeconds: 20, connectionsMax: 2 });
  await own.model(PROFILE).generate(REQUEST);

  const { system } = bedrock.commandCalls(ConverseCommand)[0]?.args[0].input ?? {};
  expect(system).toEqual([{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }]);
  own.close();
  profiles.restore();
});

it("Bedrock says what is lacking where an application's inference profile cannot be looked up", async () => {
  const profiles = mockClient(BedrockClient);
  profiles
    .on(GetInferenceProfileCommand)
    .rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));

  await expect(
    connectBedrock({ region: 'eu-west-1', timeoutSeconds: 20, connectionsMax: 1 })
      .model(PROFILE)
      .generate(REQUEST),
  ).rejects.toMatchObject({
    kind: 'misconfigured',
    message: expect.stringContaining('bedrock:GetInferenceProfile'),
  });
  profiles.restore();
});

it('Bedrock refuses an answer with too few vectors', async () => {
  bedrock.on(InvokeModelCommand).resolves(bodyOf({ embeddings: [[1, 0]] }));

  await expect(endpoint.embeddings('cohere.x').embed(['a', 'b'])).rejects.toMatchObject({
    kind: 'garbage',
  });
});
