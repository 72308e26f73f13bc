/** Shorter values may be words of ordinary text, and are not redacted. */
const CREDENTIAL_CHARACTERS_MIN = 8;

/**
 * Removes a credential from a server's response, so that an echoed credential is not stored or shown: both the whole
 * header value and the part after its scheme.
 */
export function redactCredential<T>(authorization: string | null, value: T): T {
  const secrets = [authorization ?? '', (authorization ?? '').replace(/^\S+\s+/, '')].filter(
    (secret) => secret.length >= CREDENTIAL_CHARACTERS_MIN,
  );
  const clean = (text: string): string =>
    secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[credential]'), text);
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each);
    if (Array.isArray(each)) return each.map(walk);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([key, part]) => [clean(key), walk(part)]));
  };
  return secrets.length === 0 ? value : (walk(value) as T);
}
