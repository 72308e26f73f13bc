const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  ['css', 'text/css; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['svg', 'image/svg+xml; charset=utf-8'],
]);

/** The media type of a file of the console; null for a name that no file of the console can have. */
export function consoleMediaType(name: string): string | null {
  const [, extension = ''] = /^[A-Za-z0-9_-]{1,80}\.(css|js|svg)$/.exec(name) ?? [];
  return MEDIA_TYPES.get(extension) ?? null;
}

/**
 * Headers of the console's page. Scripts come from this installation only, and none is inline; a page that was tricked
 * into building markup from a text of a row runs nothing and reaches no other host. The page exchanges files with the
 * bucket.
 * @param bucketOrigin scheme, host and port of presigned URLs
 */
export const consoleHeaders = (bucketOrigin: string): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${bucketOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
