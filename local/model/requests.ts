import * as z from 'zod';
import { ApiError } from './api-error.ts';

const TextPart = z.strictObject({ type: z.literal('text'), text: z.string() });
const Content = z
  .union([z.string(), z.array(TextPart)])
  .transform((content) =>
    typeof content === 'string' ? content : content.map((part) => part.text).join('\n'),
  );

const Message = z.strictObject({
  role: z
    .enum(['system', 'developer', 'user', 'assistant'])
    .transform((role) => (role === 'developer' ? 'system' : role)),
  content: Content,
  name: z.string().optional(),
});

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

/** What `POST /v1/chat/completions` takes. A field that would change the answer and cannot be honoured is refused. */
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
  n: z.literal(1).nullish(),
  // These do not change what is answered.
  user: z.string().nullish(),
  metadata: z.unknown().optional(),
  store: z.unknown().optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;
export type ChatTurn = ChatRequest['messages'][number];

/** What `POST /v1/embeddings` takes. */
const EmbeddingsRequest = z.strictObject({
  model: z.string(),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2048)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().nullish(),
  user: z.string().nullish(),
});
export type EmbeddingsRequest = z.infer<typeof EmbeddingsRequest>;

/** @throws {ApiError} 400 naming the first field that is wrong. */
export const parseChatRequest = (body: unknown): ChatRequest => parse(ChatRequest, body);

/** @throws {ApiError} 400 naming the first field that is wrong. */
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
