import { type Need, need } from '#shared/platform/runtime/need.ts';
import type { Uses } from '#shared/platform/runtime/uses.ts';
import { theObjects } from '#shared/platform/wire-bucket.ts';
import type { ResponseRepository } from './decide/stored-response.ts';
import { createResponseRepository } from './response-history.ts';

/** Stored responses, for the declared uses. */
export const responses = (bucket: NonNullable<Uses['bucket']>): Need<ResponseRepository> =>
  need({ bucket }, (use) => createResponseRepository(use(theObjects)));
