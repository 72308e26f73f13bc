import * as z from 'zod';
import { IntegerText } from './common.ts';
import { ListedTool } from './listed-tool.ts';
import { Includable } from './response-request.ts';

/**
 * The response object, its items and its events, as OpenAI's clients read them (spec §2.17, §6). Items that a provider's
 * own tools make pass through as they are.
 */

export const Citation = z.object({
  type: z.literal('file_citation'),
  /** The dataset. */
  file_id: z.string(),
  filename: z.string(),
  /** Place in the text that rests on the row, in UTF-16 code units. */
  index: z.int().min(0),
  dataset_id: z.string(),
  /** Row of the dataset, from 0. */
  row: z.int().min(0),
});
export type Citation = z.infer<typeof Citation>;

/** A place of a text and what it rests on: a row of a dataset, or what a tool of the provider's found, as it says it. */
export type Annotation = Citation | { readonly type: string; readonly [field: string]: unknown };

export const OutputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.union([Citation, z.looseObject({ type: z.string() })])),
  logprobs: z.array(z.never()),
});
export const OutputRefusal = z.object({ type: z.literal('refusal'), refusal: z.string() });
export type OutputContent = z.infer<typeof OutputText> | z.infer<typeof OutputRefusal>;

const ItemStatus = z.enum(['in_progress', 'completed', 'incomplete']);

