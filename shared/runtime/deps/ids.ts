import { randomUUID } from 'node:crypto';
import { need } from '../need.ts';

export const newUuid = need<() => string>({}, () => randomUUID);
