import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import { toTaskError } from '../errors/to-failure.ts';
import { TASK_OUTPUT_BYTES_MAX, type TaskContract } from '../pipelines/pipeline.ts';
import { TraceHeaders } from '../schema/trace-headers.ts';
import { parseTraceContext, type TraceContext } from '../trace-context.ts';
import { beginLog, describeError, logger } from './logger.ts';
import { recordMetric, writeMetrics } from './metrics.ts';
import { type Bound, bind, deployed, type Needs, type Use } from './need.ts';
import { traced, traceKeys } from './trace.ts';

export interface TaskTools {
  /** Milliseconds since the epoch at which this invocation times out. */
  readonly deadline: number;
  readonly requestId: string;
  /** Milliseconds since the epoch at which this invocation started. */
  readonly now: number;
}

type Run<C extends TaskContract, N extends Needs> = (
  input: z.output<C['input']>,
  needs: Bound<N>,
  tools: TaskTools,
) => Promise<z.input<C['output']>>;

type LambdaHandler = (event: unknown, context: Context) => Promise<unknown>;

export interface TaskHandler<C extends TaskContract = TaskContract, N extends Needs = Needs>
  extends LambdaHandler {
  readonly contract: C;
  readonly needs: N;
  /** The same handler on other resources, with replacements for some of its needs. */
  with(replacements: Partial<Bound<N>>, use?: Use): LambdaHandler;
}

const IDS = ['run_id', 'dataset_id', 'team_id', 'n'] as const;

function idsOf(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null) return {};
  return Object.fromEntries(
    IDS.filter((id) => id in input).map((id) => [id, (input as Record<string, unknown>)[id]]),
  );
}

/** The trace in a task's input, if any. */
function traceOf(input: unknown): TraceContext | null {
  const { trace } = (input ?? {}) as { trace?: unknown };
  const headers = TraceHeaders.safeParse(trace).data;
  return headers === undefined ? null : parseTraceContext(headers);
}

/** Whether a file or a request is the cause, which raises no alarm. */
const isCallers = (error: unknown): boolean => error instanceof ServiceError && error.status < 500;

/**
 * The Lambda handler of a task. It validates input and output. Errors keep their code as their name, so that Retry and
 * Catch of the state machine can match it. A result above 32 KiB is an error, because state payloads carry ids and
 * never rows, unless the contract declares that no state machine carries it.
 */
export function runTask<C extends TaskContract, const N extends Needs>(
  contract: C,
  needs: N,
  run: Run<C, N>,
): TaskHandler<C, N> {
  const build =
    (replacements: Partial<Bound<N>>, use: Use = deployed): LambdaHandler =>
    async (event, context) => {
      const trace = traceOf(event);
      return traced(context.functionName, trace, async () => {
        const started = performance.now();
        const ids = { ...idsOf(event), ...traceKeys(trace), request_id: context.awsRequestId };
        beginLog(ids);
        try {
          const input = contract.input.parse(event) as z.output<C['input']>;
          const output = await run(input, bind(needs, use, replacements), {
            deadline: Date.now() + context.getRemainingTimeInMillis(),
            requestId: context.awsRequestId,
            now: Date.now(),
          });
          const text = JSON.stringify(contract.output.parse(output));
          const bytes = Buffer.byteLength(text);
          const bytesMax = contract.answerBytesMax ?? TASK_OUTPUT_BYTES_MAX;
          if (bytes > bytesMax) {
            throw new Error(`A task answered ${bytes} bytes; at most ${bytesMax} may be handed on.`);
          }
          logger.info('task', {
            ...ids,
            task: context.functionName,
            duration_ms: Math.round(performance.now() - started),
          });
          return JSON.parse(text);
        } catch (error) {
          if (!isCallers(error)) recordMetric('TasksFailed', {});
          logger.error('task failed', {
            ...ids,
            task: context.functionName,
            duration_ms: Math.round(performance.now() - started),
            ...(error instanceof ServiceError ? { code: error.code } : {}),
            ...describeError(error),
          });
          throw toTaskError(error);
        } finally {
          writeMetrics();
        }
      });
    };
  const live = build({});
  return Object.assign((event: unknown, context: Context) => live(event, context), {
    contract,
    needs,
    with: build,
  }) as TaskHandler<C, N>;
}
