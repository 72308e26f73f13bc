import { randomUUID } from 'node:crypto';
import type { UsageMeter } from '#shared/access/decide/usage-meter.ts';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { createTokenLimiter } from '#shared/platform/store/rate-limiter.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { reportUnbilled } from './measure-answers.ts';

/** The meter that bills responses. */
export const usageMeter = /* @__PURE__ */ need<UsageMeter>({ table: 'write', credits: 'write' }, () =>
  createUsageMeter({
    meter: createMeterRepository(theTable()),
    limiter: createTokenLimiter(theTable()),
    newId: randomUUID,
    now: Date.now,
    random: Math.random,
    onUnbilled: reportUnbilled,
  }),
);
