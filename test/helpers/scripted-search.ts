import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listening } from './listening.ts';

/** What a request is answered with; a function decides by the query, `never` leaves it unanswered. */
export interface SearchScript {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly never?: boolean;
}

/** Steers a scripted search that runs in another process: it then finds two pages, or answers with this status. */
export async function scriptSearch(url: string, script: SearchScript): Promise<void> {
  await fetch(`${url}/_scripted/script`, { method: 'POST', body: JSON.stringify(script) });
}

/** What a scripted search in another process was asked since it was steered. */
export async function searchedFor(url: string): Promise<string[]> {
  const requests = (await (await fetch(`${url}/_scripted/requests`)).json()) as ScriptedSearch['requests'];
  return requests.map(({ query }) => query);
}

/** A stand-in for a SearXNG instance, for tests: it finds two pages on whatever is asked, or what it is told to. */
export interface ScriptedSearch {
  readonly url: string;
  /** What was asked, with the most that were open at once. */
  readonly requests: { method: string; path: string; query: string; format: string }[];
  readonly openMax: () => number;
  setScript(script: SearchScript | ((query: string, ordinal: number) => SearchScript)): void;
  close(): Promise<void>;
}

export const pagesOn = (query: string) => [
  {
    title: `About ${query}`,
    url: 'https://example.org/about',
    content: `What is known of it: ${query} needs a calm hand.`,
    engine: 'scripted',
  },
  { title: 'More', url: 'https://example.org/more', content: 'And more.', engine: 'scripted' },
];

export async function startScriptedSearch(port = 0): Promise<ScriptedSearch> {
  const requests: ScriptedSearch['requests'] = [];
  let script: (query: string, ordinal: number) => SearchScript = () => ({});
  let open = 0;
  let openMax = 0;
  const setScript: ScriptedSearch['setScript'] = (next) => {
    script = typeof next === 'function' ? next : () => next;
    requests.length = 0;
    openMax = 0;
  };
  const server = createServer((request, response) => {
    open += 1;
    openMax = Math.max(openMax, open);
    response.once('close', () => {
      open -= 1;
    });
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => {
      if (request.url?.startsWith('/_scripted/')) {
        if (request.method === 'POST') setScript(JSON.parse(text) as SearchScript);
        response.end(JSON.stringify(requests));
        return;
      }
      const form = new URLSearchParams(text);
      const query = form.get('q') ?? '';
      const { method = '', url: path = '' } = request;
      const { status = 200, headers, body, never } = script(query, requests.length);
      requests.push({ method, path, query, format: form.get('format') ?? '' });
      if (never) return;
      setTimeout(() => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        const answer = body ?? { query, results: pagesOn(query), unresponsive_engines: [] };
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      }, 5);
    });
  });
  await listening(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    openMax: () => openMax,
    setScript,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
