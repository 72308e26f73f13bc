import { createHmac } from 'node:crypto';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { WebhookRecord } from './webhook.ts';

/** Hours for which a secret that was replaced still signs. */
export const OVERLAP_HOURS = 24;

/**
 * The secret of a webhook, derived from that of the installation: the table alone does not reveal it.
 * @returns `whsec_` and the base64 of 32 bytes, as Standard Webhooks has it
 */
export function webhookSecret(installationSecret: string, webhookId: string, salt: string): string {
  const key = createHmac('sha256', installationSecret)
    .update(`webhook ${webhookId} ${salt}`)
    .digest('base64');
  return `whsec_${key}`;
}

/** The secrets that sign for a webhook at a time (milliseconds since the epoch), the newest first. */
export function secretsAt(
  installationSecret: string,
  { webhook_id, secret_salt, previous_salt, previous_until }: WebhookRecord,
  now: number,
): readonly string[] {
  const isOverlapping = previous_until !== null && previous_until > timestamp(now);
  const salts = [secret_salt, ...(isOverlapping && previous_salt !== null ? [previous_salt] : [])];
  return salts.map((salt) => webhookSecret(installationSecret, webhook_id, salt));
}

export interface SignedMessage {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers of a message by the Standard Webhooks specification: HMAC-SHA256 over `id.timestamp.body`, a signature for
 * each secret, separated by spaces.
 */
export function signedHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
