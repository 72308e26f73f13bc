import type { ResponseRepository } from '../../domain/responses/stored-response.ts';
import { createResponseRepository } from '../../operations/response-history.ts';
import { type Need, need } from '../need.ts';
import type { Uses } from '../uses.ts';
import { theObjects } from './objects.ts';

/** Stored responses, for the declared uses. */
export const responses = (bucket: NonNullable<Uses['bucket']>): Need<ResponseRepository> =>
  need({ bucket }, () => createResponseRepository(theObjects()));
