import { env } from '#shared/platform/runtime/env.ts';
import { need } from '#shared/platform/runtime/need.ts';
import { connectSearxng } from '../adapters/searxng.ts';
import type { SearchProvider } from '../decide/search/port.ts';

/** The web search of the installation; null if none is configured. */
export const searchProvider = /* @__PURE__ */ need<SearchProvider | null>({ search: true }, () => {
  const baseUrl = env.searchBaseUrl();
  return baseUrl === null ? null : connectSearxng({ baseUrl, connectionsMax: env.searchConcurrency() });
});
