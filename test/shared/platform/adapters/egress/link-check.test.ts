import { expect, test } from 'vitest';
import { createLinkRules } from '#shared/platform/adapters/egress/link-check.ts';
import { AddressRefused, AddressUnresolved } from '#shared/platform/adapters/egress/target-rules.ts';

const failing = (code: string) =>
  createLinkRules({
    allowed: ['models.internal:443'],
    resolve: async () => {
      throw Object.assign(new Error(`queryA ${code}`), { code });
    },
  });

test.each(['ENOTFOUND', 'ESERVFAIL', 'EAI_AGAIN', 'ETIMEOUT'])(
  'a link whose host does not resolve here is refused, whatever the resolver says: %s',
  async (code) => {
    await expect(failing(code)('https://files.example.com/a.png')).rejects.toThrow(AddressUnresolved);
  },
);

test('a link to a private name that does not resolve here is refused as an inside address', async () => {
  const refused = await failing('ENOTFOUND')('https://vllm.internal/a').catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(AddressRefused);
  expect(refused).not.toBeInstanceOf(AddressUnresolved);
});

test('a link to a target that the operator allows is not resolved', async () => {
  await expect(failing('ENOTFOUND')('https://models.internal/a')).resolves.toBeUndefined();
});
