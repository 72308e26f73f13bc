import * as z from 'zod';
import { ServiceError } from '../errors/service-error.ts';

const Limit = z.int().min(1);

/** Limits of a team. Exceeding a rate is a 429, exceeding an amount a 403. */
export const Plan = z.object({
  name: z.string().min(1),
  requests_per_second: Limit,
  runs_at_once: Limit,
  rows_per_launch: Limit,
  response_tokens_per_minute: Limit,
  /** Limit of concurrent responses (`POST /responses`). */
  responses_at_once: Limit.default(100),
  /** Limit of custom evaluations started in an hour: a judge reads a sample for each, and they are free. */
  custom_evals_per_hour: Limit.default(20),
  /**
   * Limit of requests to `invent` in an hour for which a model infers the topics: the model call precedes the payment.
   */
  topic_inferences_per_hour: Limit.default(60),
  /** Limit of runs cancelled in an hour: what their workers have in flight is asked of models and not billed. */
  cancellations_per_hour: Limit.default(20),
  /** Limit of runs with batch jobs cancelled in an hour: what the jobs have answered for rows that are not done is not billed. */
  batch_cancellations_per_hour: Limit.default(2),
  /** Limit of comparisons started in an hour: each trains up to ten models, and they are free. */
  comparisons_per_hour: Limit.default(10),
  /** Tokens, sent and received, that one run may use; null for no limit. */
  tokens_per_run: Limit.nullable().default(null),
  /** Minutes after its launch in which a run may process rows; null for no limit. */
  minutes_per_run: Limit.nullable().default(null),
});
export type Plan = z.infer<typeof Plan>;

/** The plan's limits on requests that call or train a model and cost no credits. */
export const FREE_USES = [
  'custom_evals_per_hour',
  'topic_inferences_per_hour',
  'cancellations_per_hour',
  'batch_cancellations_per_hour',
  'comparisons_per_hour',
] as const;
export type FreeUse = (typeof FREE_USES)[number];

const FREE_USES_NAMED: Readonly<Record<FreeUse, string>> = {
  custom_evals_per_hour: 'custom evaluations',
  topic_inferences_per_hour: 'requests whose topics are inferred',
  cancellations_per_hour: 'cancelled runs',
  batch_cancellations_per_hour: 'cancelled runs with batch jobs',
  comparisons_per_hour: 'comparisons',
};

/** The plan of a team without another plan. */
export const DEFAULT_PLAN: Plan = {
  name: 'default',
  requests_per_second: 50,
  runs_at_once: 5,
  rows_per_launch: 1_000_000,
  response_tokens_per_minute: 200_000,
  responses_at_once: 100,
  custom_evals_per_hour: 20,
  topic_inferences_per_hour: 60,
  cancellations_per_hour: 20,
  batch_cancellations_per_hour: 2,
  comparisons_per_hour: 10,
  tokens_per_run: null,
  minutes_per_run: null,
};

/** The error if the team has reached its limit of requests in this second. */
export function requestsExceeded(plan: Plan): ServiceError {
  const limit = plan.requests_per_second;
  return new ServiceError(
    'rate_limited',
    `The plan ${JSON.stringify(plan.name)} allows ${limit} requests a second (requests_per_second). Wait a second, then send fewer requests.`,
    {
      retryAfterSeconds: 1,
      details: [{ path: 'requests_per_second', message: `is limited to ${limit}`, limit }],
    },
  );
}

/** The error if the team has reached its limit of concurrent responses. */
export function answersExceeded(plan: Plan): ServiceError {
  const limit = plan.responses_at_once;
  return new ServiceError(
    'rate_limited',
    `The plan ${JSON.stringify(plan.name)} allows ${limit} responses at once (responses_at_once). Wait until one of them has ended.`,
    {
      retryAfterSeconds: 5,
      details: [{ path: 'responses_at_once', message: `is limited to ${limit}`, limit }],
    },
  );
}

/** The error if the team has reached its hourly limit of free model requests; `now` in milliseconds. */
export function freeUseExceeded(plan: Plan, use: FreeUse, now: number): ServiceError {
  const limit = plan[use];
  const minutes = 60 - (Math.floor(now / 60_000) % 60);
  return new ServiceError(
    'rate_limited',
    `The plan ${JSON.stringify(plan.name)} allows ${limit} ${FREE_USES_NAMED[use]} an hour (${use}). Try again in ${minutes} minutes.`,
    { retryAfterSeconds: minutes * 60, details: [{ path: use, message: `is limited to ${limit}`, limit }] },
  );
}

/** The error if the team has too few tokens left in this minute; `now` in milliseconds since the epoch. */
export function tokensExceeded(plan: Plan, tokens: number, now: number): ServiceError {
  const limit = plan.response_tokens_per_minute;
  const seconds = 60 - (Math.floor(now / 1000) % 60);
  return new ServiceError(
    'rate_limited',
    `The plan ${JSON.stringify(plan.name)} allows ${limit} tokens of responses a minute (response_tokens_per_minute), and this response may take ${tokens}. Try again in ${seconds} seconds, or lower max_output_tokens.`,
    {
      retryAfterSeconds: seconds,
      details: [{ path: 'response_tokens_per_minute', message: `is limited to ${limit}`, limit }],
    },
  );
}
