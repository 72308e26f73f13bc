import { randomUUID } from 'node:crypto';
import { need } from '../runtime/need.ts';

export const newUuid = need<() => string>({}, () => randomUUID);
