/** Seconds by which the time of a webhook may differ from that of the receiver. */
const TOLERANCE_SECONDS = 300;

export interface WebhookOptions {
  /**
   * Secret of the endpoint, `whsec_` and base64. Several while one replaces another: any of them may have signed.
   */
  readonly secret: string | readonly string[];
  /** Headers of the request: `Headers`, or an object as Node's servers have it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Body of the request, byte for byte as it came. Parsed and written again, it has another signature. */
  readonly body: string | Uint8Array;
  /** Default: 300. */
  readonly toleranceSeconds?: number;
  /** Time of the receiver. Default: now. */
  readonly now?: Date;
}

export interface Webhook {
  /** Is the same in every delivery of an event: what was handled under this id need not be handled again. */
  readonly id: string;
  readonly sentAt: Date;
  /** The parsed body. */
  readonly payload: unknown;
}

/** A request that is no webhook of the owner of the secret, or an old one. Answer it with status 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'header_missing' | 'timestamp_invalid' | 'timestamp_outside_tolerance' | 'signature_invalid';

  constructor(code: WebhookError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Verifies the signature of a webhook (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`) and its time.
 * @throws {WebhookError} if it is not signed with the secret, or too old, or from the future
 * @throws {TypeError} if the secret is none
 * @throws {SyntaxError} if a signed body is no JSON
 */
export async function verifyWebhook(options: WebhookOptions): Promise<Webhook> {
  const { secret, headers, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = options;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');

  // Before the signature: what is refused anyway costs nothing.
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('timestamp_invalid', 'The header webhook-timestamp is no time in seconds.');
  const seconds = Number(timestamp);
  if (Math.abs(now.getTime() / 1000 - seconds) > toleranceSeconds)
    throw new WebhookError(
      'timestamp_outside_tolerance',
      `The webhook is not of the last ${toleranceSeconds} seconds. Check the clock of this machine.`,
    );

  const body = typeof options.body === 'string' ? new TextEncoder().encode(options.body) : options.body;
  const signed = joinBytes(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const keys = await Promise.all(secrets.map(importSecret));
  const given = signatures.split(' ').flatMap((each) => {
    const bytes = each.startsWith('v1,') ? decodeBase64(each.slice(3)) : null;
    return bytes === null ? [] : [bytes];
  });
  for (const key of keys) {
    for (const signature of given) {
      // Compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed))
        return {
          id,
          sentAt: new Date(seconds * 1000),
          payload: JSON.parse(new TextDecoder().decode(body)),
        };
    }
  }
  throw new WebhookError(
    'signature_invalid',
    'No signature of the webhook is of this secret and body. Pass the body as it came, and the secret of this endpoint.',
  );
}

function headerOf(headers: WebhookOptions['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === 'object' ? value?.join(' ') : value;
  if (text === undefined || text === '')
    throw new WebhookError('header_missing', `The header ${name} is missing: this is no webhook.`);
  return text;
}

async function importSecret(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  // An empty secret would let everyone sign.
  if (bytes === null || bytes.length === 0)
    throw new TypeError('The secret of a webhook is "whsec_" and base64.');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
