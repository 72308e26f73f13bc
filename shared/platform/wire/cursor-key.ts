import { createSecretReader } from '../adapters/secret-reader.ts';
import { env } from '../runtime/env.ts';
import { need } from '../runtime/need.ts';

/** The key that signs cursors. */
export const cursorKey = /* @__PURE__ */ need({ secrets: ['cursor_signing'] }, () =>
  createSecretReader(env.secretArn('cursor_signing')),
);
