import * as z from 'zod';
import { ApiError } from './api-error.ts';

const TextPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const Content = z
  .union([z.string(), z.array(TextPart)])
  .transform((content) =>
    typeof content === 'string' ? content : content.map((part) => part.text).join('\n'),
  );

const TextMessage = z.strictObject({
  role: z.enum(['system', 'developer', 'user']).transform((role) => (role === 'developer' ? 'system' : role)),
  content: Content,
  name: z.string().optional(),
});

const ToolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

const ToolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function').optional(),
  function: z.strictObject({ name: ToolName, arguments: z.string() }),
});

const AssistantMessage = z
  .strictObject({
    role: z.literal('assistant'),
    content: Content.nullish(),
    name: z.string().optional(),
    refusal: z.string().nullish(),
    /** Local models do not reason, so reasoning of other models is dropped. */
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(ToolCall).min(1).nullish(),
  })
  .refine(({ content, tool_calls }) => typeof content === 'string' || Boolean(tool_calls), {
    path: ['content'],
    message: 'is missing, and so are tool_calls',
  });

const ToolMessage = z.strictObject({
  role: z.literal('tool'),
  content: Content,
  tool_call_id: z.string(),
  name: z.string().optional(),
});

const Message = z.discriminatedUnion('role', [TextMessage, AssistantMessage, ToolMessage]);

const Tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: ToolName,
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const ToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: ToolName }) }),
]);

const ResponseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: z.string().min(1).max(64),
      description: z.string().optional(),
      schema: z.record(z.string(), z.unknown()),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const Tokens = z.int().min(1);

/** The body of `POST /v1/chat/completions`. An unsupported field that would change the answer is an error. */
const ChatRequest = z.strictObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  max_tokens: Tokens.nullish(),
  max_completion_tokens: Tokens.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().gt(0).max(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(4)]).nullish(),
  frequency_penalty: z.number().min(0).max(2).nullish(),
  presence_penalty: z.number().min(0).max(2).nullish(),
  response_format: ResponseFormat.nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(Tool).max(128).nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  n: z.literal(1).nullish(),
  // These do not affect the answer.
  user: z.string().nullish(),
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** One turn in the form of chat templates. */
export interface ChatTurn {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** The body of `POST /v1/embeddings`. */
const EmbeddingsRequest = z.strictObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().nullish(),
  user: z.string().nullish(),
});
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

/** @throws {ApiError} 400 naming the first invalid field. */
export const parseChatRequest = (body: unknown): ChatRequest => parse(ChatRequest, body);

const AdapterRequest = z.strictObject({
  /** The base model, as trainings call it. */
  model: z.string(),
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/),
  url: z.url({ protocol: /^https?$/ }),
});
export type AdapterRequest = z.output<typeof AdapterRequest>;

/** @throws {ApiError} 400 naming the first invalid field. */
export const parseAdapterRequest = (body: unknown): AdapterRequest => parse(AdapterRequest, body);

/** @throws {ApiError} 400 naming the first invalid field. */
export const parseEmbeddingsRequest = (body: unknown): EmbeddingsRequest => parse(EmbeddingsRequest, body);

function parse<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const unknownKey = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const parameter = [...(issue?.path ?? []), ...(unknownKey === undefined ? [] : [unknownKey])].join('.');
  throw new ApiError(400, `${parameter === '' ? 'body' : parameter}: ${issue?.message ?? 'invalid'}`, {
    code: unknownKey === undefined ? 'invalid_value' : 'unsupported_parameter',
    ...(parameter === '' ? {} : { parameter }),
  });
}
