import { createRateLimiter } from '../../adapters/dynamodb/rate-limiter.ts';
import { need } from '../need.ts';
import { theTable } from './table.ts';

/** Every route with a key counts its requests; infra grants each of them access to the counters. */
export const rateLimiter = need({}, () => createRateLimiter(theTable()));
