import { ServiceError } from '../errors/service-error.ts';
import type { FreeUse, Plan } from '../schema/plan.ts';

const FREE_USES_NAMED: Readonly<Record<FreeUse, string>> = {
  custom_evals_per_hour: 'custom evaluations',
  topic_inferences_per_hour: 'requests whose topics are inferred',
  cancellations_per_hour: 'cancelled runs',
  batch_cancellations_per_hour: 'cancelled runs with batch jobs',
  comparisons_per_hour: 'comparisons',
  merges_per_hour: 'merges of datasets',
  creations_per_hour: 'new datasets',
  readings_per_hour: 'uploads, imports and appends',
  scans_per_hour: 'requests that read through rows',
  builds_per_hour: 'files of downloads',
};

/** Minutes until the hour of `now`, in milliseconds since the epoch, is over. */
export const minutesLeft = (now: number): number => 60 - (Math.floor(now / 60_000) % 60);

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

/** The error if the team has reached its hourly limit of a use that costs no credits; `now` in milliseconds. */
export function freeUseExceeded(plan: Plan, use: FreeUse, now: number): ServiceError {
  const limit = plan[use];
  const minutes = minutesLeft(now);
  return new ServiceError(
    'rate_limited',
    `The plan ${JSON.stringify(plan.name)} allows ${limit} ${FREE_USES_NAMED[use]} an hour (${use}). Try again in ${minutes} minutes.`,
    { retryAfterSeconds: minutes * 60, details: [{ path: use, message: `is limited to ${limit}`, limit }] },
  );
}

/** The error if models have used all tokens of the hour that the team's plan leaves unbilled; `now` in milliseconds. */
export function unbilledTokensExceeded(
  { name, unbilled_tokens_per_hour: limit }: Pick<Plan, 'name' | 'unbilled_tokens_per_hour'>,
  now: number,
): ServiceError {
  const minutes = minutesLeft(now);
  return new ServiceError(
    'rate_limited',
    `The plan ${JSON.stringify(name)} allows ${limit} tokens an hour for rows that are not billed (unbilled_tokens_per_hour), and the runs of this hour have used them. Their reports say why rows failed: mend those rows, and try again in ${minutes} minutes.`,
    {
      retryAfterSeconds: minutes * 60,
      details: [
        {
          path: 'unbilled_tokens_per_hour',
          message: `is limited to ${limit}`,
          ...(limit === null ? {} : { limit }),
        },
      ],
    },
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
