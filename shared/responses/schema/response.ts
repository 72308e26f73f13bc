import * as z from 'zod';
import {
  count,
  DatasetId,
  decimal,
  EXAMPLE_MODEL,
  IntegerText,
  text,
} from '#shared/platform/schema/common.ts';
import { ListedTool } from './listed-tool.ts';
import { Includable } from './response-request.ts';

/**
 * The response object, its items and its events, as OpenAI's clients read them (spec §2.17, §6). Items that a provider's
 * own tools make pass through as they are.
 */

export const Citation = z.object({
  type: z.literal('file_citation').describe('Kind of the object.'),
  file_id: DatasetId,
  filename: z.string().describe('Name of the dataset.'),
  index: z
    .int()
    .min(0)
    .describe('Position in the text that the citation supports, in UTF-16 code units from 0.'),
  dataset_id: DatasetId,
  row: z.int().min(0).describe('Index of the row in the dataset, from 0.'),
});
export type Citation = z.infer<typeof Citation>;

/** A place of a text and what it rests on: a row of a dataset, or what a tool of the provider's found, as it says it. */
export type Annotation = Citation | { readonly type: string; readonly [field: string]: unknown };

const likely = {
  token: text('Choose').describe('Text of the token.'),
  bytes: z
    .array(z.int().min(0).max(255))
    .meta({ example: [67, 104, 111, 111, 115, 101] })
    .describe('Bytes of the token, which may be a part of a character.'),
  logprob: z.number().max(0).meta({ example: -0.11 }).describe('Natural logarithm of its probability.'),
};

/** A token of a text and how likely it was. */
export const TokenLogprob = z
  .object({
    ...likely,
    top_logprobs: z
      .array(z.object(likely))
      .meta({ example: [] })
      .describe('The tokens that were the most likely in its place.'),
  })
  .meta({ id: 'TokenLogprob' });
type TokenLogprob = z.infer<typeof TokenLogprob>;

export const OutputText = z.object({
  type: z.literal('output_text').describe('Kind of the object.'),
  text: text('Choose "Forgot password" on the sign-in page.').describe('The text.'),
  annotations: z
    .array(z.union([Citation, z.looseObject({ type: z.string().describe('Kind of the object.') })]))
    .meta({ example: [] })
    .describe('Citations of the text.'),
  logprobs: z
    .array(TokenLogprob)
    .meta({ example: [] })
    .describe(
      'How likely its tokens were, if `include` asks for it and the provider of the model tells it; else empty.',
    ),
});
export const OutputRefusal = z.object({
  type: z.literal('refusal').describe('Kind of the object.'),
  refusal: z.string().describe('Why the model refuses.'),
});
export type OutputContent = z.infer<typeof OutputText> | z.infer<typeof OutputRefusal>;

const ItemStatus = z.enum(['in_progress', 'completed', 'incomplete']).meta({ example: 'completed' });

export const OutputMessage = z.object({
  type: z.literal('message').describe('Kind of the object.'),
  id: text('msg_0f6f1d5b8a10').describe('Id of the item.'),
  status: ItemStatus.describe('Status of the item.'),
  role: z.literal('assistant').describe('Always `assistant`.'),
  phase: z
    .string()
    .optional()
    .describe('What the provider says of the message; absent when it says nothing.'),
  content: z.array(z.union([OutputText, OutputRefusal])).describe('Parts of the message.'),
});
export type OutputMessage = z.infer<typeof OutputMessage>;

export const ReasoningOutput = z.object({
  type: z.literal('reasoning').describe('Kind of the object.'),
  id: z.string().describe('Id of the item.'),
  status: ItemStatus.describe('Status of the item.'),
  summary: z
    .array(
      z.object({
        type: z.literal('summary_text').describe('Kind of the object.'),
        text: z.string().describe('Text of the summary.'),
      }),
    )
    .describe('Summaries of the reasoning.'),
  content: z
    .array(
      z.object({
        type: z.literal('reasoning_text').describe('Kind of the object.'),
        text: z.string().describe('Text of the reasoning.'),
      }),
    )
    .describe('The reasoning itself.'),
  encrypted_content: z
    .string()
    .nullable()
    .describe('Reasoning in encrypted form; null unless it was asked for.'),
});
export type ReasoningOutput = z.infer<typeof ReasoningOutput>;

export const FunctionCall = z.object({
  type: z.literal('function_call').describe('Kind of the object.'),
  id: z.string().describe('Id of the item.'),
  status: ItemStatus.describe('Status of the item.'),
  call_id: z.string().describe('Id of the call; send it with the output of the function.'),
  name: z.string().describe('Name of the function.'),
  arguments: z.string().describe('Arguments as JSON text.'),
});
export type FunctionCall = z.infer<typeof FunctionCall>;

