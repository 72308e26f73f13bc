import { createOpenResponses } from '@ai-sdk/open-responses';
import {
  APICallError,
  generateText,
  jsonSchema,
  type ModelMessage,
  stepCountIs,
  streamText,
  type Tool,
  tool,
} from 'ai';
import OpenAI, { toFile } from 'openai';
import type { ResponseFunctionToolCall, ResponseOutputItem } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { runPython } from '#test/helpers/run-python.ts';
import { type ScriptedToolServer, startScriptedToolServer } from '#test/helpers/scripted-tool-server.ts';
import { createSearchableDataset } from '#test/helpers/searchable-dataset.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

const cloud = testCloud();
const UNKNOWN = `resp_${'0'.repeat(32)}`;
let key: string;
let tools: ScriptedToolServer;
let datasetId: string;
/** Row 7 is of the lighthouse. */
const QUESTION = 'the lamp number-7 of the lighthouse';
const ROW = 7;

beforeAll(async () => {
  key = await createCloudAdmin(cloud).createKey('answering-clients', '--credits', '1000');
  tools = await startScriptedToolServer(cloud.toolServerPorts[0]);
  const rows = Array.from({ length: 12 }, (_, n) => ({
    question: `how bright is lamp number-${n} of the ${n === ROW ? 'lighthouse' : 'corridor'}`,
    answer: 'bright enough',
  }));
  datasetId = await createSearchableDataset(createApiClient(cloud.apiUrl, key), 'lamps.jsonl', rows);
}, 240_000);
afterAll(() => tools.close());

test('the public Python clients, unmodified and strict, find every operation as they expect it', async () => {
  const args = ['-m', 'pytest', '-q', '--tb=short', '-p', 'no:cacheprovider', 'test/e2e/answers'];
  const { code, output } = await runPython(args, {
    ...cloud.environment,
    E2E_KEY: key,
    E2E_TOOL_SERVER: tools.url,
    E2E_DATASET: datasetId,
  });
  expect(code, output).toBe(0);
  expect(output).toMatch(/\d+ passed/);
  expect(output).not.toMatch(/skipped|xfailed/);
});

