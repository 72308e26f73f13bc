import type { ResponseStream } from '@aws-sdk/client-bedrock-runtime';
import * as z from 'zod';
import { ModelError } from '../decide/port.ts';
import type { AnsweringModel, TurnRequest } from '../decide/turn.ts';
import type { BedrockConnection } from './bedrock-connection.ts';
import { askUntilStarted, isStarting, PAUSE_MILLISECONDS, startingModel } from './cold-start.ts';
import { readChatTurn, toChatTurnBody } from './openai-chat-turn.ts';
import { newDialect } from './openai-dialect.ts';

/** The one family whose imported models call tools. */
const CALLS_TOOLS = /^openai\/gpt-oss-/;

/** What Bedrock adds to the last chunk of a stream, in the headers' words. */
const Metrics = z.object({
  'amazon-bedrock-invocationMetrics': z.object({
    inputTokenCount: z.int().min(0),
    outputTokenCount: z.int().min(0),
  }),
});
const Used = z.object({ usage: z.looseObject({ prompt_tokens: z.number() }) });

/**
 * Answers of an imported model of Amazon Bedrock: chat completions of OpenAI's form, in the stream of `InvokeModel`, which
 * every architecture takes. Converse is refused for some of them.
 * @param pauseMilliseconds between two calls while the model is restored
 */
export function answerByImport(
  stream: BedrockConnection['stream'],
  modelArn: string,
  baseModel: string,
  pauseMilliseconds = PAUSE_MILLISECONDS,
): AnsweringModel {
  return {
    modelId: modelArn,
    forwards: () => false,
    async *answer(request, signal) {
      const body = JSON.stringify(toBody(baseModel, request));
      const open: Parameters<typeof stream<ResponseStream>>[0] = async (sdk, client, abortSignal) => {
        const command = new sdk.InvokeModelWithResponseStreamCommand({
          modelId: modelArn,
          contentType: 'application/json',
          accept: 'application/json',
          body,
        });
        return (await client.send(command, { abortSignal })).body;
      };
      const ask = () => readChatTurn(readChunks(tellingRestored(stream(open, signal))));
      yield* askUntilStarted(ask, mayBeRestored, signal, pauseMilliseconds);
    },
  };
}

/**
 * The fields of a chat completion that imported models have: the model is in the address of the request, and the
 * operation says that it streams.
 * @throws {ModelError} `rejected` for tools, which others than GPT-OSS would ignore
 */
function toBody(baseModel: string, request: TurnRequest): object {
  if (request.tools.length > 0 && !CALLS_TOOLS.test(baseModel)) {
    throw new ModelError('rejected', `A trained ${baseModel} calls no tools on Amazon Bedrock: omit tools`, {
      requestField: 'tools',
    });
  }
  const {
    model: _model,
    stream: _stream,
    stream_options: _options,
    ...body
  } = toChatTurnBody(
    baseModel,
    { ...request, marks: { user: null, safetyIdentifier: null, cacheKey: null } },
    newDialect(),
  );
  return body;
}

/**
 * The events of a call, which a model that is being restored refuses:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/invoke-imported-model.html#handle-model-not-ready-exception
 */
async function* tellingRestored<T>(events: AsyncIterable<T>): AsyncGenerator<T, void> {
  try {
    yield* events;
  } catch (error) {
    const { cause } = error as { cause?: { name?: string } };
    throw cause?.name === 'ModelNotReadyException' ? startingModel('some minutes', error) : error;
  }
}

/** A call of a model that is being restored may also be held for minutes, longer than an answer may be silent. */
const mayBeRestored = (error: unknown): boolean =>
  isStarting(error) || (error instanceof ModelError && error.kind === 'timeout');

/** The chunks of a chat completion; the counts that Bedrock adds stand in for its usage where it has none. */
async function* readChunks(events: AsyncIterable<ResponseStream>): AsyncGenerator<unknown, void> {
  for await (const event of events) {
    if (event.chunk?.bytes === undefined) {
      const [problem] = Object.values(event);
      if (problem instanceof Error) throw problem;
      continue;
    }
    const chunk = parse(event.chunk.bytes);
    const metrics = Metrics.safeParse(chunk).data?.['amazon-bedrock-invocationMetrics'];
    if (metrics === undefined || Used.safeParse(chunk).success) {
      yield chunk;
      continue;
    }
    const { inputTokenCount: prompt_tokens, outputTokenCount: completion_tokens } = metrics;
    yield { ...(chunk as object), usage: { prompt_tokens, completion_tokens } };
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new ModelError('garbage', "A part of Bedrock's answer is not valid JSON", { cause });
  }
}
