import { randomUUID } from 'node:crypto';
import { need, resource } from '../runtime/need.ts';

/** New ids. */
export const theIds = /* @__PURE__ */ resource<() => string>('new ids', () => randomUUID);

export const newUuid = /* @__PURE__ */ need({}, (use) => use(theIds));
