import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

/** The objects of requests and answers, by their names in openapi.json. */
export type Schemas = components['schemas'];
export type TunesmithClient = Client<paths>;

export interface TunesmithOptions {
  /** Address of the service with its stage, without `/api/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sends the requests; by default the platform's `fetch`. */
  readonly fetch?: ClientOptions['fetch'];
}

/** Creates a client whose paths, parameters and answers are those of openapi.json. */
export function createTunesmith({ baseUrl, apiKey, fetch }: TunesmithOptions): TunesmithClient {
  return createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/$/, ''),
    headers: { authorization: `Bearer ${apiKey}` },
    ...(fetch === undefined ? {} : { fetch }),
  });
}
