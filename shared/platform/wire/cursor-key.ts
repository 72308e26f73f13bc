import { need } from '../runtime/need.ts';
import { theSecrets } from './secrets.ts';

/** The key that signs cursors. */
export const cursorKey = /* @__PURE__ */ need({ secrets: ['cursor_signing'] }, (use) =>
  use(theSecrets)('cursor_signing'),
);
