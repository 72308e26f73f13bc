import type { AdaptiveLimit, CallOutcome, Permit } from './adaptive-limit.ts';
import {
  type BatchedAnswer,
  type CallMemo,
  type CallRequest,
  callKey,
  isBatched,
  type RecordedAnswer,
  readGeneration,
  readVectors,
  recordGeneration,
  recordVectors,
} from './call-memo.ts';
import type { Clock } from './clock.ts';
import {
  type EmbeddingClient,
  type GenerateRequest,
  type Generation,
  type ModelClient,
  ModelError,
  type Usage,
} from './port.ts';

/** Usage of the calls of one row, including failed calls, because they are billed. */
export interface CallMeter extends Usage {
  calls: number;
  /** Total duration of the calls, without the waits between them. */
  seconds: number;
  input_tokens: number;
  output_tokens: number;
  /** The part of it that batches have answered, at half the price; absent if there is none. */
  batched?: { calls: number; input_tokens: number; output_tokens: number };
  /** Questions that got a usable answer, also from a memo; absent if there is none. */
  answered?: number;
  /** Questions that a provider refused; absent if there is none. */
  refusals?: AskFailure[];
}

export function newCallMeter(): CallMeter {
  return { calls: 0, seconds: 0, input_tokens: 0, output_tokens: 0 };
}

/** Thrown by a reader if the model's answer does not match the request. */
export class UnusableAnswer extends Error {
  /** `message` describes the fault without quoting the answer. */
  constructor(message: string) {
    super(message);
    this.name = 'UnusableAnswer';
  }
}

export type AskFailureCode =
  | 'answer_unusable'
  | 'answer_filtered'
  | 'model_garbage'
  | 'model_failing'
  | 'model_timeout'
  | 'model_rejected'
  | 'row_too_long'
  | 'row_unreadable'
  | 'wrong_language'
  | 'image_invalid'
  | 'image_too_large'
  | 'image_missing';

/** This question failed; others may succeed. `message` is public. */
export class AskFailure extends Error {
  readonly code: AskFailureCode;

  constructor(code: AskFailureCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'AskFailure';
    this.code = code;
  }
}

/** What a provider says of this one question. Other failures are the model's own: it may fail at every question. */
const REFUSALS: readonly AskFailureCode[] = ['model_rejected', 'answer_filtered', 'row_too_long'];

const isRefusal = (error: unknown): error is AskFailure =>
  error instanceof AskFailure && REFUSALS.includes(error.code);

/** The result of a question that can be done without, or its refusal by the provider. Anything else is thrown. */
export async function orRefusal<T>(asked: Promise<T>): Promise<T | AskFailure> {
  try {
    return await asked;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

/**
 * Does work that can do without each of its questions.
 * @throws {AskFailure} the first refusal if the provider refused every question: no model has done anything
 */
export async function unlessAllRefused<T>(meter: CallMeter, work: () => Promise<T>): Promise<T> {
  const before = { answered: meter.answered ?? 0, refused: meter.refusals?.length ?? 0 };
  const result = await work();
  const refusal = meter.refusals?.[before.refused];
  if (refusal !== undefined && (meter.answered ?? 0) === before.answered) throw refusal;
  return result;
}

export type ModelOutageCode = 'model_unavailable' | 'model_quota_exhausted';

/**
 * Does the work of a row. A text that exhausts the stack or the length of a string fails its row, not the rows beside it.
 * @throws {AskFailure} `row_unreadable`
 */
export async function orUnreadable<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AskFailure(
      'row_unreadable',
      'A text of the row is too long, or repeats itself or nests too much, to be worked on. Shorten it',
      error,
    );
  }
}

/** No question can succeed: the model is misconfigured, has no tokens left, or has not responded for too long. */
export class ModelOutage extends Error {
  readonly code: ModelOutageCode;

  constructor(message: string, cause?: unknown, code: ModelOutageCode = 'model_unavailable') {
    super(message, { cause });
    this.name = 'ModelOutage';
    this.code = code;
  }
}

export interface Asking {
  readonly limit: AdaptiveLimit;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Unusable answers or timeouts after which a question fails. */
  readonly attemptsMax: number;
  /** Server errors after which a question fails, if the model answered others meanwhile. */
  readonly serverErrorsMax: number;
  /** Seconds without a response after which the model counts as down. */
  readonly outageSecondsMax: number;
  readonly signal?: AbortSignal | undefined;
  /** Told the tokens of a row that was given up. */
  readonly abandoned?: ((tokens: number) => void) | undefined;
  /** Answers of earlier runs to the calls of this row: a recorded answer is read again instead of asked for. */
  readonly memo?: CallMemo | undefined;
}