export const McpListTools = z.object({
  type: z.literal('mcp_list_tools').describe('Kind of the object.'),
  id: z.string().describe('Id of the item.'),
  server_label: z.string().describe('Label of the tool server.'),
  tools: z.array(ListedTool).describe('Tools of the server.'),
  error: z
    .string()
    .nullable()
    .describe('Why the tools could not be listed, or which of them were left out; null when all were.'),
});
export type McpListTools = z.infer<typeof McpListTools>;

export const McpCall = z.object({
  type: z.literal('mcp_call').describe('Kind of the object.'),
  id: z.string().describe('Id of the item.'),
  status: z
    .enum(['in_progress', 'calling', 'completed', 'incomplete', 'failed'])
    .describe('Status of the item.'),
  server_label: z.string().describe('Label of the tool server.'),
  name: z.string().describe('Name of the tool.'),
  arguments: z.string().describe('Arguments as JSON text.'),
  approval_request_id: z
    .string()
    .nullable()
    .describe('Id of the approval request that this call follows; null without one.'),
  output: z.string().nullable().describe('Result of the call; null while there is none.'),
  error: z.string().nullable().describe('Why the call failed; null unless it failed.'),
});
export type McpCall = z.infer<typeof McpCall>;

export const McpApprovalRequest = z.object({
  type: z.literal('mcp_approval_request').describe('Kind of the object.'),
  id: z.string().describe('Id of the approval request.'),
  server_label: z.string().describe('Label of the tool server.'),
  name: z.string().describe('Name of the tool.'),
  arguments: z.string().describe('Arguments as JSON text.'),
});
export type McpApprovalRequest = z.infer<typeof McpApprovalRequest>;

export const FileSearchCall = z.object({
  type: z.literal('file_search_call').describe('Kind of the object.'),
  id: z.string().describe('Id of the item.'),
  status: z
    .enum(['in_progress', 'searching', 'completed', 'incomplete', 'failed'])
    .describe('Status of the item.'),
  queries: z.array(z.string()).describe('Queries of the search.'),
  results: z
    .array(
      z.object({
        file_id: DatasetId,
        filename: z.string().describe('Name of the dataset.'),
        score: z.number().describe('Relevance of the row; higher is better.'),
        text: z.string().describe('Text of the row.'),
        attributes: z
          .object({
            dataset_id: DatasetId,
            row: z.int().describe('Index of the row in the dataset, from 0.'),
            passage: z.int().optional().describe('Number by which the model cites the row.'),
          })
          .describe('Where the row is.'),
      }),
    )
    .nullable()
    .describe('Rows that were found; null unless `include` has `file_search_call.results`.'),
});
export type FileSearchCall = z.infer<typeof FileSearchCall>;

const ProviderOutput = z.looseObject({ type: z.string().describe('Kind of the object.') });

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
  input_tokens: count(14).describe('Tokens that the model read.'),
  input_tokens_details: z
    .object({
      cached_tokens: count(0).describe('Tokens from the prompt cache.'),
      cache_write_tokens: count(0).describe('Tokens written to the prompt cache.'),
    })
    .describe('Parts of `input_tokens`.'),
  output_tokens: count(17).describe('Tokens that the model wrote.'),
  output_tokens_details: z
    .object({ reasoning_tokens: count(0).describe('Tokens of the reasoning.') })
    .describe('Parts of `output_tokens`.'),
  total_tokens: count(31).describe('Sum of `input_tokens` and `output_tokens`.'),
});
export type ResponseUsage = z.infer<typeof ResponseUsage>;

const ResponseId = text('resp_0f6f1d5b8a103f0c5a522c0a4c538f4e');

