import * as z from 'zod';
import { EXAMPLE_MODEL } from '#shared/platform/schema/common.ts';
import { ListedTool, TOOLS_MAX } from './listed-tool.ts';

/** Longest text of a request's own fields; the body as a whole is limited besides. */
export const Text = z.string().max(4_000_000);
const Id = z.string().min(1).max(256);

/** A field whose only values are those that change nothing: others are refused, by the message. */
export const only = <const T extends readonly (string | number | boolean)[]>(values: T, otherwise: string) =>
  z
    .union([z.literal(values as unknown as [T[number], ...T[number][]]), z.null()], { error: otherwise })
    .optional();

/** Providers place theirs themselves. */
const noBreakpoint = z.null({ error: 'is not offered: leave it out' }).optional();

const InputText = z.looseObject({
  type: z.literal('input_text').describe('Kind of the object.'),
  text: Text.describe('Text, up to 4,000,000 characters.'),
  prompt_cache_breakpoint: noBreakpoint.describe('Not supported; omit it.'),
});
/** A text with more citations is degenerate output. */
export const CITATIONS_MAX = 1000;

const OutputText = z.looseObject({
  type: z.literal('output_text').describe('Kind of the object.'),
  text: Text.describe('Text of an earlier answer, up to 4,000,000 characters.'),
  annotations: z
    .array(z.looseObject({ type: z.string().describe('Kind of the citation.') }))
    .max(CITATIONS_MAX)
    .nullish()
    .describe('Citations of the text, up to 1,000.'),
});
const Refusal = z.looseObject({
  type: z.literal('refusal').describe('Kind of the object.'),
  refusal: Text.describe('Text of a refusal, up to 4,000,000 characters.'),
});
export const ImageUrl = z
  .string()
  .regex(
    /^(data:image\/[a-z0-9.+-]+;base64,|https?:\/\/)/i,
    'must be a data: URL of an image or an http(s) URL',
  )
  .describe('Image as a `data:` URL or an http(s) URL.');
const InputImage = z.looseObject({
  type: z.literal('input_image').describe('Kind of the object.'),
  image_url: ImageUrl,
  detail: z
    .enum(['auto', 'low', 'high', 'original'])
    .nullish()
    .describe('Resolution at which the model reads the image.'),
  file_id: z
    .null({ error: 'is not offered: send image_url' })
    .optional()
    .describe('Not supported; send `image_url`.'),
  prompt_cache_breakpoint: noBreakpoint.describe('Not supported; omit it.'),
});

/** Content of a message, part by part. Files are not read here. */
export const ContentPart = z.discriminatedUnion('type', [InputText, OutputText, Refusal, InputImage]);
export type ContentPart = z.infer<typeof ContentPart>;

/** A message; its `type` may be left out. */
export const MessageItem = z.looseObject({
  type: z.literal('message').optional().describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  role: z.enum(['user', 'assistant', 'system', 'developer']).describe('Who speaks.'),
  phase: z.string().max(64).nullish().describe('What the provider says of the message, up to 64 characters.'),
  content: z.union([Text, z.array(ContentPart)]).describe('Text of the message, or its parts.'),
});

export const FunctionCallItem = z.looseObject({
  type: z.literal('function_call').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  call_id: Id.describe('Id that connects a call with its output, up to 256 characters.'),
  name: z.string().min(1).max(128).describe('Name of the function, up to 128 characters.'),
  arguments: Text.describe('Arguments as JSON text.'),
});

export const FunctionCallOutputItem = z.looseObject({
  type: z.literal('function_call_output').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  call_id: Id.describe('Id that connects a call with its output, up to 256 characters.'),
  output: z.union([Text, z.array(ContentPart)]).describe('Result of the function: text, or parts.'),
});

export const ReasoningItem = z.looseObject({
  type: z.literal('reasoning').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  summary: z
    .array(z.looseObject({ text: Text.describe('Text of the summary.') }))
    .default([])
    .describe('Summaries of the reasoning.'),
  content: z
    .array(z.looseObject({ text: Text.describe('Text of the reasoning.') }))
    .nullish()
    .describe('The reasoning itself.'),
  encrypted_content: Text.nullish().describe('Reasoning in encrypted form.'),
});

