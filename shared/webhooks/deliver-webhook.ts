import type { Event } from '#shared/events/schema/event.ts';
import type { Clock } from '#shared/models/decide/clock.ts';
import type { Claims } from '#shared/platform/storage/claims.ts';
import { takePlace } from '#shared/platform/take-place.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type {
  DeliveryRecord,
  DeliveryRepository,
  Post,
  Start,
  WebhookAddress,
  WebhookRepository,
} from './decide/ports.ts';
import { afterFailedRound, restMilliseconds, retryMilliseconds } from './decide/schedule.ts';
import { signedHeaders } from './decide/sign.ts';
import { HEALTHY, isPaused, mayGet, WEBHOOKS_MAX, type WebhookRecord } from './decide/webhook.ts';

/** Requests to a receiver at once. */
const AT_ONCE = 10;

/** A claim outlasts the function that holds it. */
const CLAIM_SECONDS = 75;

/** Milliseconds after which no round begins. A round takes as long as a request may, and its writes. */
const ROUNDS_MILLISECONDS = 40_000;

export interface DeliverWebhookPorts {
  readonly webhooks: WebhookRepository;
  readonly deliveries: DeliveryRepository;
  readonly claims: Pick<Claims, 'take' | 'release'>;
  readonly post: Post;
  /** The secrets that sign for a webhook at this time, the newest first. */
  readonly secretsOf: (webhook: WebhookRecord, now: number) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: () => number;
  readonly newId: () => string;
  /** Starts another call for the webhook, which goes on where this one ends. */
  readonly goOn: Start;
}

export interface Delivered {
  readonly delivered: number;
  readonly failed: number;
}

/**
 * Sends the pending deliveries of a webhook whose time has come, several at once. One call works on a webhook at a time, and
 * on no other, so that a slow receiver delays only itself. After a round in which all fail, or that took long, the webhook is left
 * alone for a while.
 * A call that is killed leaves its deliveries pending: they are sent again, with the same ids.
 */
export async function deliverWebhook(
  ports: DeliverWebhookPorts,
  address: WebhookAddress,
): Promise<Delivered> {
  const { claims, clock } = ports;
  const claim = `webhook ${address.webhook_id}`;
  const holder = ports.newId();
  const until = clock.now() + ROUNDS_MILLISECONDS;
  const total = { delivered: 0, failed: 0 };
  if (!(await claims.take(claim, CLAIM_SECONDS, holder))) return total;
  // Webhooks are counted as they are stored, and one that was deleted may still be worked on: so the calls of a team are counted too.
  const giveBack = await takePlace(ports, `webhooks of ${address.team_id}`, WEBHOOKS_MAX, CLAIM_SECONDS);
  if (giveBack === null) {
    // What is due stays due, and the sweep starts a call for it.
    await claims.release(claim, holder);
    return total;
  }
  let isUnfinished = true;
  try {
    while (clock.now() < until) {
      const round = await deliverRound(ports, address);
      if (round === null) {
        isUnfinished = false;
        break;
      }
      total.delivered += round.delivered;
      total.failed += round.failed;
    }
  } finally {
    await claims.release(claim, holder);
    await giveBack();
  }
  if (isUnfinished) {
    // What is being sent is not late: the webhook moves to the end of those that wait for a sweep.
    const webhook = await ports.webhooks.find(address.team_id, address.webhook_id);
    if (webhook !== null) await ports.deliveries.wake(webhook, timestamp(clock.now()));
    await ports.goOn(address);
  }
  return total;
}

