import { QueryClientProvider } from '@tanstack/react-query';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createTunesmith, type TunesmithClient } from '../../clients/typescript/src/index.ts';
import { type Api, ApiProvider, createQueries } from '../../console/src/api.tsx';

/** Answers a request of the console by its method and its path with the query; undefined never answers. */
export type Answers = (
  request: string,
) =>
  | { readonly status?: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | undefined;

/** Pause after which nothing more is awaited where a request is never answered. */
const SILENCE_MS = 50;
/** Rounds of requests, each for what the answers before it made the page ask for. */
const ROUNDS_MAX = 4;

/** Renders a part of the console as it is once the service has answered. Effects and clicks are left to the browser. */
export async function renderAnswered<Props extends object>(
  Part: FunctionComponent<Props>,
  props: Props,
  answers: Answers,
): Promise<{ readonly html: string; readonly text: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  let silent = (): void => undefined;
  const silence = new Promise<void>((resolve) => {
    silent = resolve;
  });
  const client = clientOf((request) => {
    const answer = answers(request);
    // What else was asked is answered by then.
    if (answer === undefined) setTimeout(silent, SILENCE_MS);
    return answer;
  }, requests);
  const api: Api = { client, url: 'http://service.test', key: 'k', signOut: () => undefined };
  const queries = createQueries(() => undefined);
  queries.setDefaultOptions({ queries: { retry: false, retryOnMount: false, staleTime: 60_000 } });
  const page = createElement(
    QueryClientProvider,
    { client: queries },
    createElement(ApiProvider, { value: api }, createElement(Part, props)),
  );
  let html = renderToStaticMarkup(page);
  const asked = new Set<string>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const open = queries
      .getQueryCache()
      .getAll()
      .filter(({ queryHash }) => !asked.has(queryHash));
    for (const { queryHash } of open) asked.add(queryHash);
    const fetched = Promise.allSettled(open.map((query) => query.fetch()));
    await Promise.race([fetched, silence]);
    html = renderToStaticMarkup(page);
  }
  queries.clear();
  return { html, text: textOf(html), requests };
}

/** A client whose requests are answered here. */
export function clientOf(answers: Answers, requests: string[] = []): TunesmithClient {
  return createTunesmith({
    baseUrl: 'http://service.test',
    apiKey: 'k',
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      const asked = `${request.method} ${pathname}${search}`;
      requests.push(asked);
      const answer = answers(asked);
      if (answer === undefined) return new Promise(() => undefined);
      const { status = 200, body, headers = {} } = answer;
      return Promise.resolve(Response.json(body, { status, headers }));
    },
  });
}

/** The answer of the service to a request that it refuses. */
export const refusal = (status: number, code: string, message: string, details: readonly object[] = []) => ({
  status,
  body: { statusCode: status, code, message, details, request_id: 'r-1', error: {} },
});

/** The text that a reader sees. */
const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#x27;|&quot;|&lt;|&gt;|&amp;/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim();

const ENTITIES: Readonly<Record<string, string>> = {
  '&#x27;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};
