import type { ResponseStream, SageMakerRuntimeClient } from '@aws-sdk/client-sagemaker-runtime';
import { ModelError, type ModelFailureKind } from '../decide/port.ts';
import type { AnsweringModel, TurnRequest } from '../decide/turn.ts';
import { type AwsConnection, type AwsConnectionOptions, createAwsConnection } from './aws-connection.ts';
import { isTooLong, refusedPart } from './bedrock-errors.ts';
import { askUntilStarted, isStarting, PAUSE_MILLISECONDS, startingModel } from './cold-start.ts';
import { createEventDataReader } from './event-data.ts';
import { readChatTurn, toChatTurnBody } from './openai-chat-turn.ts';
import { newDialect } from './openai-dialect.ts';

export interface EndpointOptions extends AwsConnectionOptions {
  /** Between two calls while the model is started. */
  readonly pauseMilliseconds?: number;
}

/** Models of which each has an endpoint of Amazon SageMaker. */
export interface SageMakerEndpoints {
  /**
   * @param name that of the endpoint, of its inference component and of its model
   * @param reasons whether the model was trained with reasoning before its answers
   */
  answering(name: string, baseModel: string, reasons: boolean): AnsweringModel;
  close(): void;
}

type Connection = AwsConnection<typeof import('@aws-sdk/client-sagemaker-runtime'), SageMakerRuntimeClient>;

/** An event of an answer, and what is left of it in parts that were cut anywhere. */
const EVENT_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Endpoints whose container speaks the chat completions of OpenAI, as vLLM does:
 * https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_runtime_InvokeEndpointWithResponseStream.html
 */
export function connectSageMaker(options: EndpointOptions): SageMakerEndpoints {
  const connection: Connection = createAwsConnection(
    {
      name: 'SageMaker',
      async load() {
        const sdk = await import('@aws-sdk/client-sagemaker-runtime');
        const client = new sdk.SageMakerRuntimeClient({ region: options.region, maxAttempts: 1 });
        return { sdk, client };
      },
      toModelError,
    },
    options,
  );
  return {
    answering: (name, baseModel, reasons) => ({
      modelId: name,
      forwards: () => false,
      async *answer(request, signal) {
        const body = JSON.stringify(toBody(name, baseModel, reasons, request));
        const open: Parameters<typeof connection.stream<ResponseStream>>[0] = async (
          sdk,
          client,
          abortSignal,
        ) => {
          const command = new sdk.InvokeEndpointWithResponseStreamCommand({
            EndpointName: name,
            InferenceComponentName: name,
            ContentType: 'application/json',
            Accept: 'text/event-stream',
            Body: body,
          });
          return (await client.send(command, { abortSignal })).Body;
        };
        const ask = () => readChatTurn(readEvents(connection.stream(open, signal)));
        yield* askUntilStarted(ask, isStarting, signal, options.pauseMilliseconds ?? PAUSE_MILLISECONDS);
      },
    }),
    close: connection.close,
  };
}

/** @throws {ModelError} `rejected` for tools: the container is told no form in which a model calls them */
function toBody(name: string, baseModel: string, reasons: boolean, request: TurnRequest): object {
  if (request.tools.length > 0) {
    throw new ModelError(
      'rejected',
      `A trained ${baseModel} calls no tools on Amazon SageMaker: omit tools`,
      {
        requestField: 'tools',
      },
    );
  }
  const marks = { user: null, safetyIdentifier: null, cacheKey: null };
  return {
    ...toChatTurnBody(name, { ...request, marks }, newDialect()),
    // As the prompts of its training were written.
    chat_template_kwargs: { enable_thinking: reasons },
  };
}

/** The data of the events in the parts of an answer, up to `[DONE]`. */
async function* readEvents(parts: AsyncIterable<ResponseStream>): AsyncGenerator<unknown, void> {
  const events = createEventDataReader(EVENT_BYTES_MAX);
  for await (const part of parts) {
    if (part.PayloadPart?.Bytes === undefined) {
      const [problem] = Object.values(part);
      if (problem instanceof Error) throw toModelError(problem);
      continue;
    }
    const complete = events.read(part.PayloadPart.Bytes);
    if (complete === null)
      throw new ModelError('garbage', `SageMaker answered an event of more than ${EVENT_BYTES_MAX} bytes`);
    for (const data of complete) {
      if (data === '[DONE]') return;
      yield parse(data);
    }
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (cause) {
    throw new ModelError('garbage', "An event of SageMaker's answer is not valid JSON", { cause });
  }
}

/**
 * How SageMaker tells that no copy of a model runs: "Inference Component has no capacity to process this request.
 * ApplicationAutoScaling may be in-progress (if configured) or try to increase the capacity by invoking
 * UpdateInferenceComponentRuntimeConfig API."
 */
const NO_CAPACITY = /has no capacity to process this request/i;
const START_TAKES = 'up to a quarter of an hour';

const KINDS: ReadonlyMap<string, ModelFailureKind> = new Map([
  ['ThrottlingException', 'throttled'],
  ['AccessDeniedException', 'misconfigured'],
  ['UnrecognizedClientException', 'misconfigured'],
  ['InvalidSignatureException', 'misconfigured'],
  ['ExpiredTokenException', 'misconfigured'],
  ['CredentialsProviderError', 'misconfigured'],
  // Without the words for a lack of copies it is about the endpoint, which is not as it was made.
  ['ValidationError', 'misconfigured'],
  ['TimeoutError', 'timeout'],
]);

interface Refusal {
  readonly name?: string;
  readonly message?: string;
  /** What the container answered, if it did. */
  readonly OriginalStatusCode?: number;
  readonly OriginalMessage?: string;
}

function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const { name = 'an error', message = '', ...original } = error as Refusal;
  const isCold =
    name === 'ModelNotReadyException' || (name === 'ValidationError' && NO_CAPACITY.test(message));
  if (isCold) return startingModel(START_TAKES, error);
  if (name === 'ModelError') return toContainerError(original, error);
  return new ModelError(KINDS.get(name) ?? 'unavailable', `SageMaker answered ${name}`, { cause: error });
}

/** The container's own refusal, whose message may quote the request. */
function toContainerError(
  { OriginalStatusCode: status = 500, OriginalMessage: message = '' }: Refusal,
  cause: unknown,
): ModelError {
  const said = `The container of the model answered ${status}`;
  if (status === 429) return new ModelError('throttled', said, { cause });
  if (status >= 500 || status === 408) return new ModelError('unavailable', said, { cause });
  if (isTooLong(message)) {
    return new ModelError('too_long', `${said}: the request does not fit the model's context`, { cause });
  }
  return new ModelError('rejected', said, { requestField: refusedPart(message), cause });
}
