import type { Event } from '#shared/events/schema/event.ts';
import type { Item } from '#shared/platform/store/table.ts';
import type { Post, Posted } from '#shared/webhooks/decide/ports.ts';
import { ATTEMPTS_MAX } from '#shared/webhooks/decide/schedule.ts';
import { gets, type WebhookRecord } from '#shared/webhooks/decide/webhook.ts';
import { type Cloud, request } from './cloud.ts';
import type { Change } from './simulated-table.ts';
import type { SimulatedProcess } from './world-clock.ts';

const RECEIVER_MILLISECONDS = 80;
const TIMEOUT_MILLISECONDS = 10_000;
const DOWN_MILLISECONDS = 30 * 60_000;
/** By which the clocks of two hosts differ at most. */
const SKEW_MILLISECONDS = 1000;

/** Receivers of webhooks, which are away for a while, fail, or answer too late, and remember what has come. */
export class Receivers {
  /** Ids of the events that came, by address. */
  readonly #received = new Map<string, Set<string>>();
  readonly #downUntil = new Map<string, number>();
  readonly #senders = new Map<string, SimulatedProcess[]>();
  private readonly cloud: Cloud;

  constructor(cloud: Cloud) {
    this.cloud = cloud;
  }

  has(url: string, eventId: string): boolean {
    return this.#received.get(url)?.has(eventId) === true;
  }

