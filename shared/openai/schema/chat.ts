import * as z from 'zod';
import { count, EXAMPLE_MODEL, text } from '#shared/platform/schema/common.ts';
import { TokenLogprob } from '#shared/responses/schema/response.ts';
import { CreateResponseRequest, ImageUrl, only, Text } from '#shared/responses/schema/response-request.ts';

/** Chat completions as OpenAI's clients write and read them. What they share with responses has the schema of those. */

const asked = CreateResponseRequest.shape;

const TextPart = z.strictObject({
  type: z.literal('text').describe('Kind of the object.'),
  text: Text.describe('Text, up to 4,000,000 characters.'),
});
const RefusalPart = z.strictObject({
  type: z.literal('refusal').describe('Kind of the object.'),
  refusal: Text.describe('Text of a refusal, up to 4,000,000 characters.'),
});
const ImagePart = z.strictObject({
  type: z.literal('image_url').describe('Kind of the object.'),
  image_url: z
    .strictObject({
      url: ImageUrl,
      detail: z
        .enum(['auto', 'low', 'high'])
        .optional()
        .describe('Resolution at which the model reads the image.'),
    })
    .describe('The image.'),
});

/** An empty value of something that is not offered, as clients replay it. */
const none = (otherwise: string) => z.null({ error: otherwise }).optional();
const noName = none('is not offered: say who speaks in the content').describe('Not supported; omit it.');

const Instruction = <const Role extends string>(role: Role) =>
  z.strictObject({
    role: z.literal(role).describe('Who speaks.'),
    content: z.union([Text, z.array(TextPart)]).describe('Text of the message, or its parts.'),
    name: noName,
  });

const ToolCall = z.strictObject({
  id: z.string().min(1).max(256).describe('Id that connects a call with its output, up to 256 characters.'),
  type: z.literal('function').describe('Kind of the object.'),
  function: z
    .strictObject({
      name: z.string().min(1).max(128).describe('Name of the function, up to 128 characters.'),
      arguments: Text.describe('Arguments as JSON text.'),
    })
    .describe('The function and its arguments.'),
});

export const ChatMessage = z.discriminatedUnion('role', [
  Instruction('system'),
  Instruction('developer'),
  z.strictObject({
    role: z.literal('user').describe('Who speaks.'),
    content: z
      .union([Text, z.array(z.discriminatedUnion('type', [TextPart, ImagePart]))])
      .describe('Text of the message, or its parts.'),
    name: noName,
  }),
  z.strictObject({
    role: z.literal('assistant').describe('Who speaks.'),
    content: z
      .union([Text, z.array(z.discriminatedUnion('type', [TextPart, RefusalPart]))])
      .nullish()
      .describe('Text of the message, or its parts; null beside calls.'),
    refusal: Text.nullish().describe('Text of a refusal.'),
    tool_calls: z.array(ToolCall).max(128).nullish().describe('Calls of functions, up to 128.'),
    annotations: z
      .array(z.unknown())
      .nullish()
      .describe('Citations of an earlier answer; the model does not read them.'),
    audio: none('is not offered').describe('Not supported; omit it.'),
    function_call: none('is not offered: send tool_calls').describe('Not supported; send `tool_calls`.'),
    name: noName,
  }),
  z.strictObject({
    role: z.literal('tool').describe('Who speaks.'),
    tool_call_id: z.string().min(1).max(256).describe('Id of the call, up to 256 characters.'),
    content: z.union([Text, z.array(TextPart)]).describe('Result of the function: text, or parts.'),
    name: z
      .string()
      .max(128)
      .nullish()
      .describe('Name of the function, up to 128 characters; the call has it.'),
  }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

const ChatTool = z.strictObject({
  type: z
    .literal('function')
    .describe('Kind of the object. Other tools are those of `POST /api/v1/responses`.'),
  function: z
    .strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -')
        .describe('Name of the function: 1 to 64 letters, digits, `_` and `-`.'),
      description: z.string().nullish().describe('What the function does.'),
      parameters: z.record(z.string(), z.unknown()).nullish().describe('JSON Schema of the arguments.'),
      strict: z.boolean().nullish().describe('Whether arguments have to satisfy the schema.'),
    })
    .describe('The function.'),
});

const ResponseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text').describe('Kind of the object.') }),
  z.strictObject({ type: z.literal('json_object').describe('Kind of the object.') }),
  z.strictObject({
    type: z.literal('json_schema').describe('Kind of the object.'),
    json_schema: z
      .strictObject({
        name: z.string().min(1).max(64).describe('Name of the schema, 1 to 64 characters.'),
        description: z.string().nullish().describe('What the answer is for.'),
        schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the answer.'),
        strict: z.boolean().nullish().describe('Whether the answer has to satisfy the schema.'),
      })
      .describe('The schema.'),
  }),
]);

