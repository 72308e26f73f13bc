import { createSecretReader } from '../../adapters/secrets/secret-reader.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';

/** The key that signs cursors. */
export const cursorKey = need({ secrets: ['cursor_signing'] }, () =>
  createSecretReader(env.secretArn('cursor_signing')),
);
