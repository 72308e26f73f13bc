import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { handler } from '#functions/api/service/console.ts';
import { call, context, eventOf } from '#test/helpers/call.ts';

const BUCKET = 'https://data.s3.eu-central-1.amazonaws.com';
const SCRIPT = 'start();';
const PAGE = `<!doctype html><div id="root"></div><script type="module">${SCRIPT}</script>`;
const needs = { bucketOrigin: BUCKET, readConsoleFile: async () => PAGE };

test('the page runs its own script and those of its origin alone, and reaches its origin and the bucket alone', async () => {
  const { status, headers, text } = await call(handler, {}, needs);
  const policy = new Map(
    (headers['content-security-policy'] ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );

  const own = createHash('sha256').update(SCRIPT).digest('base64');
  expect([status, text]).toEqual([200, PAGE]);
  expect(Object.fromEntries(policy)).toEqual({
    'default-src': "'none'",
    'script-src': `'self' 'sha256-${own}'`,
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': `'self' ${BUCKET}`,
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
  expect(headers['referrer-policy']).toBe('no-referrer');
});

test('browsers ask for the page each time, since it names the files of one version', async () => {
  expect((await call(handler, {}, needs)).headers['cache-control']).toBe('no-cache');
});

test('a trailing slash is taken away, since the files are named relative to the page', async () => {
  const event = eventOf(handler.contract, {});
  const { statusCode, headers } = await handler.with(needs)({ ...event, path: '/console/' }, context());

  expect([statusCode, headers?.location]).toEqual([308, '../console']);
  expect(new URL('../console', 'https://api.example/prod/console/').pathname).toBe('/prod/console');
});