const notOffered = 'is not offered: leave it out';

export const CreateChatCompletionRequest = z
  .strictObject({
    model: asked.model,
    messages: z
      .array(ChatMessage)
      .min(1)
      .max(10_000)
      .meta({ example: [{ role: 'user', content: 'How do I reset my password?' }] })
      .describe('The conversation, 1 to 10,000 messages.'),
    max_completion_tokens: asked.max_output_tokens,
    max_tokens: asked.max_output_tokens
      .describe('The older name of `max_completion_tokens`.')
      .meta({ example: undefined }),
    temperature: asked.temperature,
    top_p: asked.top_p,
    stop: z
      .union([z.string().min(1).max(256), z.array(z.string().min(1).max(256)).max(4)])
      .nullish()
      .describe('Up to 4 texts of up to 256 characters at which the answer ends.'),
    seed: z.int().nullish().describe('Seed of sampling, for providers that have one.'),
    stream: z
      .boolean()
      .nullish()
      .describe(
        'If true, the answer is a stream of server-sent events; otherwise one object. Default: false.',
      ),
    stream_options: z
      .strictObject({
        include_usage: z
          .boolean()
          .nullish()
          .describe('Whether a last chunk tells the tokens. Default: false.'),
        include_obfuscation: only([false], 'is not offered: only false is accepted').describe(
          'Only false is accepted.',
        ),
      })
      .nullish()
      .describe('Options of the stream.'),
    tools: z.array(ChatTool).max(128).nullish().describe('Functions that the model may call, up to 128.'),
    tool_choice: z
      .union([
        z.enum(['auto', 'none', 'required']),
        z.strictObject({
          type: z.literal('function').describe('Kind of the object.'),
          function: z
            .strictObject({ name: z.string().min(1).describe('Name of the function that has to be called.') })
            .describe('The function.'),
        }),
      ])
      .nullish()
      .describe('`auto` (default), `none`, `required`, or the function that has to be called.'),
    parallel_tool_calls: asked.parallel_tool_calls,
    response_format: ResponseFormat.nullish().describe('Plain text (default), JSON, or JSON of a schema.'),
    reasoning_effort: z
      .string()
      .max(32)
      .nullish()
      .describe('How much the model reasons, as its provider names it.'),
    user: asked.user,
    safety_identifier: asked.safety_identifier,
    prompt_cache_key: asked.prompt_cache_key,
    prompt_cache_retention: asked.prompt_cache_retention,
    metadata: asked.metadata.describe(
      'Up to 16 texts by name; names up to 64, values up to 512 characters. They are not kept: `store` is not offered.',
    ),
    n: only([1], 'must be 1: send several requests for several answers').describe('Only 1 is accepted.'),
    logprobs: z
      .boolean()
      .nullish()
      .describe('Whether the answer tells how likely its tokens were, where the provider of the model does.'),
    top_logprobs: asked.top_logprobs.describe(
      'How many of the most likely tokens are told for each token, 0 to 20: with `logprobs`.',
    ),
    presence_penalty: asked.presence_penalty,
    frequency_penalty: asked.frequency_penalty,
    service_tier: asked.service_tier,
    verbosity: only(['medium'], 'is not offered: leave it out or send "medium"').describe(
      'Only `medium` is accepted.',
    ),
    store: only([false], 'is not offered: POST /api/v1/responses stores').describe('Only false is accepted.'),
    logit_bias: z.strictObject({}, { error: notOffered }).nullish().describe('Only null or an empty object.'),
    modalities: z
      .array(z.literal('text', { error: 'must be "text"' }))
      .nullish()
      .describe('Only `["text"]`.'),
    audio: none(notOffered).describe('Not supported; omit it.'),
    prediction: none(notOffered).describe('Not supported; omit it.'),
    moderation: none(notOffered).describe('Not supported; omit it.'),
    prompt_cache_options: asked.prompt_cache_options,
    web_search_options: none('is not offered: use a tool of POST /api/v1/responses').describe(
      'Not supported; omit it.',
    ),
    functions: none('is not offered: send tools').describe('Not supported; send `tools`.'),
    function_call: none('is not offered: send tool_choice').describe('Not supported; send `tool_choice`.'),
  })
  .meta({ id: 'CreateChatCompletionRequest' });
