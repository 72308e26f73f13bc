import type { Event } from '#shared/events/schema/event.ts';
import type { WebhookDelivery } from '../schema/webhook.ts';
import type { WebhookRecord } from './webhook.ts';

export interface WebhookAddress {
  readonly team_id: string;
  readonly webhook_id: string;
}

/** Starts the deliveries of a webhook, and does not wait for them. Never rejects: what is not started is the sweep's. */
export type Start = (webhook: WebhookAddress) => Promise<void>;

/** A delivery as it is stored. */
export interface DeliveryRecord extends WebhookDelivery {
  readonly webhook_id: string;
  /** The time by which its place among the due ones is sorted; null if it is not pending. */
  readonly due: string | null;
}

/** What became of an attempt. */
export type Outcome = Pick<
  DeliveryRecord,
  'status' | 'attempts' | 'response_status' | 'error' | 'duration_ms' | 'last_attempt_at' | 'next_attempt_at'
>;

export interface WebhookRepository {
  /** False if the team has as many as it may. */
  create(record: WebhookRecord): Promise<boolean>;
  list(teamId: string): Promise<WebhookRecord[]>;
  find(teamId: string, webhookId: string): Promise<WebhookRecord | null>;
  /** Changes fields of a webhook; null if there is none, or if it no longer has the address `atUrl`. */
  update(
    teamId: string,
    webhookId: string,
    changes: Partial<WebhookRecord>,
    atUrl?: string,
  ): Promise<WebhookRecord | null>;
  /** Disables a webhook, with the event that says so; does nothing if it is disabled, has another address, or is gone. */
  disable(webhook: WebhookRecord, reason: 'failing' | 'gone', at: string): Promise<void>;
  /** False if there was none. */
  delete(teamId: string, webhookId: string): Promise<boolean>;
  /** Webhooks whose next attempt is due before `before` (ISO 8601), those that have waited longest first. */
  listDue(before: string, limit: number): Promise<WebhookAddress[]>;
}

export interface DeliveryRepository {
  /**
   * Adds a pending delivery of each event, and says on the webhook that there is something to send. Safe to repeat: those that are
   * there stay as they are.
   */
  add(webhook: WebhookRecord, events: readonly Event[], now: number): Promise<void>;
  /** Says on the webhook that there is something to send from `at` (ISO 8601) on. */
  wake(webhook: WebhookRecord, at: string): Promise<void>;
  find(webhookId: string, position: number): Promise<DeliveryRecord | null>;
  /** Deliveries before a position, the newest first. */
  list(
    webhookId: string,
    query: { readonly before: number | null; readonly limit: number },
  ): Promise<DeliveryRecord[]>;
  /** Pending deliveries whose time has come by `now` (ISO 8601), those that have waited longest first. */
  listDue(webhookId: string, now: string, limit: number): Promise<DeliveryRecord[]>;
  /** The time of the next attempt of all that are pending; null if none is. */
  nextDue(webhookId: string): Promise<string | null>;
  /** Records an attempt. False, without a change, if the delivery was changed meanwhile. */
  record(delivery: DeliveryRecord, outcome: Outcome): Promise<boolean>;
  /** Makes a delivery pending anew, due at `at` (ISO 8601). Null if there is none. */
  retry(webhook: WebhookRecord, position: number, at: string): Promise<DeliveryRecord | null>;
  /**
   * Says when the webhook has something to send next, or that nothing is pending (null). False, without a change, if deliveries were
   * added since `webhook` was read.
   */
  rest(webhook: WebhookRecord, until: string | null): Promise<boolean>;
  /** The event of a delivery; null if it is no longer kept. */
  eventOf(teamId: string, position: number): Promise<Event | null>;
}

/** What the receiver answered, or why there is no answer. */
export type Posted =
  | { readonly status: number; readonly retryAfterSeconds: number | null }
  | { readonly error: 'timeout' | 'connection_failed' | 'address_refused' };

/** Sends a request to an address that callers named; never rejects. */
export type Post = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<Posted>;
