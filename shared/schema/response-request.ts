import * as z from 'zod';
import { ListedTool } from './listed-tool.ts';

/** Longest text of a request's own fields; the body as a whole is limited besides. */
const Text = z.string().max(4_000_000);
const Id = z.string().min(1).max(256);

/** Providers place theirs themselves. */
const noBreakpoint = z.null({ error: 'is not offered: leave it out' }).optional();

const InputText = z.looseObject({
  type: z.literal('input_text'),
  text: Text,
  prompt_cache_breakpoint: noBreakpoint,
});
const OutputText = z.looseObject({
  type: z.literal('output_text'),
  text: Text,
  annotations: z.array(z.looseObject({ type: z.string() })).nullish(),
});
const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: Text });
const InputImage = z.looseObject({
  type: z.literal('input_image'),
  image_url: z
    .string()
    .regex(
      /^(data:image\/[a-z0-9.+-]+;base64,|https?:\/\/)/i,
      'must be a data: URL of an image or an http(s) URL',
    ),
  detail: z.enum(['auto', 'low', 'high', 'original']).nullish(),
  file_id: z.null({ error: 'is not offered: send image_url' }).optional(),
  prompt_cache_breakpoint: noBreakpoint,
});

/** Content of a message, part by part. Files are not read here. */
export const ContentPart = z.discriminatedUnion('type', [InputText, OutputText, Refusal, InputImage]);
export type ContentPart = z.infer<typeof ContentPart>;

/** A message; its `type` may be left out. */
export const MessageItem = z.looseObject({
  type: z.literal('message').optional(),
  id: Id.nullish(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  phase: z.string().max(64).nullish(),
  content: z.union([Text, z.array(ContentPart)]),
});

export const FunctionCallItem = z.looseObject({
  type: z.literal('function_call'),
  id: Id.nullish(),
  call_id: Id,
  name: z.string().min(1).max(128),
  arguments: Text,
});

export const FunctionCallOutputItem = z.looseObject({
  type: z.literal('function_call_output'),
  id: Id.nullish(),
  call_id: Id,
  output: z.union([Text, z.array(ContentPart)]),
});

export const ReasoningItem = z.looseObject({
  type: z.literal('reasoning'),
  id: Id.nullish(),
  summary: z.array(z.looseObject({ text: Text })).default([]),
  content: z.array(z.looseObject({ text: Text })).nullish(),
  encrypted_content: Text.nullish(),
});

/** Callers may leave out of a listing what it does not say. */
const ReplayedTool = ListedTool.partial({ description: true, annotations: true }).loose();
export type ReplayedTool = z.infer<typeof ReplayedTool>;

export const McpListToolsItem = z.looseObject({
  type: z.literal('mcp_list_tools'),
  id: Id.nullish(),
  server_label: z.string().min(1),
  tools: z.array(ReplayedTool),
  error: z.unknown().optional(),
});

export const McpCallItem = z.looseObject({
  type: z.literal('mcp_call'),
  id: Id.nullish(),
  server_label: z.string().min(1),
  name: z.string().min(1),
  arguments: Text,
  approval_request_id: Id.nullish(),
  output: Text.nullish(),
  error: Text.nullish(),
});

export const McpApprovalRequestItem = z.looseObject({
  type: z.literal('mcp_approval_request'),
  id: Id,
  server_label: z.string().min(1),
  name: z.string().min(1),
  arguments: Text,
});

export const McpApprovalResponseItem = z.looseObject({
  type: z.literal('mcp_approval_response'),
  id: Id.nullish(),
  approval_request_id: Id,
  approve: z.boolean(),
  reason: z.string().nullish(),
});

export const FileSearchCallItem = z.looseObject({
  type: z.literal('file_search_call'),
  id: Id.nullish(),
  queries: z.array(z.string()).default([]),
  results: z
    .array(
      z.looseObject({
        text: z.string().optional(),
        filename: z.string().nullish(),
        attributes: z.record(z.string(), z.unknown()).nullish(),
      }),
    )
    .nullish(),
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
export const ItemReference = z.strictObject({ type: z.literal('item_reference').nullish(), id: Id });
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
  type: z.string().refine((type) => !knownTypes.has(type), {
    error: 'is an item of that type, but not a valid one',
    abort: true,
  }),
});

/** One step of a conversation, as a caller writes or replays it. */
const ItemOfInput = z.union([MessageItem, z.discriminatedUnion('type', known), ProviderItem]);
export type InputItem = z.infer<typeof ItemOfInput>;

export const InputItem = z.union([ItemOfInput, ItemReference]);

const ToolFilter = z.strictObject({
  tool_names: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
});
export type ToolFilter = z.infer<typeof ToolFilter>;

export const FunctionToolParam = z.looseObject({
  type: z.literal('function'),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -'),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
export type FunctionToolParam = z.infer<typeof FunctionToolParam>;

export const McpToolParam = z.strictObject({
  type: z.literal('mcp'),
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
  server_description: z.string().max(4096).nullish(),
  allowed_tools: z.union([z.array(z.string()), ToolFilter]).nullish(),
  require_approval: z
    .union([
      z.enum(['always', 'never']),
      z.strictObject({ always: ToolFilter.optional(), never: ToolFilter.optional() }),
    ])
    .nullish(),
});
export type McpToolParam = z.infer<typeof McpToolParam>;

const DatasetIds = z.array(z.string().min(1).max(200)).min(1).max(20);

export const FileSearchToolParam = z.strictObject({
  type: z.literal('file_search'),
  dataset_ids: DatasetIds.optional().meta({
    description: 'Adapted datasets; with a stack as the model, those of the stack where it is left out',
  }),
  vector_store_ids: DatasetIds.optional().meta({
    description: 'The name that OpenAI’s clients have for dataset_ids',
  }),
  max_num_results: z.int().min(1).max(50).optional(),
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
    }),
});

export const ToolParam = z.union([
  z.discriminatedUnion('type', [FunctionToolParam, McpToolParam, FileSearchToolParam]),
  ProviderToolParam,
]);
export type ToolParam = z.infer<typeof ToolParam>;

const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), name: z.string().min(1) }),
  z.strictObject({ type: z.literal('file_search') }),
  z.strictObject({
    type: z.literal('mcp'),
    server_label: z.string().min(1),
    name: z.string().nullish(),
  }),
]);
export type ToolChoice = z.infer<typeof ToolChoice>;

const TextFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: z.string().min(1).max(64).default('response'),
    description: z.string().nullish(),
    schema: z.record(z.string(), z.unknown()),
    strict: z.boolean().nullish(),
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
]);
export type Includable = z.infer<typeof Includable>;

/** A field whose only values are those that change nothing: others are refused, by the message. */
const only = <const T extends readonly (string | number | boolean)[]>(values: T, otherwise: string) =>
  z
    .union([z.literal(values as unknown as [T[number], ...T[number][]]), z.null()], { error: otherwise })
    .optional();

/**
 * What callers may send to `POST /responses`: every field of OpenAI's request. What would change the answer and cannot
 * be honoured is refused by name (spec §4.27).
 */
export const CreateResponseRequest = z
  .strictObject({
    model: z.string().min(1).max(256).meta({
      description: 'Id of a hosted model, of a training of the team, or `stack:<slug>`',
    }),
    input: z.union([Text, z.array(InputItem).max(10_000)]).optional(),
    instructions: Text.nullish(),
    max_output_tokens: z.int().min(1).max(1_000_000).nullish(),
    temperature: z.number().min(0).max(2).nullish(),
    top_p: z.number().gt(0).max(1).nullish(),
    stream: z.boolean().nullish(),
    stream_options: z
      .strictObject({ include_obfuscation: only([false], 'is not offered: only false is accepted') })
      .nullish(),
    tools: z.array(ToolParam).max(128).nullish(),
    max_tool_calls: z.int().min(0).max(1000).nullish(),
    tool_choice: ToolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    store: z
      .boolean()
      .nullish()
      .meta({ description: 'Keeps the response for 30 days; false where left out' }),
    previous_response_id: z.string().min(1).max(128).nullish(),
    background: only([false], 'is not offered: only false is accepted'),
    metadata: z
      .record(z.string().max(64), z.string().max(512))
      .refine((metadata) => Object.keys(metadata).length <= 16, 'has more than 16 keys')
      .nullish(),
    text: z
      .strictObject({
        format: TextFormat.optional(),
        verbosity: only(['medium'], 'is not offered: leave it out or send "medium"'),
      })
      .nullish(),
    reasoning: z
      .strictObject({
        effort: z.string().max(32).nullish(),
        summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
        generate_summary: z.null({ error: 'is not offered: use reasoning.summary' }).optional(),
        context: only(['auto'], 'is not offered: leave it out or send "auto"'),
        mode: only(['standard'], 'is not offered: leave it out or send "standard"'),
      })
      .nullish(),
    include: z.array(Includable).nullish(),
    truncation: z.enum(['auto', 'disabled']).nullish(),
    user: z.string().max(512).nullish(),
    safety_identifier: z.string().max(512).nullish(),
    prompt_cache_key: z.string().max(512).nullish(),
    prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
    prompt_cache_options: z.null({ error: 'is not offered: use prompt_cache_key' }).optional(),
    service_tier: only(['auto', 'default'], 'is not offered: leave it out or send "auto" or "default"'),
    top_logprobs: only([0], 'is not offered: leave it out or send 0'),
    presence_penalty: only([0], 'is not offered: leave it out or send 0'),
    frequency_penalty: only([0], 'is not offered: leave it out or send 0'),
    agentic_memory: only([false], 'is not offered: only false is accepted'),
    conversation: z.null({ error: 'is not offered: use previous_response_id' }).optional(),
    prompt: z.null({ error: 'is not offered: send the text itself' }).optional(),
    moderation: z.null({ error: 'is not offered' }).optional(),
    context_management: z.array(z.unknown()).max(0, { error: 'is not offered: use truncation' }).nullish(),
  })
  .meta({ id: 'CreateResponseRequest' });
export type CreateResponseRequest = z.infer<typeof CreateResponseRequest>;
