import { createHash } from 'node:crypto';
import { sha256Hex } from '#shared/platform/canonical-json.ts';

const PREFIX = 'pt_live_';
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Digits of base 62 that hold 256 and 32 bits. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

const SECRET_BYTES = 32;

/** The pattern of API keys, for secret scanners. */
export const API_KEY_PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

function toBase62(bytes: Uint8Array, digits: number): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < digits; digit += 1) {
    text = DIGITS.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

function checksum(body: string): string {
  return toBase62(createHash('sha256').update(body).digest().subarray(0, 4), CHECKSUM_DIGITS);
}

/**
 * Formats `secret`, 32 random bytes, as an API key. The last six characters are a checksum that rejects a mistyped key
 * without a query.
 */
export function formatApiKey(secret: Uint8Array): string {
  if (secret.length !== SECRET_BYTES) throw new RangeError(`an API key takes ${SECRET_BYTES} random bytes`);
  const body = PREFIX + toBase62(secret, SECRET_DIGITS);
  return body + checksum(body);
}

/** Whether `text` can be a key that this service issued. */
export function isApiKey(text: string): boolean {
  const body = text.slice(0, -CHECKSUM_DIGITS);
  return API_KEY_PATTERN.test(text) && checksum(body) === text.slice(-CHECKSUM_DIGITS);
}

/** The hash of a key, as stored. A plain hash is enough because the key is 256 random bits. */
export function hashApiKey(key: string): string {
  return sha256Hex(key);
}