const PAUSE_MILLISECONDS_FIRST = 500;
const PAUSE_MILLISECONDS_MAX = 30_000;
/** What a caller can do about a quota that is used up. */
const QUOTA_ADVICE =
  "What was done until then is kept. Start again with the other rows when the quota's day is over, or ask your operator " +
  "to raise the model's quota.";
/** A retry after a bad answer uses a higher temperature, else the answer would be the same. */
const TEMPERATURE_OF_RETRIES = 0.4;

/**
 * Asks the model until it gives a usable answer. Throttled calls, and failures while the model answers no call, do not
 * count as attempts: the question waits as long as the caller's signal allows.
 * @throws {AskFailure} if the attempts are used up, or immediately if a retry cannot succeed
 * @throws {ModelOutage} if no question can be answered
 * @throws the signal's reason
 */
export function askModel<T>(
  client: ModelClient,
  request: GenerateRequest,
  read: (generation: Generation) => T,
  asking: Asking,
  meter: CallMeter,
): Promise<T> {
  return askUntilUsable(GENERATING, client, request, read, asking, meter);
}

/** Embeds texts in one call, under the same rules as `askModel`. Batches embed nothing. */
export function askEmbeddings(
  client: EmbeddingClient,
  texts: readonly string[],
  asking: Asking,
  meter: CallMeter,
): Promise<readonly Float32Array[]> {
  return askUntilUsable(EMBEDDING, client, texts, (vectors) => vectors, asking, meter);
}

/** A kind of calls, and how the call memo holds its answers. One for all calls: a row makes no functions for a call. */
interface CallKind<Client, Request, Answer> {
  readonly name: 'generate' | 'embed';
  readonly call: (client: Client, request: Request, signal: AbortSignal | undefined) => Promise<Answer>;
  /** The request after so many unusable answers, which must not be answered in the same way. */
  readonly vary: (request: Request, variation: number) => Request;
  /** The recorded answer, which costs nothing; null if there is none. */
  readonly recall: (known: RecordedAnswer | BatchedAnswer | null) => Answer | null;
  readonly record: (answer: Answer) => RecordedAnswer;
  /** Called before a call; throws where calls are collected for a batch. */
  readonly defer: (memo: CallMemo, key: string, modelId: string, request: Request) => void;
  /** Meters an answer. @throws {AskFailure} if the provider withholds it */
  readonly receive: (answer: Answer, meter: CallMeter) => void;
}

const GENERATING: CallKind<ModelClient, GenerateRequest, Generation> = {
  name: 'generate',
  call: (client, request, signal) => client.generate(request, signal),
  vary: varyRequest,
  recall: readGeneration,
  record: recordGeneration,
  defer: (memo, key, modelId, request) => memo.defer?.(key, modelId, request),
  receive({ usage, finishReason }, meter) {
    meter.input_tokens += usage.input_tokens;
    meter.output_tokens += usage.output_tokens;
    if (finishReason === 'filtered') {
      throw new AskFailure('answer_filtered', "The provider's content filter withheld the answer");
    }
  },
};

const EMBEDDING: CallKind<EmbeddingClient, readonly string[], readonly Float32Array[]> = {
  name: 'embed',
  call: (client, texts, signal) => client.embed(texts, signal),
  vary: (texts) => texts,
  recall: readVectors,
  record: recordVectors,
  defer() {},
  receive() {},
};

/** Meters an answer of a batch. Its tokens are added where it is received. */
function meterBatched(meter: CallMeter, usage: Usage): void {
  const earlier = meter.batched ?? { calls: 0, input_tokens: 0, output_tokens: 0 };
  meter.calls += 1;
  meter.batched = {
    calls: earlier.calls + 1,
    input_tokens: earlier.input_tokens + usage.input_tokens,
    output_tokens: earlier.output_tokens + usage.output_tokens,
  };
}

interface AnyClient {
  readonly modelId: string;
}

async function askUntilUsable<Client extends AnyClient, Request extends CallRequest, Answer, T>(
  kind: CallKind<Client, Request, Answer>,
  client: Client,
  request: Request,
  read: (answer: Answer) => T,
  asking: Asking,
  meter: CallMeter,
): Promise<T> {
  const spent = { attempt: 0, server_error: 0 };
  let variation = 0;
  for (;;) {
    const result = await callOnce(kind, client, kind.vary(request, variation), read, asking, meter);
    if ('value' in result) {
      meter.answered = (meter.answered ?? 0) + 1;
      return result.value;
    }
    if (isRefusal(result.error)) meter.refusals = [...(meter.refusals ?? []), result.error];
    if (result.spends === 'nothing') {
      continue;
    }
    if (result.spends === 'everything') {
      throw result.error;
    }
    spent[result.spends] += 1;
    if (spent.attempt >= asking.attemptsMax || spent.server_error >= asking.serverErrorsMax) {
      throw result.error;
    }
    if (result.error.code === 'answer_unusable') {
      variation += 1;
    } else {
      const pause = PAUSE_MILLISECONDS_FIRST * 2 ** (spent.attempt + spent.server_error - 1);
      const jitter = 0.5 + asking.random() / 2;
      await asking.clock.sleep(Math.min(pause, PAUSE_MILLISECONDS_MAX) * jitter, asking.signal);
    }
  }
}

