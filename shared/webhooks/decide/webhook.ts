import { mayRead, scopeOf } from '#shared/events/decide/may-read.ts';
import type { Event, EventType } from '#shared/events/schema/event.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import type { Scope } from '#shared/platform/schema/scope.ts';
import type { Webhook } from '../schema/webhook.ts';

/** Webhooks of a team. */
export const WEBHOOKS_MAX = 10;

/** A webhook as it is stored. Times are ISO 8601. */
export interface WebhookRecord {
  readonly team_id: string;
  readonly webhook_id: string;
  readonly url: string;
  readonly event_types: readonly EventType[] | null;
  readonly description: string | null;
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason: 'failing' | 'gone' | 'requested' | null;
  /** Scopes of the key that created it: it gets no event that they could not read. */
  readonly scopes: readonly Scope[];
  readonly created_at: string;
  /** What its secret is derived from, with the secret of the installation. */
  readonly secret_salt: string;
  /** That of the secret before it, which signs until `previous_until`. */
  readonly previous_salt: string | null;
  readonly previous_until: string | null;
  /** Since when no delivery has arrived; null while they do. */
  readonly failing_since: string | null;
  readonly last_failed_at: string | null;
  /** Rounds since then in which every delivery failed. */
  readonly failed_rounds: number;
  /** Nothing is sent before. */
  readonly paused_until: string | null;
  /** Rises whenever deliveries are added, so that whoever has found none knows whether that still holds. */
  readonly additions: number;
}

/** What is stored of a webhook that has not failed. */
export const HEALTHY = {
  failing_since: null,
  last_failed_at: null,
  failed_rounds: 0,
  paused_until: null,
} as const;

/** Whether nothing is sent to a webhook at a time, in milliseconds since the epoch. */
export const isPaused = ({ paused_until }: Pick<WebhookRecord, 'paused_until'>, now: number): boolean =>
  paused_until !== null && Date.parse(paused_until) > now;

/** Whether the scopes of a webhook let it have an event, whatever types it asks for. */
export function mayGet(
  { webhook_id, scopes }: Pick<WebhookRecord, 'webhook_id' | 'scopes'>,
  event: Event,
): boolean {
  return event.type === 'webhook.test' ? event.data.webhook_id === webhook_id : mayRead(scopes, event.type);
}

/** Whether a webhook gets an event. */
export function gets(
  webhook: Pick<WebhookRecord, 'webhook_id' | 'status' | 'scopes' | 'event_types'>,
  event: Event,
): boolean {
  if (webhook.status !== 'enabled' || !mayGet(webhook, event)) return false;
  return event.type === 'webhook.test' || (webhook.event_types?.includes(event.type) ?? true);
}

/** @throws {ServiceError} `scope_missing` if the scopes cannot read one of the types */
export function requireReadable(
  scopes: readonly Scope[],
  types: readonly EventType[] | null | undefined,
): void {
  const unreadable = types?.find((type) => !mayRead(scopes, type));
  if (unreadable === undefined) return;
  throw new ServiceError(
    'scope_missing',
    `Events of the type ${unreadable} need the scope ${scopeOf(unreadable)}, which the webhook does not have: it gets the ` +
      'events that its creator’s key can read. Leave the type out, or use a key that has the scope.',
  );
}

export function toWebhook(record: WebhookRecord): Webhook {
  return {
    webhook_id: record.webhook_id,
    url: record.url,
    event_types: record.event_types === null ? null : [...record.event_types],
    description: record.description,
    status: record.status,
    disabled_reason: record.disabled_reason,
    failing_since: record.failing_since,
    created_at: record.created_at,
  };
}
