import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import type { ResponseEvent } from '#shared/responses/schema/response.ts';
import { type ApiClient, createApiClient } from '#test/helpers/api-client.ts';
import { createCloudAdmin } from '#test/helpers/cloud-admin.ts';
import { readEvents } from '#test/helpers/read-events.ts';
import { testCloud } from '#test/helpers/test-cloud.ts';

/**
 * The compliance cases of Open Responses (https://www.openresponses.org/compliance), each by its name, against the
 * fields that its specification demands of a response.
 */
const ResponseResource = z.looseObject({
  id: z.string().min(1),
  object: z.literal('response'),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.enum(['completed', 'in_progress', 'incomplete', 'failed', 'queued', 'cancelled']),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(z.looseObject({ type: z.string(), id: z.string() })),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(z.looseObject({ type: z.string() })),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.string() })]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.looseObject({}).nullable(),
  user: z.string().nullable(),
  usage: z
    .object({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
    })
    .nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});
type ResponseResource = z.infer<typeof ResponseResource>;

const cloud = testCloud();
let api: ApiClient;
beforeAll(async () => {
  api = createApiClient(
    cloud.apiUrl,
    await createCloudAdmin(cloud).createKey('open-responses', '--credits', '1000'),
  );
});

const send = (body: object) => api.send('POST', '/api/v1/responses', { model: 'scripted', ...body });
/** A finished answer that has every field. */
async function ask(body: object): Promise<ResponseResource> {
  const response = ResponseResource.parse((await send(body)).body);
  expect(response.status).toBe('completed');
  expect(response.completed_at).toBeGreaterThanOrEqual(response.created_at);
  expect(response.usage).not.toBeNull();
  return response;
}
/** The events of an answer; those with a response have all of its fields. */
async function stream(body: object): Promise<ResponseEvent[]> {
  const events = readEvents((await send({ ...body, stream: true })).text);
  for (const event of events) if ('response' in event) ResponseResource.parse(event.response);
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, n) => n));
  return events;
}
const textOf = ({ output }: ResponseResource): string =>
  output
    .flatMap(({ type, content }) => (type === 'message' ? (content as { text: string }[]) : []))
    .map(({ text }) => text)
    .join('');

const weather = {
  type: 'function',
  name: 'get_weather',
  description: 'Tells the weather of a place.',
  parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};
const ASKING = 'call get_weather {"location":"Lisbon"}';

test('the check of Open Responses passes: basic text response', async () => {
  const response = await ask({ input: [{ type: 'message', role: 'user', content: 'Say hello.' }] });

  expect(textOf(response)).toBe('Heard: Say hello.');
  expect(response.output).toMatchObject([
    { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text' }] },
  ]);
});

test('the check of Open Responses passes: streaming response', async () => {
  const events = await stream({ input: [{ type: 'message', role: 'user', content: 'count 5' }] });

  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.content_part.added',
    ...Array(5).fill('response.output_text.delta'),
    'response.output_text.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ]);
});

test('the check of Open Responses passes: system prompt', async () => {
  const response = await ask({
    input: [
      { type: 'message', role: 'system', content: 'You are a pirate.' },
      { type: 'message', role: 'user', content: 'Say hello.' },
    ],
  });

  expect(textOf(response)).toBe('Heard: You are a pirate. / Say hello.');
});

test('the check of Open Responses passes: tool calling', async () => {
  const input = [{ type: 'message', role: 'user', content: ASKING }];
  const response = await ask({ input, tools: [weather] });

  expect(response.tools).toMatchObject([{ type: 'function', name: 'get_weather' }]);
  expect(response.output).toMatchObject([
    {
      type: 'function_call',
      name: 'get_weather',
      arguments: '{"location":"Lisbon"}',
      call_id: expect.any(String),
      status: 'completed',
    },
  ]);
  const output = { type: 'function_call_output', call_id: response.output[0]?.call_id, output: 'Sunny' };
  expect(textOf(await ask({ input: [...input, ...response.output, output], tools: [weather] }))).toBe(
    'Tools said: Sunny',
  );
});

test('the check of Open Responses passes: tool calling, streamed', async () => {
  const events = await stream({ input: ASKING, tools: [weather] });

  const deltas = events.flatMap((event) =>
    event.type === 'response.function_call_arguments.delta' ? event.delta : [],
  );
  expect(deltas.length).toBeGreaterThan(1);
  expect(deltas.join('')).toBe('{"location":"Lisbon"}');
  expect(events.find(({ type }) => type === 'response.function_call_arguments.done')).toMatchObject({
    name: 'get_weather',
    arguments: '{"location":"Lisbon"}',
  });
  expect(events.at(-1)).toMatchObject({
    type: 'response.completed',
    response: { output: [{ type: 'function_call' }] },
  });
});

test('the check of Open Responses passes: multi-turn conversation', async () => {
  const response = await ask({
    input: [
      { type: 'message', role: 'user', content: 'My name is Ada.' },
      { type: 'message', role: 'assistant', content: 'Hello Ada.' },
      { type: 'message', role: 'user', content: 'What is my name?' },
    ],
  });

  expect(textOf(response)).toBe('Heard: My name is Ada. / Hello Ada. / What is my name?');
});

test('the check of Open Responses passes: previous_response_id', async () => {
  const first = await ask({ input: 'My name is Ada.', store: true });
  const second = await ask({ input: 'What is my name?', previous_response_id: first.id });

  expect(second.previous_response_id).toBe(first.id);
  expect(textOf(second)).toBe(`Heard: My name is Ada. / ${textOf(first)} / What is my name?`);
});

test('the check of Open Responses passes: image input', async () => {
  const image_url =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const content = [
    { type: 'input_text', text: 'What is this?' },
    { type: 'input_image', image_url },
  ];
  const response = await ask({ input: [{ type: 'message', role: 'user', content }] });

  expect(textOf(response)).toBe('Heard: What is this?<image>');
});

test('an answer that is cut short is incomplete, and says why', async () => {
  const { body } = await send({ input: 'count 5', max_output_tokens: 2 });
  const response = ResponseResource.parse(body);

  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    max_output_tokens: 2,
  });
  expect(textOf(response)).toBe('word0 word1 ');
});
