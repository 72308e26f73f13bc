import * as z from 'zod';
import { own } from '#shared/platform/own.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { type ChatMessage, type GenerateRequest, type Generation, ModelError } from '../decide/port.ts';
import type { Dialect } from './openai-dialect.ts';

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
});

/** Optional fields of requests for rows, as the parts that they are. */
const PARTS: Readonly<Record<string, OptionalPart>> = {
  temperature: 'temperature',
  seed: 'seed',
  response_format: 'schema',
};
export const DISPENSABLE = Object.keys(PARTS);

/** The part that a field of a request is; undefined of fields that are no optional part. */
export const partOf = (field: string): OptionalPart | undefined => own(PARTS, field);

/** The body of a request to `/chat/completions`. */
export function toCompletionBody(
  modelId: string,
  request: GenerateRequest,
  dialect: Dialect,
): Record<string, unknown> {
  const body: Record<string, unknown> = {
    model: modelId,
    messages: request.messages.map(toMessage),
    [dialect.tokensField]: request.maxOutputTokens,
  };
  if (!dialect.refused.has('temperature')) {
    body.temperature = request.temperature;
  }
  if (request.seed !== undefined && !dialect.refused.has('seed')) {
    body.seed = request.seed;
  }
  if (request.jsonSchema !== undefined && !dialect.refused.has('response_format')) {
    const { name, schema } = request.jsonSchema;
    body.response_format = { type: 'json_schema', json_schema: { name, schema, strict: true } };
  }
  return body;
}

function toMessage({ role, content, images }: ChatMessage): Record<string, unknown> {
  if (images === undefined || images.length === 0) return { role, content };
  const shown = images.map((url) => ({ type: 'image_url', image_url: { url } }));
  return { role, content: [...shown, { type: 'text', text: content }] };
}

/** @throws {ModelError} `garbage` */
export function toGeneration(body: unknown): Generation {
  const parsed = Completion.safeParse(body);
  const choice = parsed.data?.choices[0];
  if (parsed.data === undefined || choice === undefined) {
    throw new ModelError('garbage', "The model endpoint's answer is not a chat completion");
  }
  const { usage } = parsed.data;
  return {
    text: choice.message.content ?? '',
    finishReason:
      choice.finish_reason === 'length'
        ? 'length'
        : choice.finish_reason === 'content_filter'
          ? 'filtered'
          : 'stop',
    usage: { input_tokens: usage?.prompt_tokens ?? 0, output_tokens: usage?.completion_tokens ?? 0 },
  };
}