/** Callers may leave out of a listing what it does not say. */
const ReplayedTool = ListedTool.partial({ description: true, annotations: true }).loose();
export type ReplayedTool = z.infer<typeof ReplayedTool>;

export const McpListToolsItem = z.looseObject({
  type: z.literal('mcp_list_tools').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  server_label: z.string().min(1).describe('Label of the tool server.'),
  tools: z.array(ReplayedTool).describe('Tools that the server listed.'),
  error: z.unknown().optional().describe('Why the tools could not be listed.'),
});

export const McpCallItem = z.looseObject({
  type: z.literal('mcp_call').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  server_label: z.string().min(1).describe('Label of the tool server.'),
  name: z.string().min(1).describe('Name of the tool.'),
  arguments: Text.describe('Arguments as JSON text.'),
  approval_request_id: Id.nullish().describe('Id of the approval request.'),
  output: Text.nullish().describe('Result of the call.'),
  error: Text.nullish().describe('Why the call failed.'),
});

export const McpApprovalRequestItem = z.looseObject({
  type: z.literal('mcp_approval_request').describe('Kind of the object.'),
  id: Id.describe('Id of the item, up to 256 characters.'),
  server_label: z.string().min(1).describe('Label of the tool server.'),
  name: z.string().min(1).describe('Name of the tool.'),
  arguments: Text.describe('Arguments as JSON text.'),
});

export const McpApprovalResponseItem = z.looseObject({
  type: z.literal('mcp_approval_response').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  approval_request_id: Id.describe('Id of the approval request.'),
  approve: z.boolean().describe('Whether the call may be made.'),
  reason: z.string().nullish().describe('Reason of the decision.'),
});

export const FileSearchCallItem = z.looseObject({
  type: z.literal('file_search_call').describe('Kind of the object.'),
  id: Id.nullish().describe('Id of the item, up to 256 characters; optional when it is replayed.'),
  queries: z.array(z.string()).default([]).describe('Queries of the search.'),
  results: z
    .array(
      z.looseObject({
        text: z.string().optional().describe('Text of the row.'),
        filename: z.string().nullish().describe('Name of the dataset.'),
        attributes: z.record(z.string(), z.unknown()).nullish().describe('Where the row is.'),
      }),
    )
    .nullish()
    .describe('Rows that were found.'),
});
export type FileSearchCallItem = z.infer<typeof FileSearchCallItem>;

const known = [
  FunctionCallItem,
  FunctionCallOutputItem,
  ReasoningItem,
  McpListToolsItem,
  McpCallItem,
  McpApprovalRequestItem,
  McpApprovalResponseItem,
  FileSearchCallItem,
] as const;

/** Names an item that the conversation has already. */
export const ItemReference = z.strictObject({
  type: z.literal('item_reference').nullish().describe('Kind of the object.'),
  id: Id.describe('Id of the item, up to 256 characters.'),
});
export type ItemReference = z.infer<typeof ItemReference>;

const knownTypes = new Set<string>([
  'message',
  'item_reference',
  ...known.map(({ shape }) => shape.type.value),
]);

/**
 * An item of a tool that the model's provider runs: it goes back to the provider as it came. What is refused here is left
 * to the others to explain, which an issue that ends the parse brings about.
 */
export const ProviderItem = z.looseObject({
  type: z
    .string()
    .refine((type) => !knownTypes.has(type), {
      error: 'is an item of that type, but not a valid one',
      abort: true,
    })
    .describe('Kind of the object.'),
});

/** One step of a conversation, as a caller writes or replays it. */
const ItemOfInput = z.union([MessageItem, z.discriminatedUnion('type', known), ProviderItem]);
export type InputItem = z.infer<typeof ItemOfInput>;

export const InputItem = z.union([ItemOfInput, ItemReference]);