export const ModelResponse = z
  .object({
    id: ResponseId.describe('Id of the response.'),
    object: z.literal('response').describe('Always `response`.'),
    created_at: z
      .int()
      .meta({ example: 1_795_341_600 })
      .describe('Time of creation, seconds since 1970-01-01 UTC.'),
    completed_at: z
      .int()
      .nullable()
      .meta({ example: 1_795_341_602 })
      .describe('Time of completion, seconds since 1970-01-01 UTC; null when it was not completed.'),
    status: z
      .enum(['in_progress', 'completed', 'incomplete', 'failed'])
      .meta({ example: 'completed' })
      .describe('Status of the response.'),
    error: z
      .object({
        code: z.string().describe('Stable code of the error.'),
        message: z.string().describe('What went wrong.'),
      })
      .nullable()
      .describe('Why the response failed; null unless it failed.'),
    incomplete_details: z
      .object({
        reason: z
          .enum(['max_output_tokens', 'content_filter'])
          .describe('The limit or filter that ended the answer.'),
      })
      .nullable()
      .describe('Why the response is incomplete; null otherwise.'),
    model: text(EXAMPLE_MODEL).describe('Model of the request.'),
    instructions: text('Answer in one sentence.')
      .nullable()
      .describe('Instructions of the request; null without any.'),
    output: z.array(OutputItem).describe('Items of the answer: messages, reasoning, and calls of tools.'),
    previous_response_id: z
      .string()
      .nullable()
      .describe('Response that this one continues; null without one.'),
    tools: z
      .array(z.looseObject({ type: z.string().describe('Kind of the tool.') }))
      .meta({ example: [] })
      .describe('Tools of the request, without credentials.'),
    tool_choice: z
      .union([
        z.string(),
        z.looseObject({ type: z.string().describe('Kind of the tool that had to be called.') }),
      ])
      .meta({ example: 'auto' })
      .describe('Tool choice of the request.'),
    parallel_tool_calls: z.boolean().describe('Whether the model could call several tools at once.'),
    max_tool_calls: z.int().nullable().describe('The most calls of tools; null without a limit.'),
    max_output_tokens: z
      .int()
      .nullable()
      .meta({ example: 200 })
      .describe('The most tokens of the answer; null without a limit.'),
    temperature: decimal(1).describe('Sampling temperature.'),
    top_p: decimal(1).describe('Share of the probability mass that was sampled from.'),
    presence_penalty: decimal(0).describe('Always 0.'),
    frequency_penalty: decimal(0).describe('Always 0.'),
    top_logprobs: z
      .int()
      .meta({ example: 0 })
      .describe('How many of the most likely tokens are told for each token.'),
    truncation: z
      .enum(['auto', 'disabled'])
      .meta({ example: 'disabled' })
      .describe('What happens to a conversation that is too long.'),
    text: z
      .looseObject({
        format: z
          .looseObject({ type: text('text').describe('Kind of the format.') })
          .describe('Format of the text.'),
      })
      .describe('Form of the answer.'),
    reasoning: z.looseObject({}).nullable().describe('Reasoning settings of the request; null without any.'),
    usage: ResponseUsage.nullable().describe(
      'Tokens that are billed; null while the response is in progress.',
    ),
    store: z.boolean().describe('Whether the response is kept for 30 days.'),
    background: z.literal(false).describe('Always false.'),
    service_tier: z.literal('default').describe('Always `default`.'),
    metadata: z.record(z.string(), z.string()).meta({ example: {} }).describe('Metadata of the request.'),
    user: z.string().nullable().describe('User id of the request; null without one.'),
    safety_identifier: z.string().nullable().describe('Safety identifier of the request; null without one.'),
    prompt_cache_key: z.string().nullable().describe('Prompt cache key of the request; null without one.'),
    prompt_cache_retention: z
      .enum(['in_memory', '24h'])
      .nullable()
      .default(null)
      .describe('Retention of the prompt cache; null without one.'),
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
      readonly logprobs: readonly TokenLogprob[];
    }
  | {
      readonly type: 'response.output_text.done';
      readonly item_id: string;
      readonly output_index: number;
      readonly content_index: number;
      readonly text: string;
      readonly logprobs: readonly TokenLogprob[];
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
  response_id: ResponseId.min(1).max(128).describe('Id of a stored response, 1 to 128 characters.'),
});

/** One or several, with commas between them. */
const IncludableText = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(Includable))
  .optional();

const includes = {
  'include[]': IncludableText.describe(
    'What the response contains in addition: values of `include`, separated by commas or repeated.',
  ),
  include: IncludableText.describe('The same as `include[]`.'),
};

export const ResponseQuery = z.strictObject({
  ...includes,
  stream: z
    .literal('false', {
      error: 'is not offered: events are sent where the response is created; read it without stream',
    })
    .optional()
    .describe('Only `false` is accepted: a stored response is read as one object.'),
  include_obfuscation: z.literal('false').optional().describe('Only `false` is accepted.'),
});

export const DeletedResponse = z.object({
  id: ResponseId.describe('Id of the deleted response.'),
  object: z.literal('response.deleted').describe('Always `response.deleted`.'),
  deleted: z.literal(true).describe('Always true.'),
});

export const InputItemsQuery = z.strictObject({
  order: z
    .enum(['asc', 'desc'])
    .default('desc')
    .describe('Order of the items: `desc` (default) lists the newest first.'),
  limit: IntegerText.pipe(z.int().min(1).max(100)).default(20).describe('Page size, 1 to 100, default 20.'),
  after: z.string().min(1).optional().describe('Id of the last item of the previous page.'),
  ...includes,
});

export const InputItemPage = z.object({
  object: z.literal('list').describe('Always `list`.'),
  data: z
    .array(
      z.looseObject({
        id: z.string().describe('Id of the item.'),
        type: z.string().describe('Kind of the object.'),
      }),
    )
    .meta({
      example: [
        {
          type: 'message',
          id: 'msg_5b8a103f0c5a',
          role: 'user',
          content: [{ type: 'input_text', text: 'How do I reset my password?' }],
        },
      ],
    })
    .describe('Items of this page.'),
  first_id: text('msg_5b8a103f0c5a').nullable().describe('Id of the first item; null on an empty page.'),
  last_id: text('msg_5b8a103f0c5a').nullable().describe('Id of the last item; null on an empty page.'),
  has_more: z.boolean().meta({ example: false }).describe('Whether more items follow.'),
});