export const OutputMessage = z.object({
  type: z.literal('message'),
  id: z.string(),
  status: ItemStatus,
  role: z.literal('assistant'),
  /** Where the provider says what the message is. */
  phase: z.string().optional(),
  content: z.array(z.union([OutputText, OutputRefusal])),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

export const ReasoningOutput = z.object({
  type: z.literal('reasoning'),
  id: z.string(),
  status: ItemStatus,
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  content: z.array(z.object({ type: z.literal('reasoning_text'), text: z.string() })),
  encrypted_content: z.string().nullable(),
});
export type ReasoningOutput = z.infer<typeof ReasoningOutput>;

export const FunctionCall = z.object({
  type: z.literal('function_call'),
  id: z.string(),
  status: ItemStatus,
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
export type FunctionCall = z.infer<typeof FunctionCall>;

export const McpListTools = z.object({
  type: z.literal('mcp_list_tools'),
  id: z.string(),
  server_label: z.string(),
  tools: z.array(ListedTool),
  error: z.string().nullable(),
});
export type McpListTools = z.infer<typeof McpListTools>;

export const McpCall = z.object({
  type: z.literal('mcp_call'),
  id: z.string(),
  status: z.enum(['in_progress', 'calling', 'completed', 'incomplete', 'failed']),
  server_label: z.string(),
  name: z.string(),
  arguments: z.string(),
  approval_request_id: z.string().nullable(),
  output: z.string().nullable(),
  error: z.string().nullable(),
});
export type McpCall = z.infer<typeof McpCall>;

export const McpApprovalRequest = z.object({
  type: z.literal('mcp_approval_request'),
  id: z.string(),
  server_label: z.string(),
  name: z.string(),
  arguments: z.string(),
});
export type McpApprovalRequest = z.infer<typeof McpApprovalRequest>;

export const FileSearchCall = z.object({
  type: z.literal('file_search_call'),
  id: z.string(),
  status: z.enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed']),
  queries: z.array(z.string()),
  /** Null unless the request includes `file_search_call.results`. */
  results: z
    .array(
      z.object({
        file_id: z.string(),
        filename: z.string(),
        score: z.number(),
        text: z.string(),
        /** `passage` is the number that the model cites the row by. */
        attributes: z.object({
          dataset_id: z.string(),
          row: z.int(),
          passage: z.int().optional(),
        }),
      }),
    )
    .nullable(),
});
export type FileSearchCall = z.infer<typeof FileSearchCall>;

const ProviderOutput = z.looseObject({ type: z.string() });

export const OutputItem = z.union([
  OutputMessage,
  ReasoningOutput,
  FunctionCall,
  McpListTools,
  McpCall,
  McpApprovalRequest,
  FileSearchCall,
  ProviderOutput,
]);
export type OutputItem =
  | OutputMessage
  | ReasoningOutput
  | FunctionCall
  | McpListTools
  | McpCall
  | McpApprovalRequest
  | FileSearchCall
  | z.infer<typeof ProviderOutput>;

export const ResponseUsage = z.object({
  input_tokens: z.int().min(0),
  input_tokens_details: z.object({ cached_tokens: z.int().min(0), cache_write_tokens: z.int().min(0) }),
  output_tokens: z.int().min(0),
  output_tokens_details: z.object({ reasoning_tokens: z.int().min(0) }),
  total_tokens: z.int().min(0),
});
export type ResponseUsage = z.infer<typeof ResponseUsage>;

export const ModelResponse = z
  .object({
    id: z.string().meta({ example: 'resp_0f6f1d5b8a103f0c5a522c0a4c538f4e' }),
    object: z.literal('response'),
    /** Seconds since the epoch. */
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.enum(['max_output_tokens', 'content_filter']) }).nullable(),
    model: z.string(),
    instructions: z.string().nullable(),
    output: z.array(OutputItem),
    previous_response_id: z.string().nullable(),
    tools: z.array(z.looseObject({ type: z.string() })),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
    parallel_tool_calls: z.boolean(),
    max_tool_calls: z.int().nullable(),
    max_output_tokens: z.int().nullable(),
    temperature: z.number(),
    top_p: z.number(),
    presence_penalty: z.number(),
    frequency_penalty: z.number(),
    top_logprobs: z.int(),
    truncation: z.enum(['auto', 'disabled']),
    text: z.looseObject({ format: z.looseObject({ type: z.string() }) }),
    reasoning: z.looseObject({}).nullable(),
    usage: ResponseUsage.nullable(),
    store: z.boolean(),
    background: z.literal(false),
    service_tier: z.literal('default'),
    metadata: z.record(z.string(), z.string()),
    user: z.string().nullable(),
    safety_identifier: z.string().nullable(),
    prompt_cache_key: z.string().nullable(),
    prompt_cache_retention: z.enum(['in_memory', '24h']).nullable().default(null),
  })
  .meta({ id: 'ModelResponse' });
export type ModelResponse = Omit<z.infer<typeof ModelResponse>, 'output'> & { output: OutputItem[] };

/** An event without its place in the stream. */
export type EventBody =
  | {
      readonly type:
        | 'response.created'
        | 'response.in_progress'
        | 'response.completed'
        | 'response.incomplete'
        | 'response.failed';
      readonly response: ModelResponse;
    }
  | {
      readonly type: 'response.output_item.added' | 'response.output_item.done';
      readonly output_index: number;
      readonly item: OutputItem;
    }
  | {
      readonly type: 'response.content_part.added' | 'response.content_part.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly part: OutputContent | { readonly type: 'reasoning_text'; readonly text: string };
    }
  | {
      readonly type: 'response.output_text.delta';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly delta: string;
      readonly logprobs: readonly never[];
    }
  | {
      readonly type: 'response.output_text.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly text: string;
      readonly logprobs: readonly never[];
    }
  | {
      readonly type: 'response.output_text.annotation.added';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly annotation_index: number;
      readonly annotation: Annotation;
    }
  | {
      readonly type: 'response.refusal.delta' | 'response.reasoning_text.delta';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly delta: string;
    }
  | {
      readonly type: 'response.refusal.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly refusal: string;
    }
  | {
      readonly type: 'response.reasoning_text.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly text: string;
    }
  | {
      readonly type: 'response.reasoning_summary_part.added' | 'response.reasoning_summary_part.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly summary_index: number;
      readonly part: ReasoningOutput['summary'][number];
    }
  | {
      readonly type: 'response.reasoning_summary_text.delta';
      readonly item_id: string;
      readonly output_index: number;
      readonly summary_index: number;
      readonly delta: string;
    }
  | {
      readonly type: 'response.reasoning_summary_text.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly summary_index: number;
      readonly text: string;
    }
  | {
      readonly type: 'response.function_call_arguments.delta' | 'response.mcp_call_arguments.delta';
      readonly item_id: string;
      readonly output_index: number;
      readonly delta: string;
    }
  | {
      readonly type: 'response.function_call_arguments.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly name: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'response.mcp_call_arguments.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly arguments: string;
    }
  | {
      readonly type:
        | 'response.mcp_list_tools.in_progress'
        | 'response.mcp_list_tools.completed'
        | 'response.mcp_list_tools.failed'
        | 'response.mcp_call.in_progress'
        | 'response.mcp_call.completed'
        | 'response.mcp_call.failed'
        | 'response.file_search_call.in_progress'
        | 'response.file_search_call.searching'
        | 'response.file_search_call.completed';
      readonly item_id: string;
      readonly output_index: number;
    };

/** `sequence_number` counts the events of a response from 0. */
export type ResponseEvent = EventBody & { readonly sequence_number: number };

export const ResponseParams = z.strictObject({
  response_id: z.string().min(1).max(128).meta({ description: 'Id of a stored response' }),
});

/** One or several, with commas between them. */
const IncludableText = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(Includable))
  .optional();

const includes = { 'include[]': IncludableText, include: IncludableText };

export const ResponseQuery = z.strictObject({
  ...includes,
  stream: z
    .literal('false', {
      error: 'is not offered: events are sent where the response is created; read it without stream',
    })
    .optional(),
  include_obfuscation: z.literal('false').optional(),
});

export const DeletedResponse = z.object({
  id: z.string(),
  object: z.literal('response.deleted'),
  deleted: z.literal(true),
});

export const InputItemsQuery = z.strictObject({
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: IntegerText.pipe(z.int().min(1).max(100)).default(20),
  after: z.string().min(1).optional(),
  ...includes,
});

export const InputItemPage = z.object({
  object: z.literal('list'),
  data: z.array(z.looseObject({ id: z.string(), type: z.string() })),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});