describe('the openai package of npm', () => {
  let client: OpenAI;
  beforeAll(() => {
    client = new OpenAI({ baseURL: `${cloud.apiUrl}/api/v1`, apiKey: key, maxRetries: 0 });
  });
  const add = {
    type: 'function',
    name: 'add',
    parameters: { type: 'object', properties: { a: { type: 'number' } } },
    strict: false,
  } as const;
  const ofType = <T extends ResponseOutputItem['type']>(
    { output }: { readonly output: readonly ResponseOutputItem[] },
    type: T,
  ) => output.filter((item) => item.type === type) as Extract<ResponseOutputItem, { type: T }>[];

  test('the openai package of npm creates, reads, lists, goes on from and deletes', async () => {
    const first = await client.responses.create({
      model: 'scripted',
      instructions: 'Be kind.',
      input: ['a', 'b', 'c'].map((content) => ({ role: 'user', content })),
      store: true,
    });
    expect(first.output_text).toBe('Heard: Be kind. / a / b / c');
    expect(await client.responses.retrieve(first.id)).toEqual(first);
    const texts: string[] = [];
    for await (const item of client.responses.inputItems.list(first.id, {
      limit: 2,
      order: 'asc',
      include: ['message.input_image.image_url', 'reasoning.encrypted_content'],
    })) {
      if (item.type !== 'message' || item.content[0]?.type !== 'input_text') throw new Error('No message.');
      texts.push(item.content[0].text);
    }
    expect(texts).toEqual(['a', 'b', 'c']);
    const include: ('file_search_call.results' | 'reasoning.encrypted_content')[] = [
      'file_search_call.results',
      'reasoning.encrypted_content',
    ];
    expect(await client.responses.retrieve(first.id, { include, stream: false })).toEqual(first);
    await expect(
      client.responses.retrieve(first.id, { stream: true, starting_after: 3 }),
    ).rejects.toMatchObject({ status: 400, param: 'query.stream' });

    const second = await client.responses.create({
      model: 'scripted',
      input: 'd',
      previous_response_id: first.id,
    });
    expect(second.output_text).toBe('Heard: a / b / c / Heard: Be kind. / a / b / c / d');
    await client.responses.delete(first.id);
    await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('the openai package of npm streams, and folds what it streamed into the answer', async () => {
    const stream = client.responses.stream({ model: 'scripted', input: 'count 30' });
    const numbers: number[] = [];
    const words: string[] = [];
    for await (const event of stream) {
      numbers.push(event.sequence_number);
      if (event.type === 'response.output_text.delta') words.push(event.delta);
    }
    const final = await stream.finalResponse();
    expect(numbers).toEqual(numbers.map((_, n) => n));
    expect(words).toHaveLength(30);
    expect(final.output_text).toBe(words.join(''));
  });

  test('the openai package of npm calls functions, in a stream too', async () => {
    const question = { role: 'user', content: 'call add {"a":1}\ncall add {"a":2}' } as const;
    const first = await client.responses
      .stream({ model: 'scripted', input: [question], tools: [add] })
      .finalResponse();
    const calls = ofType(first, 'function_call') as ResponseFunctionToolCall[];
    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}']);
    const second = await client.responses.create({
      model: 'scripted',
      input: [
        question,
        ...calls,
        ...calls.map(({ call_id }, n) => ({
          type: 'function_call_output' as const,
          call_id,
          output: `${n}`,
        })),
      ],
      tools: [add],
    });
    expect(second.output_text).toBe('Tools said: 0 | 1');
  });

  test('the openai package of npm has a tool server called, and asks before it where it is told to', async () => {
    const server = (require_approval: 'always' | 'never') => ({
      type: 'mcp' as const,
      server_label: 'notes',
      server_url: tools.url,
      require_approval,
    });
    const input = 'call echo {"message":"hi"}';
    const done = await client.responses.create({ model: 'scripted', input, tools: [server('never')] });
    expect(ofType(done, 'mcp_call').map(({ output }) => output)).toEqual(['{"message":"hi"}']);
    const first = await client.responses.create({
      model: 'scripted',
      input,
      tools: [server('always')],
      store: true,
    });
    const [request] = ofType(first, 'mcp_approval_request');
    const second = await client.responses.create({
      model: 'scripted',
      input: [{ type: 'mcp_approval_response', approval_request_id: request?.id ?? '', approve: true }],
      previous_response_id: first.id,
      tools: [server('always')],
    });
    expect(second.output_text).toBe('Tools said: {"message":"hi"}');
  });

  test('the openai package of npm reads what was searched and cited, whole and from a stream', async () => {
    const asked = {
      model: 'scripted',
      input: QUESTION,
      tools: [{ type: 'file_search', vector_store_ids: [datasetId], max_num_results: 2 }],
      tool_choice: { type: 'file_search' },
      include: ['file_search_call.results'],
    } satisfies OpenAI.Responses.ResponseCreateParams;
    const whole = await client.responses.create(asked);
    const stream = client.responses.stream(asked);
    const added: unknown[] = [];
    for await (const event of stream) {
      if (event.type === 'response.output_text.annotation.added') added.push(event.annotation);
    }
    const final = await stream.finalResponse();
    for (const response of [whole, final]) {
      const [search] = ofType(response, 'file_search_call');
      expect(search?.results?.[0]).toMatchObject({ file_id: datasetId, attributes: { row: ROW } });
      const [content] = ofType(response, 'message')[0]?.content ?? [];
      if (content?.type !== 'output_text') throw new Error('The answer has no text.');
      const [first] = content.annotations;
      if (first?.type !== 'file_citation') throw new Error('The answer cites nothing.');
      expect(first).toMatchObject({ file_id: datasetId, row: ROW, index: content.text.indexOf('[1]') });
      expect(content.annotations).toEqual(added);
    }
  });

  test('the openai package of npm chats, in a stream too, and calls functions by it', async () => {
    const asked = {
      model: 'scripted',
      messages: [{ role: 'user', content: 'call add {"a":1}\ncall add {"a":2}' }],
      tools: [{ type: 'function', function: { name: 'add', parameters: add.parameters } }],
    } satisfies OpenAI.Chat.ChatCompletionCreateParams;
    const said = await client.chat.completions.create(asked);
    const calls = said.choices[0]?.message.tool_calls ?? [];
    expect(calls.map((call) => 'function' in call && call.function.arguments)).toEqual([
      '{"a":1}',
      '{"a":2}',
    ]);
    expect(said.choices[0]?.finish_reason).toBe('tool_calls');

    const streamed = await client.chat.completions.stream(asked).finalChatCompletion();
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(
      calls.map((call) => ({ type: 'function', function: 'function' in call ? call.function : null })),
    );
    const results = calls.map(({ id }, n) => ({ role: 'tool', tool_call_id: id, content: `${n}` }) as const);
    const answer = said.choices[0]?.message;
    if (answer === undefined) throw new Error('There is no answer.');
    const more = await client.chat.completions.create({
      ...asked,
      messages: [...asked.messages, answer, ...results],
    });
    expect(more.choices[0]?.message.content).toBe('Tools said: 0 | 1');
    await expect(client.chat.completions.create({ ...asked, n: 2 })).rejects.toMatchObject({
      status: 400,
      param: 'n',
    });
  });

  test('the openai package of npm uploads, reads, lists and deletes files', async () => {
    const content = '{"prompt": "a", "completion": "ä"}\n';
    const file = await client.files.create({
      file: await toFile(Buffer.from(content), 'pairs.jsonl'),
      purpose: 'fine-tune',
    });
    expect(await (await client.files.content(file.id)).text()).toBe(content);
    expect((await client.files.waitForProcessing(file.id, { pollInterval: 200 })).status).toBe('processed');
    for await (const { id } of client.files.list({ purpose: 'fine-tune', limit: 1 })) {
      expect(id).toBe(file.id);
      break;
    }
    expect((await client.files.delete(file.id)).deleted).toBe(true);
    await expect(client.files.retrieve(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('the openai package of npm lists models', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain('scripted');
    expect((await client.models.retrieve('scripted')).id).toBe('scripted');
  });

  test('the openai package of npm reads errors as its own', async () => {
    const { create } = client.responses;
    const failure = await create
      .call(client.responses, { model: 'scripted', input: 'Hi', previous_response_id: UNKNOWN })
      .then(
        () => null,
        (error: unknown) => error,
      );
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError);
    expect(failure).toMatchObject({
      status: 404,
      code: 'response_not_found',
      param: 'previous_response_id',
      type: 'not_found_error',
    });
    await expect(
      client.responses.create({ model: 'scripted', input: 'Hi', temperature: 7, stream: true }),
    ).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(
      new OpenAI({
        baseURL: `${cloud.apiUrl}/api/v1`,
        apiKey: 'pt_live_nothing',
        maxRetries: 0,
      }).models.list(),
    ).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });
});

describe('the AI SDK with its provider of Open Responses', () => {
  const url = `${cloud.apiUrl}/api/v1/responses`;
  const model = (given: { fetch?: typeof fetch } = {}) =>
    createOpenResponses({ name: 'tunesmith', url, apiKey: key, ...given })('scripted');
  const add: Tool<{ a: number }, number> = tool({
    description: 'Adds one.',
    inputSchema: jsonSchema<{ a: number }>({
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
    }),
    execute: async ({ a }) => a + 1,
  });

  test('the AI SDK with its provider of Open Responses generates a text with its usage', async () => {
    const { text, usage, finishReason } = await generateText({
      model: model(),
      system: 'Be kind.',
      prompt: 'Hello',
      maxOutputTokens: 200,
      temperature: 0.3,
    });
    expect(text).toBe('Heard: Be kind. / Hello');
    expect(finishReason).toBe('stop');
    expect(usage.totalTokens).toBe((usage.inputTokens ?? 0) + (usage.outputTokens ?? 0));
    expect(usage.outputTokens).toBeGreaterThan(0);
  });

  test('the AI SDK with its provider of Open Responses streams a text', async () => {
    const result = streamText({ model: model(), prompt: 'count 30' });
    const words: string[] = [];
    for await (const word of result.textStream) words.push(word);
    expect(words).toHaveLength(30);
    expect(await result.finishReason).toBe('stop');
    expect((await result.usage).outputTokens).toBeGreaterThan(0);
  });

  test('the AI SDK with its provider of Open Responses calls tools and goes on with what they answered, streamed or not', async () => {
    const asked = {
      model: model(),
      prompt: 'call add {"a":1}\ncall add {"a":5}',
      tools: { add },
      stopWhen: stepCountIs(3),
    };
    const { text, steps } = await generateText(asked);
    expect(text).toBe('Tools said: 2 | 6');
    expect(steps[0]?.toolCalls.map(({ input }) => input)).toEqual([{ a: 1 }, { a: 5 }]);
    expect(await streamText(asked).text).toBe('Tools said: 2 | 6');
  });

  test('the AI SDK with its provider of Open Responses reads answers that cite, whole and from a stream', async () => {
    // It sends no tools but functions, so the search is put into its requests on their way.
    const search = {
      tools: [{ type: 'file_search', dataset_ids: [datasetId] }],
      tool_choice: { type: 'file_search' },
    };
    const searching = model({
      fetch: (address, init) =>
        fetch(address, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), ...search }) }),
    });
    const cited = /^Tools said: \[1\] .*lamp number-7 of the lighthouse/s;

    expect((await generateText({ model: searching, prompt: QUESTION })).text).toMatch(cited);
    expect(await streamText({ model: searching, prompt: QUESTION }).text).toMatch(cited);
  });

  test('the AI SDK with its provider of Open Responses goes on with a conversation', async () => {
    const first: ModelMessage[] = [{ role: 'user', content: 'one' }];
    const { response } = await generateText({ model: model(), messages: first });
    const { text } = await generateText({
      model: model(),
      messages: [...first, ...response.messages, { role: 'user', content: 'two' }],
    });
    expect(text).toBe('Heard: one / Heard: one / two');
  });

  test('the AI SDK with its provider of Open Responses reads errors as its own', async () => {
    const failure = await generateText({ model: model(), prompt: 'Hi', temperature: 7, maxRetries: 0 }).then(
      () => null,
      (error: unknown) => error,
    );
    expect(APICallError.isInstance(failure)).toBe(true);
    expect(failure).toMatchObject({ statusCode: 400, isRetryable: false });
    expect(String(failure)).toContain('temperature');
  });
});