const ToolFilter = z.strictObject({
  tool_names: z.array(z.string()).max(TOOLS_MAX).optional().describe('Names of tools, up to 256.'),
  read_only: z.boolean().optional().describe('Whether to select the tools that the server calls read-only.'),
});
export type ToolFilter = z.infer<typeof ToolFilter>;

export const FunctionToolParam = z.looseObject({
  type: z.literal('function').describe('Kind of the object.'),
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -')
    .describe('Name of the function: 1 to 64 letters, digits, `_` and `-`.'),
  description: z.string().nullish().describe('What the function does.'),
  parameters: z.record(z.string(), z.unknown()).nullish().describe('JSON Schema of the arguments.'),
  strict: z.boolean().nullish().describe('Whether arguments have to satisfy the schema.'),
  allowed_callers: z
    .array(z.literal('direct', { error: 'must be "direct": models call functions themselves' }))
    .nullish()
    .describe('Only `["direct"]`.'),
  defer_loading: only([false], 'is not offered: models are shown all functions').describe(
    'Only false is accepted.',
  ),
  output_schema: z
    .null({ error: 'is not offered: say in the description what the function returns' })
    .optional()
    .describe('Not supported; say it in `description`.'),
});
export type FunctionToolParam = z.infer<typeof FunctionToolParam>;

export const McpToolParam = z.strictObject({
  type: z.literal('mcp').describe('Kind of the object.'),
  server_label: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, . _ and -')
    .meta({ description: 'Names the server in its calls; of a hosted server its id from GET /tools' }),
  server_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .optional()
    .meta({ description: 'Public HTTPS address of a server of the caller’s own' }),
  authorization: z
    .string()
    .min(1)
    .max(16_384)
    .nullish()
    .meta({
      description:
        'Value of the Authorization header; of a hosted server the credential that takes the place of the stored one. ' +
        'Never stored, logged or answered.',
    }),
  server_description: z
    .string()
    .max(4096)
    .nullish()
    .describe('What the server offers, up to 4,096 characters.'),
  allowed_tools: z
    .union([z.array(z.string()).max(TOOLS_MAX), ToolFilter])
    .nullish()
    .describe('Tools that may be called: up to 256 names, or a filter. Default: all.'),
  require_approval: z
    .union([
      z.enum(['always', 'never']),
      z.strictObject({
        always: ToolFilter.optional().describe('Tools whose calls need an approval.'),
        never: ToolFilter.optional().describe('Tools whose calls need none.'),
      }),
    ])
    .nullish()
    .describe('Which calls need an approval before they are made. Default: that of the server.'),
});
export type McpToolParam = z.infer<typeof McpToolParam>;

const DatasetIds = z.array(z.string().min(1).max(200)).min(1).max(20);

export const FileSearchToolParam = z.strictObject({
  type: z.literal('file_search').describe('Kind of the object.'),
  dataset_ids: DatasetIds.optional().meta({
    description: 'Adapted datasets; with a stack as the model, those of the stack where it is left out',
  }),
  vector_store_ids: DatasetIds.optional().meta({
    description: 'The name that OpenAI’s clients have for dataset_ids',
  }),
  max_num_results: z
    .int()
    .min(1)
    .max(50)
    .optional()
    .describe('The most rows that one search returns, 1 to 50. Default: 8.'),
});
export type FileSearchToolParam = z.infer<typeof FileSearchToolParam>;

const ownToolTypes = new Set(['function', 'mcp', 'file_search']);
/** A tool that the model's provider runs; it is passed on as it is. */
export const ProviderToolParam = z.looseObject({
  type: z
    .string()
    .min(1)
    .refine((type) => !ownToolTypes.has(type), {
      error: 'is a tool of that type, but not a valid one',
      abort: true,
    })
    .describe('Kind of the object.'),
});

export const ToolParam = z.union([
  z.discriminatedUnion('type', [FunctionToolParam, McpToolParam, FileSearchToolParam]),
  ProviderToolParam,
]);
export type ToolParam = z.infer<typeof ToolParam>;

