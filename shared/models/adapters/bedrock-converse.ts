import type { ConverseCommandInput, ConverseCommandOutput } from '@aws-sdk/client-bedrock-runtime';
import { own } from '#shared/platform/own.ts';
import type { OptionalPart } from '#shared/platform/schema/optional-part.ts';
import { type GenerateRequest, type Generation, ModelError } from '../decide/port.ts';
import { toImage } from './bedrock-image.ts';
import { compiledOnce, toBedrockSchema } from './bedrock-schema.ts';
import { toTextEnd } from './bedrock-turn.ts';

/**
 * Models that support cache points, by AWS's names (Claude from 3.5 Haiku and 3.7 Sonnet on, Nova); others reject the
 * request. A prefix shorter than about a thousand tokens is not cached.
 */
export const KEEPS_PROMPTS =
  /anthropic\.claude-(3-5-haiku|3-7-sonnet|(opus|sonnet|haiku)-[4-9])|amazon\.nova-(micro|lite|pro|premier)/;

/** Optional parts of a request: the prompts also ask for JSON in words. */
export type OptionalField = 'temperature' | 'outputConfig';
const DISPENSABLE: Readonly<Partial<Record<string, OptionalField>>> = {
  temperature: 'temperature',
  'text.format': 'outputConfig',
};

/** The optional part behind a refused field of a request; null if the model needs the field. */
export const toOptionalField = (requestField: string | undefined): OptionalField | null =>
  own(DISPENSABLE, requestField ?? '') ?? null;

/** The parts that the fields are. */
export const OPTIONAL_FIELDS: Readonly<Record<OptionalField, OptionalPart>> = {
  temperature: 'temperature',
  outputConfig: 'schema',
};

/**
 * The parts of a request that Converse has no field for, or that the model does not support.
 * @param lacksCache whether the model supports no cache points
 */
export function partsWithoutField(request: GenerateRequest, lacksCache: boolean): OptionalPart[] {
  const hasPrefix = request.messages.some(({ role }) => role === 'system');
  return [
    ...(request.seed === undefined ? [] : (['seed'] as const)),
    ...(lacksCache && hasPrefix ? (['prompt_cache'] as const) : []),
  ];
}

/** The fields of an answer of Converse that a generation is read from. */
export type ConverseAnswer = Pick<ConverseCommandOutput, 'output' | 'stopReason' | 'usage'>;

/** @throws {ModelError} `garbage` if the answer has no message */
export function toGeneration({ output, stopReason, usage }: ConverseAnswer): Generation {
  if (output?.message === undefined) throw new ModelError('garbage', 'Bedrock answered without a message');
  return {
    text: (output.message.content ?? []).map((block) => block.text ?? '').join(''),
    finishReason: toTextEnd(stopReason),
    usage: {
      // Cache reads and writes are counted separately.
      input_tokens:
        (usage?.inputTokens ?? 0) + (usage?.cacheReadInputTokens ?? 0) + (usage?.cacheWriteInputTokens ?? 0),
      output_tokens: usage?.outputTokens ?? 0,
    },
  };
}

/**
 * A request to Converse.
 * @param caches whether to set a cache point, which the model must support
 * @param refused parts that the model does not take
 */
export function toConverse(
  modelId: string,
  request: GenerateRequest,
  caches: boolean,
  refused: ReadonlySet<OptionalField>,
): ConverseCommandInput {
  const system = request.messages.filter(({ role }) => role === 'system');
  const turns = request.messages.filter(({ role }) => role !== 'system');
  return {
    modelId,
    ...(system.length === 0
      ? {}
      : {
          system: [
            ...system.map(({ content }) => ({ text: content })),
            ...(caches ? [{ cachePoint: { type: 'default' as const } }] : []),
          ],
        }),
    messages: turns.map(({ role, content, images = [] }) => ({
      role: role === 'assistant' ? 'assistant' : 'user',
      content: [...images.map(toImage), { text: content }],
    })),
    inferenceConfig: {
      maxTokens: request.maxOutputTokens,
      ...(refused.has('temperature') ? {} : { temperature: request.temperature }),
    },
    ...(request.jsonSchema === undefined || refused.has('outputConfig')
      ? {}
      : {
          outputConfig: {
            textFormat: {
              type: 'json_schema',
              structure: {
                jsonSchema: {
                  name: request.jsonSchema.name,
                  schema: JSON.stringify(toBedrockSchema(compiledOnce(request.jsonSchema))),
                },
              },
            },
          },
        }),
  };
}
