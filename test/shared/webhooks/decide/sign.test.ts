import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from 'tunesmith';
import { expect, test } from 'vitest';
import { signedHeaders, webhookSecret } from '#shared/webhooks/decide/sign.ts';

const secret = webhookSecret('installation', 'webhook', 'salt');
const older = webhookSecret('installation', 'webhook', 'older');
const body = JSON.stringify({ text: 'naïve “quotes” 🦊', n: 1 });
const message = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body };

test.each([
  ['one secret', [secret], [secret]],
  ['two secrets, during a rotation', [secret, older], [secret, older]],
])(
  'what is signed with %s is verified by standardwebhooks and by our client',
  async (_, signing, verifying) => {
    const headers = signedHeaders(message, signing);

    for (const each of verifying) {
      expect(new Webhook(each).verify(body, { ...headers })).toEqual(JSON.parse(body));
      expect((await verifyWebhook({ secret: each, headers, body })).id).toBe('evt_1');
    }
  },
);

test('another secret, another body and another id are refused by standardwebhooks', () => {
  const headers = signedHeaders(message, [secret]);

  expect(() => new Webhook(older).verify(body, { ...headers })).toThrow();
  expect(() => new Webhook(secret).verify(`${body} `, { ...headers })).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
});

test('secrets differ by installation, webhook and salt', () => {
  const secrets = [
    secret,
    older,
    webhookSecret('elsewhere', 'webhook', 'salt'),
    webhookSecret('installation', 'other', 'salt'),
  ];
  expect(new Set(secrets).size).toBe(4);
});