const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({
    type: z.literal('function').describe('Kind of the object.'),
    name: z.string().min(1).describe('Name of the tool that has to be called.'),
  }),
  z.strictObject({ type: z.literal('file_search').describe('Kind of the object.') }),
  z.strictObject({
    type: z.literal('mcp').describe('Kind of the object.'),
    server_label: z.string().min(1).describe('Label of the tool server.'),
    name: z.string().nullish().describe('Name of the tool that has to be called.'),
  }),
]);
export type ToolChoice = z.infer<typeof ToolChoice>;

const TextFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('Kind of the object.') }),
  z.strictObject({ type: z.literal('json_object').describe('Kind of the object.') }),
  z.strictObject({
    type: z.literal('json_schema').describe('Kind of the object.'),
    name: z
      .string()
      .min(1)
      .max(64)
      .default('response')
      .describe('Name of the schema, 1 to 64 characters. Default: `response`.'),
    description: z.string().nullish().describe('What the answer is for.'),
    schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the answer.'),
    strict: z.boolean().nullish().describe('Whether the answer has to satisfy the schema.'),
  }),
]);

/** What callers may ask to see besides. */
export const Includable = z.enum([
  'file_search_call.results',
  'reasoning.encrypted_content',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'message.output_text.logprobs',
]);
export type Includable = z.infer<typeof Includable>;

/**
 * What callers may send to `POST /responses`: every field of OpenAI's request. What would change the answer and cannot
 * be honoured is refused by name (spec §4.27).
 */
