import { createSecretReader } from '../adapters/secret-reader.ts';
import { resource } from '../runtime/need.ts';
import type { SecretName } from '../runtime/uses.ts';

/** The secrets of the installation. */
export const theSecrets = /* @__PURE__ */ resource<(name: SecretName) => () => Promise<string>>(
  'secrets',
  ({ env }) =>
    (name) =>
      createSecretReader(env.secretArn(name)),
);