interface Failure {
  readonly error: AskFailure;
  readonly spends: 'nothing' | 'attempt' | 'server_error' | 'everything';
}

async function callOnce<Client extends AnyClient, Request extends CallRequest, Answer, T>(
  kind: CallKind<Client, Request, Answer>,
  client: Client,
  request: Request,
  read: (answer: Answer) => T,
  asking: Asking,
  meter: CallMeter,
): Promise<{ readonly value: T } | Failure> {
  const { memo, limit, clock, signal } = asking;
  // Nothing is hashed where nothing is recorded.
  const key = memo === undefined ? '' : callKey(kind.name, client.modelId, request);
  if (memo !== undefined) {
    const known = memo.take(key);
    if (known !== null && isBatched(known)) meterBatched(meter, known.usage);
    const recalled = kind.recall(known);
    if (recalled !== null) return readOnce(kind, recalled, read, meter);
    kind.defer(memo, key, client.modelId, request);
  }
  const permit = await limit.acquire(signal);
  meter.calls += 1;
  const begunAtMs = clock.now();
  let answer: Answer;
  try {
    answer = await kind.call(client, request, signal);
  } catch (error) {
    if (!(error instanceof ModelError)) {
      limit.release(permit, UNCLEAR);
      throw error;
    }
    limit.release(permit, outcomeOf(error));
    return toFailure(error, permit, asking);
  } finally {
    meter.seconds += (clock.now() - begunAtMs) / 1000;
  }
  limit.release(permit, ANSWERED);
  memo?.put(key, kind.record(answer));
  return readOnce(kind, answer, read, meter);
}

const ANSWERED: CallOutcome = { kind: 'answered' };
const UNCLEAR: CallOutcome = { kind: 'unclear' };

function readOnce<Answer, T>(
  kind: Pick<CallKind<never, never, Answer>, 'receive'>,
  answer: Answer,
  read: (answer: Answer) => T,
  meter: CallMeter,
): { readonly value: T } | Failure {
  try {
    kind.receive(answer, meter);
    return { value: read(answer) };
  } catch (error) {
    if (error instanceof UnusableAnswer) {
      return { error: new AskFailure('answer_unusable', error.message, error), spends: 'attempt' };
    }
    if (error instanceof AskFailure) {
      return { error, spends: 'everything' };
    }
    throw error;
  }
}

function outcomeOf(error: ModelError): CallOutcome {
  switch (error.kind) {
    case 'throttled':
      return { kind: 'throttled', retryAfterSeconds: error.retryAfterSeconds };
    case 'unavailable':
    case 'timeout':
      return { kind: 'failed', retryAfterSeconds: error.retryAfterSeconds };
    case 'garbage':
      return UNCLEAR;
    case 'too_long':
    case 'rejected':
    case 'exhausted':
    case 'misconfigured':
      return ANSWERED;
  }
}

function toFailure(error: ModelError, permit: Permit, { limit, outageSecondsMax }: Asking): Failure {
  const failure = (code: AskFailureCode): AskFailure => new AskFailure(code, error.message, error);
  switch (error.kind) {
    case 'misconfigured':
      throw new ModelOutage(error.message, error);
    case 'exhausted':
      throw new ModelOutage(`${error.message}. ${QUOTA_ADVICE}`, error, 'model_quota_exhausted');
    case 'too_long':
      return { error: failure('row_too_long'), spends: 'everything' };
    case 'rejected':
      return { error: failure('model_rejected'), spends: 'everything' };
    case 'garbage':
      return { error: failure('model_garbage'), spends: 'attempt' };
    case 'throttled':
      return { error: failure('model_failing'), spends: 'nothing' };
    case 'unavailable':
    case 'timeout': {
      const code = error.kind === 'timeout' ? 'model_timeout' : 'model_failing';
      if (limit.answeredSince(permit)) {
        return { error: failure(code), spends: error.kind === 'timeout' ? 'attempt' : 'server_error' };
      }
      const silentSeconds = limit.silentSeconds();
      if (silentSeconds >= outageSecondsMax) {
        throw new ModelOutage(
          `The model has not answered for ${Math.round(silentSeconds)} seconds: ${error.message}`,
          error,
        );
      }
      return { error: failure(code), spends: 'nothing' };
    }
  }
}

function varyRequest(request: GenerateRequest, variation: number): GenerateRequest {
  return variation === 0
    ? request
    : {
        ...request,
        temperature: Math.max(request.temperature, TEMPERATURE_OF_RETRIES),
        seed: (request.seed ?? 0) + variation,
      };
}
