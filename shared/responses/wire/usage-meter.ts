import type { UsageMeter } from '#shared/access/decide/usage-meter.ts';
import { createUsageMeter } from '#shared/access/meter-usage.ts';
import { createMeterRepository } from '#shared/access/store/meter.ts';
import { createTokenLimiter } from '#shared/access/store/token-limiter.ts';
import { theClock } from '#shared/models/wire/clock.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { theIds } from '#shared/platform/wire/ids.ts';
import { theRandom } from '#shared/platform/wire/random.ts';
import { theTable } from '#shared/platform/wire/table.ts';
import { reportUnbilled } from './measure-answers.ts';

/** The meter that bills responses. */
export const usageMeter = /* @__PURE__ */ need<UsageMeter>({ table: 'write', credits: 'write' }, (use) =>
  createUsageMeter({
    meter: createMeterRepository(use(theTable)),
    limiter: createTokenLimiter(use(theTable)),
    newId: use(theIds),
    now: use(theClock).now,
    random: use(theRandom),
    onUnbilled: reportUnbilled,
  }),
);