  readonly post: Post = async (url, headers, body) => {
    const { clock, faults, random } = this.cloud;
    const sender = clock.current();
    const senders = this.#senders.get(url) ?? [];
    this.#senders.set(url, senders);
    // One that was killed sends no more.
    const others = senders.filter((other) => other !== sender && other.isAlive);
    if (others.length > 0)
      this.cloud.breaks(
        'a webhook has one sender at a time',
        `${url}: ${others.map(({ name }) => name).join(' ')} and ${sender?.name}`,
      );
    if (sender !== undefined) senders.push(sender);
    const where = `POST ${url}`;
    if (faults.strikes('receiver away', () => url))
      this.#downUntil.set(url, clock.now() + random.wait(DOWN_MILLISECONDS));
    const isFailing = faults.strikes('receiver fails', () => url);
    const isLate = faults.strikes('receiver late', () => url);
    const posted = await request(
      this.cloud,
      { where, isWrite: true, mean: RECEIVER_MILLISECONDS },
      async (): Promise<Posted> => {
        if (clock.now() < (this.#downUntil.get(url) ?? 0)) return { error: 'connection_failed' };
        if (isFailing) return { status: 503, retryAfterSeconds: null };
        const { id } = JSON.parse(body) as Event;
        if (headers['webhook-id'] !== id)
          this.cloud.breaks('an event is named by its headers', `${url}: ${id}`);
        const received = this.#received.get(url) ?? new Set<string>();
        this.#received.set(url, received.add(id));
        if (!isLate) return { status: 200, retryAfterSeconds: null };
        await new Promise<void>((resolve) => clock.after(TIMEOUT_MILLISECONDS, resolve));
        return { error: 'timeout' };
      },
    );
    if (sender !== undefined) senders.splice(senders.indexOf(sender), 1);
    return posted;
  };
}

interface Delivery {
  readonly webhookId: string;
  readonly position: number;
  readonly status: string;
  readonly attempts: number;
  readonly eventId: string;
  /** When it is to be sent, in milliseconds since the epoch. */
  readonly dueMs: number;
}

/** What has to be true of webhooks: each event comes at least once, and what is said to be delivered has come. */
export class WebhookInvariants {
  readonly #webhooks = new Map<string, WebhookRecord>();
  /** Events of a team that came into its feed while there was the webhook. */
  readonly #wanted = new Map<string, Event[]>();
  readonly #deliveries = new Map<string, Delivery>();
  /** Deliveries of which the webhook was told after they had been written. */
  readonly #announced = new Set<string>();

  private readonly breaks: (invariant: string, seen: string) => void;
  private readonly receivers: Pick<Receivers, 'has'> & { readonly now: () => number };

  constructor(
    breaks: (invariant: string, seen: string) => void,
    receivers: Pick<Receivers, 'has'> & { readonly now: () => number },
  ) {
    this.breaks = breaks;
    this.receivers = receivers;
  }

  look(changes: readonly Change[]): void {
    for (const { pk, sk, before, after } of changes) {
      if (after === undefined) continue;
      if (pk.startsWith('WEBHOOKS#')) this.#lookAtWebhook(before, after);
      if (pk.startsWith('EVENTS#') && before === undefined) this.#lookAtEvent(pk, after);
      if (sk.startsWith('DELIVERY#')) this.#lookAtDelivery(after);
    }
  }

  #lookAtWebhook(before: Item | undefined, item: Item): void {
    const webhook = item as unknown as WebhookRecord;
    const pending = [...this.#deliveries].filter(
      ([, { webhookId, status }]) => webhookId === webhook.webhook_id && status === 'pending',
    );
    if (before !== undefined && before.additions !== item.additions)
      for (const [name] of pending) this.#announced.add(name);
    const isMoved = item.list_pk !== before?.list_pk || item.list_created !== before?.list_created;
    const place = item.list_pk === undefined ? Infinity : Date.parse(String(item.list_created));
    const mayRestUntil = Math.max(
      this.receivers.now() + SKEW_MILLISECONDS,
      webhook.paused_until == null ? 0 : Date.parse(webhook.paused_until),
    );
    const left =
      isMoved && webhook.status !== 'disabled'
        ? pending.find(
            ([name, { dueMs }]) => this.#announced.has(name) && place > Math.max(dueMs, mayRestUntil),
          )
        : undefined;
    if (left !== undefined)
      this.breaks('no webhook rests that has something to send', `${webhook.url}: ${left[0]}`);
    this.#webhooks.set(webhook.webhook_id, webhook);
    if (!this.#wanted.has(webhook.webhook_id)) this.#wanted.set(webhook.webhook_id, []);
  }

  #lookAtEvent(pk: string, item: Item): void {
    const event = item.event as Event;
    for (const webhook of this.#webhooks.values()) {
      if (pk === `EVENTS#${webhook.team_id}` && gets(webhook, event))
        this.#wanted.get(webhook.webhook_id)?.push(event);
    }
  }

  #lookAtDelivery(item: Item): void {
    const delivery: Delivery = {
      webhookId: String(item.webhook_id),
      position: Number(item.position),
      status: String(item.status),
      attempts: Number(item.attempts),
      eventId: String(item.event_id),
      dueMs: Date.parse(String(item.next_attempt_at)),
    };
    const name = `${delivery.webhookId} ${delivery.position}`;
    const earlier = this.#deliveries.get(name);
    this.#deliveries.set(name, delivery);
    // A write that is sent twice changes nothing the second time.
    if (JSON.stringify(earlier) === JSON.stringify(delivery)) return;
    if (earlier !== undefined && earlier.status !== 'pending')
      this.breaks('a delivery ends once', `${name} went from ${earlier.status} to ${delivery.status}`);
    const url = this.#webhooks.get(delivery.webhookId)?.url ?? '';
    if (delivery.status === 'delivered' && !this.receivers.has(url, delivery.eventId))
      this.breaks('what is said to be delivered has come', `${name}: ${delivery.eventId}`);
  }

  /** Looks whether every event has come that a webhook was to get. */
  lookAtEnd(): void {
    for (const [id, events] of this.#wanted) {
      const { url = '' } = this.#webhooks.get(id) ?? {};
      for (const { id: eventId, position } of events) {
        const delivery = this.#deliveries.get(`${id} ${position}`);
        if (this.receivers.has(url, eventId) && delivery?.status === 'delivered') continue;
        if (delivery?.status !== 'failed' || delivery.attempts < ATTEMPTS_MAX)
          this.breaks(
            'every event comes to its webhooks',
            `${url}: ${eventId} is ${delivery?.status ?? 'missing'}`,
          );
      }
    }
  }
}