export const CreateResponseRequest = z
  .strictObject({
    model: z.string().min(1).max(256).meta({
      description: 'Id of a hosted model, of a training of the team, or `stack:<slug>`',
      example: EXAMPLE_MODEL,
    }),
    input: z
      .union([Text, z.array(InputItem).max(10_000)])
      .optional()
      .meta({ example: 'How do I reset my password?' })
      .describe(
        'The prompt as text, or up to 10,000 items: messages, and items of earlier responses. Optional with `previous_response_id`.',
      ),
    instructions: Text.nullish()
      .meta({ example: 'Answer in one sentence.' })
      .describe('System message, up to 4,000,000 characters.'),
    max_output_tokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .nullish()
      .meta({ example: 200 })
      .describe('The most tokens of the answer, 1 to 1,000,000.'),
    max_credits: z
      .number()
      .min(0)
      .nullish()
      .meta({ example: 0.5 })
      .describe(
        'The most credits that the answer may cost. A model call that could cost more is not made: before the first one the request is refused with what it could cost, later ones end the answer. Not in OpenAI’s API.',
      ),
    temperature: z.number().min(0).max(2).nullish().describe('Sampling temperature, 0 to 2.'),
    top_p: z
      .number()
      .gt(0)
      .max(1)
      .nullish()
      .describe('Nucleus sampling: share of the probability mass, above 0 and at most 1.'),
    stream: z
      .boolean()
      .nullish()
      .describe(
        'If true, the response is a stream of server-sent events; otherwise one object. Default: false.',
      ),
    stream_options: z
      .strictObject({
        include_obfuscation: only([false], 'is not offered: only false is accepted').describe(
          'Only false is accepted.',
        ),
      })
      .nullish()
      .describe('Options of the stream.'),
    tools: z
      .array(ToolParam)
      .max(128)
      .nullish()
      .describe(
        'Tools that the model may use, up to 128: functions, tool servers (`mcp`), dataset search (`file_search`), and tools of the provider.',
      ),
    max_tool_calls: z
      .int()
      .min(0)
      .max(1000)
      .nullish()
      .describe('The most calls of tools, 0 to 1,000. Afterwards the model answers without them.'),
    tool_choice: ToolChoice.nullish().describe(
      '`auto` (default), `none`, `required`, or the tool that has to be called.',
    ),
    parallel_tool_calls: z.boolean().nullish().describe('Whether the model may call several tools at once.'),
    store: z
      .boolean()
      .nullish()
      .meta({ description: 'Keeps the response for 30 days; false where left out', example: true }),
    previous_response_id: z
      .string()
      .min(1)
      .max(128)
      .nullish()
      .describe('Id of a stored response, up to 128 characters; its input and output precede this turn.'),
    background: only([false], 'is not offered: only false is accepted').describe('Only false is accepted.'),
    metadata: z
      .record(z.string().max(64), z.string().max(512))
      .refine((metadata) => Object.keys(metadata).length <= 16, 'has more than 16 keys')
      .nullish()
      .describe(
        'Up to 16 texts by name, returned with the response; names up to 64, values up to 512 characters.',
      ),
    text: z
      .strictObject({
        format: TextFormat.optional().describe('Plain text (default), JSON, or JSON of a schema.'),
        verbosity: only(['medium'], 'is not offered: leave it out or send "medium"').describe(
          'Only `medium` is accepted.',
        ),
      })
      .nullish()
      .describe('Form of the answer.'),
    reasoning: z
      .strictObject({
        effort: z
          .string()
          .max(32)
          .nullish()
          .describe('How much the model reasons, as its provider names it.'),
        summary: z
          .enum(['auto', 'concise', 'detailed'])
          .nullish()
          .describe('Whether reasoning is summarised.'),
        generate_summary: z
          .null({ error: 'is not offered: use reasoning.summary' })
          .optional()
          .describe('Not supported; use `reasoning.summary`.'),
        context: only(['auto'], 'is not offered: leave it out or send "auto"').describe(
          'Only `auto` is accepted.',
        ),
        mode: only(['standard'], 'is not offered: leave it out or send "standard"').describe(
          'Only `standard` is accepted.',
        ),
      })
      .nullish()
      .describe('Settings of models that reason.'),
    include: z.array(Includable).nullish().describe('What the response contains in addition.'),
    truncation: z
      .enum(['auto', 'disabled'])
      .nullish()
      .describe(
        '`auto` drops the oldest items of a conversation that is too long; `disabled` (default) refuses it.',
      ),
    user: z
      .string()
      .max(512)
      .nullish()
      .describe('Id of your user, up to 512 characters; passed to the provider.'),
    safety_identifier: z
      .string()
      .max(512)
      .nullish()
      .describe('Id of your user for the provider’s safety checks, up to 512 characters.'),
    prompt_cache_key: z
      .string()
      .max(512)
      .nullish()
      .describe('Key of the provider’s prompt cache, up to 512 characters.'),
    prompt_cache_retention: z
      .enum(['in_memory', '24h'])
      .nullish()
      .describe('How long the provider keeps its prompt cache.'),
    prompt_cache_options: z
      .null({ error: 'is not offered: use prompt_cache_key' })
      .optional()
      .describe('Not supported; use `prompt_cache_key`.'),
    service_tier: only(
      ['auto', 'default'],
      'is not offered: leave it out or send "auto" or "default"',
    ).describe('Only `auto` and `default` are accepted.'),
    top_logprobs: z
      .int()
      .min(0)
      .max(20)
      .nullish()
      .describe(
        'How many of the most likely tokens are told for each token of the text, 0 to 20: with `message.output_text.logprobs` in `include`.',
      ),
    presence_penalty: only([0], 'is not offered: leave it out or send 0').describe('Only 0 is accepted.'),
    frequency_penalty: only([0], 'is not offered: leave it out or send 0').describe('Only 0 is accepted.'),
    agentic_memory: only([false], 'is not offered: only false is accepted').describe(
      'Only false is accepted.',
    ),
    conversation: z
      .null({ error: 'is not offered: use previous_response_id' })
      .optional()
      .describe('Not supported; use `previous_response_id`.'),
    prompt: z
      .null({ error: 'is not offered: send the text itself' })
      .optional()
      .describe('Not supported; send the text in `input`.'),
    moderation: z.null({ error: 'is not offered' }).optional().describe('Not supported; omit it.'),
    context_management: z
      .array(z.unknown())
      .max(0, { error: 'is not offered: use truncation' })
      .nullish()
      .describe('Not supported; use `truncation`.'),
  })
  .meta({ id: 'CreateResponseRequest' });
export type CreateResponseRequest = z.infer<typeof CreateResponseRequest>;