/** One round of requests; null if there is nothing to send now. */
async function deliverRound(ports: DeliverWebhookPorts, address: WebhookAddress): Promise<Delivered | null> {
  const { webhooks, deliveries, clock } = ports;
  const now = clock.now();
  const webhook = await webhooks.find(address.team_id, address.webhook_id);
  if (webhook === null) return null;
  if (webhook.status === 'disabled') return (await deliveries.rest(webhook, null)) ? null : NOTHING;
  if (isPaused(webhook, now)) {
    return (await deliveries.rest(webhook, webhook.paused_until)) ? null : NOTHING;
  }
  const due = await deliveries.listDue(webhook.webhook_id, timestamp(now), AT_ONCE);
  if (due.length === 0) {
    const next = await deliveries.nextDue(webhook.webhook_id);
    return (await deliveries.rest(webhook, next)) ? null : NOTHING;
  }
  const secrets = await ports.secretsOf(webhook, now);
  const attempts = await Promise.allSettled(
    due.map((delivery) => attempt(ports, webhook, delivery, secrets)),
  );
  const sent = attempts.flatMap((each) =>
    each.status === 'fulfilled' && each.value !== 'not_sent' ? [each.value] : [],
  );
  const delivered = sent.filter((each) => each === 'delivered').length;
  if (sent.length > 0) await recordRound(ports, webhook, sent, delivered, clock.now() - now);
  // Only now: until the last attempt has been recorded, nobody else may send these deliveries.
  const broken = attempts.find((each) => each.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  return { delivered, failed: sent.length - delivered };
}

const NOTHING: Delivered = { delivered: 0, failed: 0 };

type Attempt = 'delivered' | 'failed' | 'gone' | 'not_sent';

/** What the round says of the receiver as a whole; nothing, if the webhook has got another address meanwhile. */
async function recordRound(
  { webhooks, clock, random }: DeliverWebhookPorts,
  webhook: WebhookRecord,
  attempts: readonly Attempt[],
  delivered: number,
  milliseconds: number,
): Promise<void> {
  const now = clock.now();
  const rest = restMilliseconds(milliseconds);
  if (attempts.includes('gone')) return webhooks.disable(webhook, 'gone', timestamp(now));
  if (delivered > 0) {
    if (webhook.failing_since === null && rest === 0) return;
    const healthy = { ...HEALTHY, paused_until: rest === 0 ? null : timestamp(now + rest) };
    await webhooks.update(webhook.team_id, webhook.webhook_id, healthy, webhook.url);
    return;
  }
  const { since, rounds, pausedUntil, isOver } = afterFailedRound(
    {
      since: webhook.failing_since === null ? null : Date.parse(webhook.failing_since),
      lastAt: webhook.last_failed_at === null ? null : Date.parse(webhook.last_failed_at),
      rounds: webhook.failed_rounds,
    },
    now,
    random(),
  );
  const failing = {
    failing_since: timestamp(since),
    last_failed_at: timestamp(now),
    failed_rounds: rounds,
    paused_until: timestamp(Math.max(pausedUntil, now + rest)),
  };
  await webhooks.update(webhook.team_id, webhook.webhook_id, failing, webhook.url);
  if (isOver) await webhooks.disable(webhook, 'failing', timestamp(now));
}

async function attempt(
  ports: DeliverWebhookPorts,
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  secrets: readonly string[],
): Promise<Attempt> {
  const { deliveries, clock, post } = ports;
  const event = await deliveries.eventOf(webhook.team_id, delivery.position);
  const begun = clock.now();
  // The webhook may have got another address, and fewer scopes, since the delivery was added.
  const hindrance = event === null ? 'event_expired' : mayGet(webhook, event) ? null : 'not_readable';
  if (event === null || hindrance !== null) {
    await deliveries.record(delivery, { ...outcomeOf(delivery), status: 'failed', error: hindrance });
    return 'not_sent';
  }
  const posted = await post(webhook.url, ...requestOf(event, begun, secrets));
  const ended = clock.now();
  const answered = 'status' in posted;
  const isDelivered = answered && posted.status >= 200 && posted.status < 300;
  const attempts = delivery.attempts + 1;
  const retry = isDelivered
    ? null
    : retryMilliseconds(attempts, answered ? posted.retryAfterSeconds : null, ports.random());
  await deliveries.record(delivery, {
    status: isDelivered ? 'delivered' : retry === null ? 'failed' : 'pending',
    attempts,
    response_status: answered ? posted.status : null,
    error: isDelivered ? null : answered ? 'status' : posted.error,
    duration_ms: ended - begun,
    last_attempt_at: timestamp(begun),
    next_attempt_at: retry === null ? null : timestamp(ended + retry),
  });
  if (isDelivered) return 'delivered';
  return answered && posted.status === 410 ? 'gone' : 'failed';
}

const outcomeOf = ({ attempts, response_status, duration_ms, last_attempt_at }: DeliveryRecord) => ({
  attempts,
  response_status,
  duration_ms,
  last_attempt_at,
  next_attempt_at: null,
});

function requestOf(
  event: Event,
  now: number,
  secrets: readonly string[],
): readonly [headers: Readonly<Record<string, string>>, body: string] {
  const body = JSON.stringify(event);
  const signed = signedHeaders({ id: event.id, timestamp: Math.floor(now / 1000), body }, secrets);
  return [{ 'content-type': 'application/json', 'user-agent': 'tunesmith-webhooks', ...signed }, body];
}
