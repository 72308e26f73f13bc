import { need } from '../runtime/need.ts';
import { createRateLimiter } from '../store/rate-limiter.ts';
import { theTable } from './table.ts';

/** Every route with a key counts its requests; infra grants each of them access to the counters. */
export const rateLimiter = /* @__PURE__ */ need({}, (use) => createRateLimiter(use(theTable)));