export type CreateChatCompletionRequest = z.infer<typeof CreateChatCompletionRequest>;

export const CompletionUsage = z.object({
  prompt_tokens: count(14).describe('Tokens of the conversation.'),
  completion_tokens: count(17).describe('Tokens that the model wrote.'),
  total_tokens: count(31).describe('Sum of both.'),
  prompt_tokens_details: z
    .object({ cached_tokens: count(0).describe('Tokens read from the prompt cache.') })
    .describe('Parts of `prompt_tokens`.'),
  completion_tokens_details: z
    .object({ reasoning_tokens: count(0).describe('Tokens of the reasoning.') })
    .describe('Parts of `completion_tokens`.'),
});
export type CompletionUsage = z.infer<typeof CompletionUsage>;

export const FinishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter']);
export type FinishReason = z.infer<typeof FinishReason>;

const ChatLogprobs = z.object({
  content: z.array(TokenLogprob).describe('Tokens of the text.'),
  refusal: z.null().describe('Always null.'),
});
export type ChatLogprobs = z.infer<typeof ChatLogprobs>;

export const ChatCompletion = z
  .object({
    id: text('chatcmpl-0f6f1d5b8a103f0c5a522c0a4c538f4e').describe('Id of the answer.'),
    object: z.literal('chat.completion').describe('Kind of the object.'),
    created: z
      .int()
      .min(0)
      .meta({ example: 1_795_341_600 })
      .describe('Time of creation, seconds since 1970-01-01 UTC.'),
    model: text(EXAMPLE_MODEL).describe('Model of the request.'),
    choices: z
      .array(
        z.object({
          index: z.literal(0).describe('Always 0.'),
          finish_reason: FinishReason.describe('Why the answer ended.'),
          logprobs: ChatLogprobs.nullable()
            .meta({ example: null })
            .describe(
              'How likely the tokens of the text were; null unless `logprobs` asks for it and the provider of the model tells it.',
            ),
          message: z
            .object({
              role: z.literal('assistant').describe('Who speaks.'),
              content: text('Choose "Forgot password" on the sign-in page.')
                .nullable()
                .describe('Text of the answer; null without any.'),
              refusal: z.string().nullable().describe('Why the model refuses; null unless it does.'),
              annotations: z
                .array(
                  z.object({
                    type: z.literal('url_citation').describe('Kind of the object.'),
                    url_citation: z
                      .looseObject({ url: z.string().describe('Address of the page.') })
                      .describe('The page, and the characters of the text that rest on it.'),
                  }),
                )
                .meta({ example: [] })
                .describe('Pages that the text cites.'),
              tool_calls: z.array(ToolCall).optional().describe('Calls of functions; absent without any.'),
            })
            .describe('The answer.'),
        }),
      )
      .describe('The one answer.'),
    usage: CompletionUsage.nullable().describe('Tokens that are billed; null if none were counted.'),
    service_tier: z.literal('default').describe('Always `default`.'),
    system_fingerprint: z.null().describe('Always null.'),
  })
  .meta({ id: 'ChatCompletion' });
export type ChatCompletion = z.infer<typeof ChatCompletion>;

type Delta = {
  readonly role?: 'assistant';
  readonly content?: string;
  readonly refusal?: string | null;
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly type?: 'function';
    readonly function: { readonly name?: string; readonly arguments: string };
  }[];
};

/** A piece of a streamed chat completion, or the error that ended it. */
export type ChatChunk =
  | {
      /** Chunks are told without the name of an event. */
      readonly type?: never;
      readonly id: string;
      readonly object: 'chat.completion.chunk';
      readonly created: number;
      readonly model: string;
      readonly service_tier: 'default';
      readonly system_fingerprint: null;
      readonly choices: readonly {
        readonly index: 0;
        readonly delta: Delta;
        readonly logprobs: ChatLogprobs | null;
        readonly finish_reason: FinishReason | null;
      }[];
      readonly usage?: CompletionUsage | null;
    }
  | {
      readonly type?: never;
      readonly error: {
        readonly message: string;
        readonly type: string;
        readonly param: string;
        readonly code: string;
      };
    };
