import { randomUUID } from 'node:crypto';
import { need } from '../runtime/need.ts';

export const newUuid = /* @__PURE__ */ need<() => string>({}, () => randomUUID);
