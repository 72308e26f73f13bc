import { expect, it } from 'vitest';
import { SearchError, type SearchProvider, type SearchResult } from '#shared/models/decide/search/port.ts';
import { createSearcher } from '#shared/models/decide/searcher.ts';
import { createVirtualClock } from '#test/helpers/virtual-clock.ts';

const PAGE: SearchResult = { title: 't', url: 'https://example.org', text: 'x' };

/** Answers each search by its ordinal: a list of pages, or an error. */
function scripted(answer: (ordinal: number) => SearchResult[] | SearchError) {
  const clock = createVirtualClock();
  const startedAt: number[] = [];
  let open = 0;
  let openMax = 0;
  const provider: SearchProvider = {
    async search() {
      startedAt.push(clock.now());
      const said = answer(startedAt.length - 1);
      open += 1;
      openMax = Math.max(openMax, open);
      await clock.sleep(100);
      open -= 1;
      if (said instanceof SearchError) throw said;
      return said;
    },
  };
  const impatient = createSearcher({ provider, concurrencyMax: 2, clock, random: () => 0 });
  const searcher = { search: (query: string) => clock.run(impatient.search(query)) };
  const searchAll = (count: number) =>
    clock.run(Promise.allSettled(Array.from({ length: count }, () => impatient.search('q'))));
  const gaps = () => startedAt.map((at) => at - (startedAt[0] ?? 0));
  return { searcher, searchAll, gaps, clock, startedAt, openMax: () => openMax };
}

const busy = (retryAfterSeconds?: number) => new SearchError('throttled', 'busy', { retryAfterSeconds });
const down = () => new SearchError('unavailable', 'down');

it('a searcher keeps to its number of searches at once', async () => {
  const { searchAll, openMax, startedAt } = scripted(() => [PAGE]);

  await searchAll(7);

  expect(openMax()).toBe(2);
  expect(startedAt).toHaveLength(7);
});

it('a searcher asks again after a refusal, after as long as the provider says', async () => {
  const { searcher, gaps } = scripted((n) => (n < 2 ? busy(4) : [PAGE]));

  expect(await searcher.search('q')).toEqual([PAGE]);
  expect(gaps()).toEqual([0, 4100, 8200]);
});

it('a searcher waits longer from one try to the next, and gives up after three', async () => {
  const { searcher, gaps } = scripted(down);

  await expect(searcher.search('q')).rejects.toThrow('down');
  expect(gaps()).toEqual([0, 600, 1700]);
});

it('a searcher asks once where asking again is no use', async () => {
  for (const kind of ['rejected', 'misconfigured'] as const) {
    const { searcher, startedAt } = scripted(() => new SearchError(kind, 'no'));

    await expect(searcher.search('q')).rejects.toThrow('no');
    expect(startedAt).toHaveLength(1);
  }
});

it('a searcher leaves a provider alone that is down, and tries it again later', async () => {
  let isDown = true;
  const { searcher, searchAll, clock, startedAt } = scripted(() => (isDown ? down() : [PAGE]));
  const failures = await searchAll(50);

  expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
  expect(startedAt.length).toBeLessThan(10);

  isDown = false;
  await clock.advance(31_000);
  expect(await searcher.search('q')).toEqual([PAGE]);
});

it('a searcher does not take a provider that is busy for one that is down', async () => {
  const { searchAll } = scripted((n) => (n < 12 ? busy(1) : [PAGE]));

  const found = await searchAll(12);

  expect(found.some(({ status }) => status === 'fulfilled')).toBe(true);
});
