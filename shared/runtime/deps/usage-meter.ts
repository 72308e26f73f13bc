import { randomUUID } from 'node:crypto';
import { createMeterRepository } from '../../adapters/dynamodb/meter.ts';
import { createTokenLimiter } from '../../adapters/dynamodb/rate-limiter.ts';
import type { UsageMeter } from '../../domain/responses/usage-meter.ts';
import { createUsageMeter } from '../../operations/meter-usage.ts';
import { reportUnbilled } from '../measure-answers.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

/** The meter that bills responses. */
export const usageMeter = need<UsageMeter>({ table: 'write', credits: 'write' }, () =>
  createUsageMeter({
    meter: createMeterRepository(theTable()),
    limiter: createTokenLimiter(theTable()),
    newId: randomUUID,
    now: Date.now,
    random: Math.random,
    onUnbilled: reportUnbilled,
  }),
);
