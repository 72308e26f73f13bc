import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectSearxng } from '#shared/models/adapters/searxng.ts';
import { SEARCH_RESULTS_MAX } from '#shared/models/decide/search/port.ts';
import { type ScriptedSearch, startScriptedSearch } from '#test/helpers/scripted-search.ts';

let server: ScriptedSearch;
let searxng: ReturnType<typeof connectSearxng>;

beforeAll(async () => {
  server = await startScriptedSearch();
  searxng = connectSearxng({
    baseUrl: `${server.url}/searx/`,
    connectionsMax: 4,
    bodyBytesMax: 20_000,
  });
});

afterAll(async () => {
  await searxng.close();
  await server.close();
});

beforeEach(() => server.setScript({}));

const page = (n: number) => ({ title: `T${n}`, url: `https://example.org/${n}`, content: `Text ${n}` });

it('a search posts the query to the search path and asks for JSON, so that no access log shows it', async () => {
  await searxng.search('boil eggs & more');

  expect(server.requests).toEqual([
    { method: 'POST', path: '/searx/search', query: 'boil eggs & more', format: 'json' },
  ]);
});

it('a search answers at most five pages, best first, each a line cut to size', async () => {
  const pages = [1, 2, 3, 4, 5, 6, 7].map(page);
  const long = { title: 'x'.repeat(500), url: 'https://example.org/0', content: 'A\n b '.repeat(500) };
  server.setScript({ body: { results: [long, ...pages] } });

  const results = await searxng.search('q');

  expect(results).toHaveLength(SEARCH_RESULTS_MAX);
  expect(results[0]?.title).toHaveLength(201);
  expect(results[0]?.text).toMatch(/^A b A b .*…$/);
  expect(results[0]?.text.length).toBeLessThanOrEqual(601);
  expect(results[1]).toEqual({ title: 'T1', url: 'https://example.org/1', text: 'Text 1' });
});

it('a search passes over results without a text, and those that are no pages', async () => {
  const results = [
    { ...page(1), content: null },
    { ...page(2), url: 'javascript:alert(1)' },
    { ...page(3), url: 'not a url' },
    { ...page(4), url: undefined },
    { ...page(5), title: null },
  ];
  server.setScript({ body: { results } });

  expect(await searxng.search('q')).toEqual([
    { title: 'example.org', url: 'https://example.org/5', text: 'Text 5' },
  ]);
});

it('a search says plainly what a row says: it chooses no engine, no language, no other site', async () => {
  await searxng.search('!!g :fr <3 ?? how !wp tall is it?');

  expect(server.requests[0]?.query).toBe('g fr 3 how wp tall is it?');
  await expect(searxng.search('!! ??')).rejects.toMatchObject({ kind: 'rejected' });
});

it.each([
  [429, { 'retry-after': '7' }, { kind: 'throttled', retryAfterSeconds: 7 }],
  [503, {}, { kind: 'unavailable' }],
  [500, {}, { kind: 'unavailable' }],
  [403, {}, { kind: 'misconfigured', message: expect.stringContaining('search.formats') }],
  [404, {}, { kind: 'misconfigured', message: expect.stringContaining('SEARCH_BASE_URL') }],
  [302, { location: '/elsewhere' }, { kind: 'misconfigured' }],
  [400, {}, { kind: 'rejected' }],
])(
  'a search says of %i what it means, without what was sent or answered',
  async (status, headers, expected) => {
    server.setScript({ status, headers, body: 'secret words' });

    const failure = searxng.search('private words');

    await expect(failure).rejects.toMatchObject(expected);
    await expect(failure).rejects.not.toThrow(/secret|private/);
  },
);

it.each([
  ['is no JSON', { body: '<html>' }, 'garbage'],
  ['has no results', { body: { error: 'x' } }, 'garbage'],
  ['is too large', { body: { results: [], padding: 'x'.repeat(30_000) } }, 'garbage'],
  [
    'is empty since no engine answered',
    { body: { results: [], unresponsive_engines: [['duckduckgo', 'CAPTCHA']] } },
    'unavailable',
  ],
])('a search fails where the answer %s', async (_, script, kind) => {
  server.setScript(script);

  await expect(searxng.search('q')).rejects.toMatchObject({ name: 'SearchError', kind });
});

it('a search fails where the answer does not come in time', async () => {
  const impatient = connectSearxng({ baseUrl: server.url, connectionsMax: 1, timeoutSeconds: 0.2 });
  server.setScript({ never: true });

  await expect(impatient.search('q')).rejects.toMatchObject({ kind: 'timeout' });
  await impatient.close();
});

it('a search finds nothing where there is nothing', async () => {
  server.setScript({ body: { results: [], unresponsive_engines: [] } });

  expect(await searxng.search('q')).toEqual([]);
});

it('a search fails where nobody listens', async () => {
  const nobody = connectSearxng({ baseUrl: 'http://127.0.0.1:9', connectionsMax: 1 });

  await expect(nobody.search('q')).rejects.toMatchObject({ kind: 'unavailable' });
  await nobody.close();
});

it('a search ends with the reason of the signal that ends it', async () => {
  server.setScript({ never: true });
  const giveUp = new AbortController();
  const failure = searxng.search('q', giveUp.signal);
  giveUp.abort(new Error('The time is up'));

  await expect(failure).rejects.toThrow('The time is up');
});
