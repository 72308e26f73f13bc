import { need, resource } from '#shared/platform/runtime/need.ts';
import { connectSearxng } from '../adapters/searxng.ts';
import type { SearchProvider } from '../decide/search/port.ts';

/** The web search of the installation; null if none is configured. */
export const theSearch = /* @__PURE__ */ resource<SearchProvider | null>('web search', ({ env }) => {
  const baseUrl = env.searchBaseUrl();
  return baseUrl === null ? null : connectSearxng({ baseUrl, connectionsMax: env.searchConcurrency() });
});

export const searchProvider = /* @__PURE__ */ need({ search: true }, (use) => use(theSearch));
