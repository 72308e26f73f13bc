import type { UsageRecord } from '#shared/access/decide/meter.ts';
import { ModelError } from '#shared/models/decide/port.ts';
import type { AnsweringModel } from '#shared/models/decide/turn.ts';
import { failureOf, recordFailure } from '#shared/models/measure-models.ts';
import { CallerGone } from '#shared/platform/errors/caller-gone.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { logModelCall, type ModelCallResult } from '#shared/platform/runtime/log-model-call.ts';
import { describeError, logger } from '#shared/platform/runtime/logger.ts';
import { recordMetric } from '#shared/platform/runtime/metrics.ts';
import { AnswerFailed } from './decide/answer-failed.ts';
import { isLastEvent } from './decide/fold-events.ts';
import type { ModelResponse, ResponseEvent } from './schema/response.ts';

/** The outcome of a response; `refused` for an invalid request or a limit, `failed` for an error of the service. */
export const ANSWER_OUTCOMES = ['completed', 'incomplete', 'refused', 'failed', 'abandoned'] as const;
type Outcome = (typeof ANSWER_OUTCOMES)[number];

/** An index that is being built rejects searches for a while, and a model that is being started questions, which needs no action. */
const isRefusal = (error: unknown): error is ServiceError | AnswerFailed =>
  error instanceof AnswerFailed ||
  (error instanceof ServiceError &&
    (error.status < 500 ||
      error.code === 'index_not_ready' ||
      (error.cause instanceof ModelError && error.cause.isStarting)));

/** Counts the outcome of a response. A stream that is not read to its end is abandoned. */
export async function* measureAnswer(
  events: AsyncGenerator<ResponseEvent, void>,
  signal: AbortSignal,
): AsyncGenerator<ResponseEvent, void> {
  let outcome: Outcome = 'abandoned';
  try {
    for await (const event of events) {
      if (isLastEvent(event)) outcome = outcomeOf(event.response);
      yield event;
    }
  } catch (error) {
    outcome = isRefusal(error) ? 'refused' : 'failed';
    throw error;
  } finally {
    const hasLeft = signal.reason instanceof CallerGone && outcome === 'failed';
    recordMetric('AnswersEnded', { outcome: hasLeft ? 'abandoned' : outcome });
  }
}

function outcomeOf({ status, error }: ModelResponse): Outcome {
  if (status !== 'failed') return status === 'completed' ? 'completed' : 'incomplete';
  return error?.code === 'server_error' ? 'failed' : 'refused';
}

/** Logs why an answer, or a part of it, failed: only causes that the operator can fix are errors. */
export function reportAnswer(error: unknown): void {
  if (error instanceof CallerGone) logger.info('caller gone');
  else if (isRefusal(error)) logger.info('answer refused', { code: error.code });
  else logger.error('answer failed', describeError(error));
}

/** Reports a response that its team could not pay completely. */
export function reportUnbilled(usage: UsageRecord): void {
  const { team_id, response_id, model, cost_microcredits, billed_microcredits } = usage;
  logger.warn('answer not billed', { team_id, response_id, model, cost_microcredits, billed_microcredits });
  recordMetric('AnswersUnbilled', {});
}

/** Reports a response whose bill could not be written: its reservation returns to its team. */
export function reportUnsettled(error: unknown): void {
  logger.error('answer not billed', describeError(error));
  recordMetric('AnswersUnbilled', {});
}

/** Reports a failed response whose event could not be written. */
export function reportUntold(error: unknown): void {
  logger.error('event not written', describeError(error));
}

/** A model for responses, with metrics for calls and tokens; an abandoned stream counts as a call. */
export function measureAnswering(model: AnsweringModel): AnsweringModel {
  const role = 'respond';
  return {
    ...model,
    async *answer(request, signal) {
      const started = performance.now();
      recordMetric('ModelCalls', { role });
      let result: ModelCallResult = { kind: 'abandoned' };
      try {
        for await (const part of model.answer(request, signal)) {
          if (part.type === 'end') {
            const { inputTokens = 0, outputTokens = 0 } = part.usage ?? {};
            recordMetric('ModelMilliseconds', { role }, performance.now() - started);
            recordMetric('ModelInputTokens', { role }, inputTokens);
            recordMetric('ModelOutputTokens', { role }, outputTokens);
            result = { input_tokens: inputTokens, output_tokens: outputTokens, finish_reason: part.reason };
          }
          yield part;
        }
      } catch (error) {
        recordFailure(error, role);
        result = { kind: failureOf(error) };
        throw error;
      } finally {
        logModelCall({ operation: 'chat', model: model.modelId, role }, started, result);
      }
    },
  };
}
