import { describe, expect, it } from 'vitest';
import { findSources, queryOf } from '#shared/adaptation/decide/grounding.ts';
import { SearchError, type SearchResult } from '#shared/models/decide/search/port.ts';
import type { Searcher } from '#shared/models/decide/searcher.ts';

const pages: SearchResult[] = [1, 2, 3, 4, 5].map((n) => ({
  title: `Page ${n}`,
  url: `https://example.org/${n}`,
  text: 'What is known. '.repeat(40),
}));

function find(answer: SearchResult[] | Error, query = 'How tall is it?', tokensLeft = 4000) {
  const queries: string[] = [];
  const searcher: Searcher = {
    async search(text) {
      queries.push(text);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { queries, found: findSources({ searcher, query, tokensLeft, signal: undefined }) };
}

it('the sources of a row are what the search found', async () => {
  expect(await find(pages).found).toEqual({ sources: pages, notes: [] });
});

it('the sources of a row are as many as half of the room that the model has left', async () => {
  const { sources, notes } = await find(pages, 'q', 1000).found;

  expect(sources).toEqual(pages.slice(0, 2));
  expect(notes).toEqual([]);
});

it.each<[string, SearchResult[] | Error, string, number, string]>([
  [
    'the provider fails',
    new SearchError('unavailable', 'The search provider answered 503'),
    'q',
    4000,
    '503',
  ],
  ['nothing is found', [], 'q', 4000, 'found nothing'],
  ['nothing is asked', pages, ' \n', 4000, 'no question to search for'],
  ['nothing fits', pages, 'q', 100, 'do not fit'],
])(
  'the sources of a row are none where %s, and the row says why',
  async (_, answer, query, tokensLeft, why) => {
    expect(await find(answer, query, tokensLeft).found).toEqual({
      sources: [],
      notes: [{ code: 'not_grounded', message: expect.stringContaining(why) }],
    });
  },
);

it('the sources of a row are none where the provider is gone since the launch', async () => {
  const found = findSources({ searcher: null, query: 'q', tokensLeft: 4000, signal: undefined });

  expect((await found).notes[0]?.code).toBe('not_grounded');
});

it('the sources of a row are searched for in one line of bounded length', async () => {
  const { queries, found } = find(pages, `How\n tall ${'is it '.repeat(200)}`);
  await found;

  expect(queries[0]).toMatch(/^How tall is it/);
  expect(queries[0]).toHaveLength(300);
});

it('the sources of a row do not hide an error of another kind', async () => {
  await expect(find(new Error('a bug')).found).rejects.toThrow('a bug');
});

describe('what is searched for', () => {
  const material = { context: [{ name: 'city', text: 'Lima' }], history: [] };

  it('what is searched for is the prompt with its context, or the context where every row has the same prompt', () => {
    expect(queryOf({ ...material, context: [] }, 'How old is Lima?', 'prompt_only')).toBe('How old is Lima?');
    expect(queryOf(material, 'How old is it?', 'prompt_only')).toBe('How old is it? Lima');
    expect(queryOf(material, 'Judge the claim. '.repeat(40), 'prompt_only')).toMatch(/^.{150} Lima$/);
    expect(queryOf(material, 'Describe the city.', 'universal_prompt')).toBe('Lima');
  });

  it('what is searched for in a conversation is its last message with the one that was asked before', () => {
    const history = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'Hello!' },
      { role: 'assistant', text: 'Hi.' },
      { role: 'user', text: 'Who founded Lima?' },
      { role: 'assistant', text: 'Francisco Pizarro.' },
    ] as const;
    expect(queryOf({ context: [], history }, 'When was he born?', 'chat')).toBe(
      'When was he born? Who founded Lima?',
    );
    expect(queryOf({ context: [], history: history.slice(0, 1) }, 'How old is Lima?', 'chat')).toBe(
      'How old is Lima?',
    );
  });
});
