import { connectSearxng } from '../../adapters/search/searxng.ts';
import type { SearchProvider } from '../../domain/search/port.ts';
import { env } from '../env.ts';
import { need } from '../need.ts';

/** The web search of the installation; null if none is configured. */
export const searchProvider = need<SearchProvider | null>({ search: true }, () => {
  const baseUrl = env.searchBaseUrl();
  return baseUrl === null ? null : connectSearxng({ baseUrl, connectionsMax: env.searchConcurrency() });
});
