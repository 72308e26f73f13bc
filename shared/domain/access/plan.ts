import * as z from 'zod';
import { ServiceError } from '../../errors/service-error.ts';

const Limit = z.int().min(1);

/** Limits of a team. Exceeding a rate is a 429, exceeding an amount a 403. */
export const Plan = z.object({
  name: z.string().min(1),
  requests_per_second: Limit,
  runs_at_once: Limit,
  rows_per_launch: Limit,
  response_tokens_per_minute: Limit,
  /** Tokens, sent and received, that one run may use; null for no limit. */
  tokens_per_run: Limit.nullable().default(null),
  /** Minutes after its launch in which a run may process rows; null for no limit. */
  minutes_per_run: Limit.nullable().default(null),
});
export type Plan = z.infer<typeof Plan>;

/** The plan of a team without another plan. */
export const DEFAULT_PLAN: Plan = {
  name: 'default',
  requests_per_second: 50,
  runs_at_once: 5,
  rows_per_launch: 1_000_000,
  response_tokens_per_minute: 200_000,
  tokens_per_run: null,
  minutes_per_run: null,
};

/** The error if the team has used up its requests of this second. */
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

/** The error if the team's tokens of this minute do not suffice; `now` in milliseconds since the epoch. */
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
