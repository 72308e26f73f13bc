import { createHash } from 'node:crypto';

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

/** What the page's own script stands between. */
const SCRIPT = ['<script type="module">', '</script>'] as const;

/** The source of a content security policy that allows the script in the page, and no other inline one. */
function inlineSource(page: string): string {
  const [, after = ''] = page.split(SCRIPT[0]);
  const [script = ''] = after.split(SCRIPT[1]);
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
}

/**
 * Headers of the console's page. Scripts come from this installation only, and of inline ones only that of the page as it
 * was built; a page that was tricked into building markup from a text of a row runs nothing and reaches no other host. The
 * page exchanges files with the bucket.
 * @param page its HTML
 * @param bucketOrigin scheme, host and port of presigned URLs
 */
export const consoleHeaders = (page: string, bucketOrigin: string): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self' ${inlineSource(page)}`,
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
