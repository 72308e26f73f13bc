import { timestamp } from '#shared/platform/timestamp.ts';
import { type BillingPorts, bill, returnExcess } from './bill-answer.ts';
import { METER_SHARDS, type UsageRecord } from './decide/meter.ts';
import type { TokenLimiter, UsageMeter } from './decide/usage-meter.ts';
import { reserveAnswer, reserveMore } from './reserve-answer.ts';

export interface MeterUsagePorts extends BillingPorts {
  readonly limiter: TokenLimiter;
  /** A number between 0 and 1 that selects this process's first shard. */
  readonly random: () => number;
}

const tokensOf = (tokens: { readonly input_tokens: number; readonly output_tokens: number }): number =>
  tokens.input_tokens + tokens.output_tokens;

const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / 60_000);

/** Reserves credits for responses, and bills their usage. */
export function createUsageMeter(ports: MeterUsagePorts): UsageMeter {
  const { meter, limiter } = ports;
  // A process with one response at a time keeps using one shard, which then has free credits; others spread.
  const base = Math.floor(ports.random() * METER_SHARDS);
  let underWay = 0;

  return {
    async admit(caller, { microcredits, tokens }, now) {
      const teamId = caller.team_id;
      underWay += 1;
      const [counting, reserving] = await Promise.allSettled([
        limiter.admit(caller, tokens, now),
        reserveAnswer(ports, caller, microcredits, base + underWay - 1, now),
      ]);
      let counted = counting.status === 'fulfilled' ? counting.value : 0;
      let isCorrected = false;
      /** The plan counts actual usage. A correction for a past minute would have no effect. */
      const correct = async (used: number): Promise<void> => {
        if (isCorrected) return;
        isCorrected = true;
        const at = ports.now();
        const difference = used - counted;
        if (difference > 0 || (difference < 0 && minuteOf(at) === minuteOf(now))) {
          await limiter.add(teamId, difference, at);
        }
      };

      if (counting.status === 'rejected' || reserving.status === 'rejected') {
        underWay -= 1;
        await correct(0);
        if (reserving.status === 'fulfilled') await meter.release(reserving.value);
        throw counting.status === 'rejected' ? counting.reason : (reserving as PromiseRejectedResult).reason;
      }
      let admission = reserving.value;
      let hasEnded = false;
      const end = (): void => {
        if (!hasEnded) underWay -= 1;
        hasEnded = true;
      };

      return {
        async reserve(total, tokens = 0) {
          counted = await limiter.admit(caller, tokens, now, counted);
          admission = await reserveMore(ports, admission, total);
        },

        async settle(answer) {
          end();
          const usage: UsageRecord = {
            team_id: teamId,
            response_id: answer.response_id,
            model: answer.model,
            input_tokens: answer.input_tokens,
            output_tokens: answer.output_tokens,
            cost_microcredits: answer.microcredits,
            billed_microcredits: answer.microcredits,
            admission_id: admission.admission_id,
            answered_at: timestamp(ports.now()),
          };
          await bill(ports, admission, usage);
          await correct(tokensOf(answer));
        },

        async release() {
          end();
          if (await meter.release(admission)) await returnExcess(ports, admission, 0);
          await correct(0);
        },
      };
    },
  };
}
