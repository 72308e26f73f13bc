import { Webhook } from 'standardwebhooks';
import { verifyWebhook, type WebhookOptions } from 'tunesmith';
import { expect, test } from 'vitest';

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, yes').toString('base64')}`;
const other = `whsec_${Buffer.from('another secret of thirty-two byte').toString('base64')}`;
const now = new Date('2026-11-25T12:00:00Z');
const body = '{"type":"dataset.run.succeeded","data":{"name":"Grüße ✓"}}';

/** A delivery as the reference library of Standard Webhooks signs it. */
function delivery({ at = now, signedBody = body, by = secret } = {}) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': new Webhook(by).sign('msg_1', at, signedBody),
  };
}

const verify = (options: Partial<WebhookOptions> = {}) =>
  verifyWebhook({ secret, headers: delivery(), body, now, ...options });
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

test.each([
  ['a plain object', delivery()],
  ['headers of fetch', new Headers(delivery())],
  [
    'capital letters',
    Object.fromEntries(Object.entries(delivery()).map(([key, value]) => [key.toUpperCase(), [value]])),
  ],
])('a webhook that the secret has signed is accepted, with %s', async (_, headers) => {
  expect(await verify({ headers })).toEqual({ id: 'msg_1', sentAt: now, payload: JSON.parse(body) });
});

test('a webhook is accepted as bytes, and with a secret without its prefix', async () => {
  expect(await verify({ body: new TextEncoder().encode(body), secret: secret.slice(6) })).toMatchObject({
    id: 'msg_1',
  });
});

test('a webhook is accepted while a secret is replaced: any signature by any secret', async () => {
  const both = `v1a,AAAA ${delivery({ by: other })['webhook-signature']} ${delivery()['webhook-signature']}`;

  expect(await verify({ headers: { ...delivery(), 'webhook-signature': both } })).toMatchObject({
    id: 'msg_1',
  });
  expect(await verify({ secret: [other, secret] })).toMatchObject({ id: 'msg_1' });
});

test.each([
  ['another body', { body: body.replace('succeeded', 'failed') }],
  ['another secret', { secret: other }],
  ['another id', { headers: { ...delivery(), 'webhook-id': 'msg_2' } }],
  ['another time', { headers: { ...delivery(), 'webhook-timestamp': String(now.getTime() / 1000 + 1) } }],
  [
    'another version',
    {
      headers: {
        ...delivery(),
        'webhook-signature': delivery()['webhook-signature'].replace('v1,', 'v2,'),
      },
    },
  ],
  ['no signature at all', { headers: { ...delivery(), 'webhook-signature': 'v1,' } }],
  ['what is no base64', { headers: { ...delivery(), 'webhook-signature': 'v1,***' } }],
])('a webhook with %s is refused', async (_, options) => {
  await expect(verify(options)).rejects.toMatchObject({ name: 'WebhookError', code: 'signature_invalid' });
});

test('a webhook is accepted within five minutes, and refused before and after', async () => {
  for (const at of [later(300), later(-300)])
    expect(await verify({ now: at })).toMatchObject({ id: 'msg_1' });
  for (const at of [later(301), later(-301)])
    await expect(verify({ now: at })).rejects.toMatchObject({ code: 'timestamp_outside_tolerance' });
  expect(await verify({ now: later(301), toleranceSeconds: 400 })).toMatchObject({ id: 'msg_1' });
});

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
  'a webhook without %s is refused',
  async (name) => {
    await expect(verify({ headers: { ...delivery(), [name]: undefined } })).rejects.toMatchObject({
      code: 'header_missing',
    });
  },
);

test('a webhook whose time is no number is refused', async () => {
  await expect(verify({ headers: { ...delivery(), 'webhook-timestamp': '1e99' } })).rejects.toMatchObject({
    code: 'timestamp_invalid',
  });
});

test.each(['', 'whsec_', 'whsec_***'])('a webhook is not verified by the secret "%s"', async (bad) => {
  await expect(verify({ secret: bad })).rejects.toThrow(TypeError);
});
