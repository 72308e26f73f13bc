import { expect, test } from 'vitest';
import { ModelError } from '#shared/models/decide/port.ts';
import { parseInput } from '#shared/platform/errors/from-zod.ts';
import { CreateResponseRequest } from '#shared/responses/schema/response-request.ts';
import { makeCaller } from '#test/helpers/records.ts';
import { createResponding } from '#test/helpers/responding.ts';
import { createScriptedAnswerer, saying } from '#test/helpers/scripted-answerer.ts';

const HASH = /^[0-9a-f]{64}$/;

/** What the model is asked, and what is answered, for a request with these fields. */
async function asked(fields: Readonly<Record<string, unknown>>, caller = makeCaller()) {
  const model = createScriptedAnswerer([saying('Hello')]);
  const response = await createResponding({ model }).ask({ input: 'Hi', ...fields }, { caller });
  const [turn] = model.asked;
  if (turn === undefined) throw new Error('The model was not asked.');
  return { turn, response };
}

test.each<[string, unknown, object]>([
  ['max_output_tokens', 9, { maxOutputTokens: 9 }],
  ['temperature', 0.5, { temperature: 0.5 }],
  ['top_p', 0.9, { topP: 0.9 }],
  ['parallel_tool_calls', false, { parallelToolCalls: false }],
  ['prompt_cache_retention', '24h', { cacheRetention: '24h' }],
  ['reasoning', { effort: 'low', summary: 'auto' }, { reasoning: { effort: 'low', summary: 'auto' } }],
  [
    'text',
    { format: { type: 'json_schema', name: 'town', description: 'A town.', schema: {}, strict: true } },
    { format: { type: 'json_schema', name: 'town', description: 'A town.', schema: {}, strict: true } },
  ],
])('%s reaches the model and is answered as it came', async (field, value, expected) => {
  const { turn, response } = await asked({ [field]: value });

  expect(turn).toMatchObject(expected);
  expect(response).toMatchObject({ [field]: value });
});

test('a field of the request include asks the provider for what its own tools found, and for nothing that is the service’s', async () => {
  const { turn } = await asked({
    include: ['file_search_call.results', 'web_search_call.action.sources', 'message.input_image.image_url'],
  });

  expect(turn.include).toEqual(['web_search_call.action.sources']);
});

test('detail of an image reaches the model', async () => {
  const image = { type: 'input_image', image_url: 'https://public.example/a.png', detail: 'low' };
  const { turn } = await asked({ input: [{ role: 'user', content: [image] }] });

  expect(turn.items).toMatchObject([{ content: [{ type: 'image', detail: 'low' }] }]);
});

test('a field of the request that names users and caches is told to the provider as the team’s own, without what it says', async () => {
  const fields = { user: 'ann', safety_identifier: 'ann', prompt_cache_key: 'docs' };
  const caller = makeCaller();
  const { turn, response } = await asked(fields, caller);
  const again = await asked(fields, caller);
  const elsewhere = await asked(fields);

  expect(response).toMatchObject(fields);
  expect(turn.marks.user).toMatch(HASH);
  expect(turn.marks.cacheKey).toMatch(HASH);
  expect(turn.marks.safetyIdentifier).toBe(turn.marks.user);
  expect(again.turn.marks).toEqual(turn.marks);
  expect(elsewhere.turn.marks.user).not.toBe(turn.marks.user);
});

test('a field of the request that is left out is left to the provider', async () => {
  const { turn, response } = await asked({});

  expect(turn).toMatchObject({
    include: [],
    marks: { user: null, safetyIdentifier: null, cacheKey: null },
    cacheRetention: null,
  });
  expect(response).toMatchObject({ service_tier: 'default', prompt_cache_retention: null, user: null });
});

const FUNCTION = { type: 'function', name: 'look_up' };

test.each<[string, Readonly<Record<string, unknown>>]>([
  ['service_tier', { service_tier: 'priority' }],
  ['prompt_cache_options', { prompt_cache_options: { mode: 'explicit' } }],
  ['prompt_cache_retention', { prompt_cache_retention: 'forever' }],
  ['stream_options.include_obfuscation', { stream_options: { include_obfuscation: true } }],
  ['reasoning.summary', { reasoning: { summary: 'long' } }],
  ['reasoning.generate_summary', { reasoning: { generate_summary: 'auto' } }],
  ['reasoning.context', { reasoning: { context: 'all_turns' } }],
  ['reasoning.mode', { reasoning: { mode: 'pro' } }],
  ['text.verbosity', { text: { verbosity: 'low' } }],
  ['top_logprobs', { top_logprobs: 21 }],
  ['presence_penalty', { presence_penalty: 1 }],
  ['frequency_penalty', { frequency_penalty: 1 }],
  ['background', { background: true }],
  ['agentic_memory', { agentic_memory: true }],
  ['conversation', { conversation: 'conv_1' }],
  ['prompt', { prompt: { id: 'p' } }],
  ['moderation', { moderation: {} }],
  ['context_management', { context_management: [{ type: 'compaction' }] }],
  ['include[0]', { include: ['message.surprise'] }],
  [
    'input[0].content[0].detail',
    {
      input: [
        {
          role: 'user',
          content: [{ type: 'input_image', image_url: 'https://public.example/a', detail: 'max' }],
        },
      ],
    },
  ],
  [
    'input[0].content[0].prompt_cache_breakpoint',
    {
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'a', prompt_cache_breakpoint: {} }] }],
    },
  ],
  ['tools[0].allowed_callers[0]', { tools: [{ ...FUNCTION, allowed_callers: ['code_interpreter'] }] }],
  ['tools[0].defer_loading', { tools: [{ ...FUNCTION, defer_loading: true }] }],
  ['tools[0].output_schema', { tools: [{ ...FUNCTION, output_schema: { type: 'object' } }] }],
])('%s that cannot be honoured is refused by its name', (path, fields) => {
  const parse = () => parseInput('', CreateResponseRequest, { model: 'm', input: 'Hi', ...fields });

  expect(parse).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }),
  );
});

test('a field of the request is refused in words that say what to send', () => {
  const parse = () => parseInput('', CreateResponseRequest, { model: 'm', service_tier: 'priority' });

  expect(parse).toThrow('service_tier: is not offered: leave it out or send "auto" or "default"');
});

test('a field of the request that the model’s provider does not take is a 400 that names it', async () => {
  const error = new ModelError('rejected', 'it takes none', { requestField: 'reasoning.effort' });
  const model = createScriptedAnswerer([
    async function* () {
      yield* [];
      throw error;
    },
  ]);

  await expect(createResponding({ model }).ask({ input: 'Hi' })).rejects.toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'reasoning.effort', message: 'it takes none' }],
  });
});
