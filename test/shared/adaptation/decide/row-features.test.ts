import { describe, expect, it } from 'vitest';
import { createRowProgram } from '#shared/adaptation/decide/adapt-rows.ts';
import type { ProcessedRow } from '#shared/adaptation/decide/row-program.ts';
import type { AdaptationSpecification } from '#shared/adaptation/decide/specification.ts';
import { lengthTargets } from '#shared/answers/decide/length.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import type { Arbiter, JudgedAnswers } from '#shared/judging/decide/arbiter.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { newCallMeter } from '#shared/models/decide/ask-model.ts';
import { SearchError, type SearchResult } from '#shared/models/decide/search/port.ts';
import type { Searcher } from '#shared/models/decide/searcher.ts';
import { askingInTests, lastText, replying } from '#test/helpers/replying-model.ts';
import { specification } from '#test/helpers/specification.ts';

const detectLanguage: LanguageDetector = () => 'en';

const ROW = { prompt: 'How can I sleep better at night?', completion: 'go to bed', topic: 'health' };
/** A completion with which nothing is wrong. */
const SOUND = 'Keep regular hours, and leave the phone in another room.';
const SOUND_ROW = { ...ROW, completion: SOUND };
const ANSWER = 'Go to bed at the same hour every day, and keep screens out of the bedroom.';
const STEPS = '1. Sleep follows habits.\n2. Light delays it.\n3. So fix the hour and ban the light.';
const PAGES: SearchResult[] = [
  { title: 'Sleep', url: 'https://example.org/sleep', text: 'Regular hours help.' },
  { title: 'Light', url: 'https://example.org/light', text: 'Blue light delays sleep.' },
];

/** Answers, and reasons where it is asked to. */
const answering = (answer = ANSWER) =>
  replying((request) => (lastText(request).includes('Write the reasoning') ? STEPS : answer));

async function adapt(
  overrides: Partial<AdaptationSpecification>,
  {
    row = ROW,
    model = answering(),
    winner = null,
    searcher,
  }: {
    row?: Record<string, unknown>;
    model?: ReturnType<typeof replying>;
    /** What a judge that is believed prefers, the original or the new answer; null if none is believed. */
    winner?: 'first' | 'second' | 'undecided' | null;
    searcher?: Searcher | null;
  } = {},
): Promise<ProcessedRow & { comparisons: JudgedAnswers[] }> {
  const comparisons: JudgedAnswers[] = [];
  const arbiter: Arbiter = {
    async compare(answers) {
      comparisons.push(answers);
      if (winner === 'undecided') return { winner: null, doubt: winner };
      return winner === null ? { winner, doubt: 'no_trusted_judge' } : { winner };
    },
  };
  const program = createRowProgram({
    specification: specification({
      mapping: { prompt: 'prompt', completion: 'completion', context: ['topic'] },
      ...overrides,
    }),
    rewriteModel: model.client,
    answerModel: model.client,
    arbiter,
    detectLanguage,
    contextTokensMax: 4096,
    readImageFile: async () => null,
    fetchImage: async () => null,
    ...(searcher === undefined ? {} : { searcher }),
  });
  const cells = readCells(JSON.stringify(row), program.columns);
  return { ...(await program.run(cells, askingInTests(), newCallMeter())), comparisons };
}

const finding = (pages: SearchResult[] | Error): Searcher => ({
  async search() {
    if (pages instanceof Error) throw pages;
    return pages;
  },
});

it('a length that is missed for good is noted, and the row changed all the same', async () => {
  const row = { ...ROW, prompt: 'how can i sleep better at night' };
  expect(await adapt({ length: 'detailed' }, { row })).toMatchObject({
    outcome: 'changed',
    notes: [{ code: 'length_missed' }],
  });
});

describe('of which a careless answer has more words', () => {
  const completion = [
    'u should go to bed at the same hour every day cuz the body learns it and u get tired on time',
    'keep the room cool and dark, so a thick curtain helps and a fan does too if the summer is hot',
    'dont drink coffee after lunch cuz half of it is still in ur blood at night',
    'leave the phone outside, its light and the news keep u awake',
    'a short walk in the evening is good, but dont do hard sport right before bed',
  ].join('. ');
  const row = { ...ROW, completion };
  const shorter =
    'You should go to bed at the same hour every day, because it helps you sleep better at night. Keep the room cool and dark, and leave your phone outside.';

  it('a length of which a careless answer has more words is kept by a shorter answer', async () => {
    expect(await adapt({ length: 'concise' }, { row, model: answering(shorter) })).toMatchObject({
      outcome: 'changed',
      edit: { kind: 'rewritten', evidence: 'checked' },
      cells: { enhanced_completion: shorter },
    });
  });

  it('a length of which a careless answer has more words leaves its writing to be mended, and nothing added, if there is no shorter one', async () => {
    const { edit, cells } = await adapt(
      { length: 'concise' },
      { row, model: answering(`${completion}. ${completion}.`), winner: 'second' },
    );

    expect(edit?.kind).toBe('mended');
    expect(cells.enhanced_completion?.split(/\s+/)).toHaveLength(completion.split(/\s+/).length);
  });
});

describe('of which a sound answer has more words', () => {
  const request = 'Who built the tower, and how tall is it?';
  const completion = [
    'The tower was built by the company of Gustave Eiffel between 1887 and 1889 as the entrance to the world fair in Paris.',
    'It is 330 metres tall, which is about as much as a building of 81 floors, and it was the tallest structure in the world until 1930.',
    'Its three levels are open to visitors, and two of them have restaurants that serve meals all day long.',
    'The painters need about 18 months to give the whole structure a new coat, and they have done so every seven years since.',
  ].join(' ');
  const shorter =
    'The company of Gustave Eiffel built it between 1887 and 1889 for the world fair in Paris. It is 330 metres tall, and its three levels are open to visitors.';
  const row = { ...ROW, prompt: request, completion };

  it('a length of which a sound answer has more words is kept by an answer that leaves numbers and names out', async () => {
    expect(await adapt({ length: 'concise' }, { row, model: answering(shorter) })).toMatchObject({
      outcome: 'changed',
      edit: { kind: 'rewritten', evidence: 'checked' },
      cells: { enhanced_completion: shorter },
    });
  });

  it.each([
    ['a number that nobody gave', shorter.replace('330', '303')],
    ['a denial', shorter.replace('are open', 'are not open')],
  ])('a length of which a sound answer has more words is not kept by an answer with %s', async (_, wrong) => {
    expect(await adapt({ length: 'concise' }, { row, model: answering(wrong) })).toMatchObject({
      outcome: 'kept',
      notes: [{ code: 'length_missed' }],
    });
  });
});

it('a length of which a careless answer has more words is not kept by a longer one that a judge prefers', async () => {
  const completion =
    'u should go to bed at the same hour every day bc the body learns it and u get tired on time. keep the room cool and dark, so a thick curtain helps. dont drink coffee after lunch. leave the phone outside, its light and the news keep u awake. a short walk in the evening is good, but dont do hard sport right before bed. a warm bath an hour before helps too';
  const longer =
    'You should go to bed at the same hour every day, because the body learns it and you get tired on time. Keep the room cool and dark, so a thick curtain helps. Do not drink coffee after lunch. Leave the phone outside, as its light and the news keep you awake. A short walk in the evening is good, but do not do hard sport right before bed. A warm bath an hour before helps too, and so does reading a printed book until your eyes are heavy.';

  const { edit } = await adapt(
    { length: 'concise' },
    { row: { ...ROW, completion }, model: answering(longer), winner: 'second' },
  );

  expect(edit?.kind).toBe('mended');
});

it('a length is told to the judge, who would else prefer the longer text', async () => {
  const { comparisons } = await adapt({ length: 'minimal' });

  expect(comparisons[0]?.request).toContain(lengthTargets.minimal.instruction);
  const untold = await adapt({});
  expect(untold.comparisons).toHaveLength(1);
  expect(untold.comparisons[0]?.request).not.toContain('Answer');
});

it('a reasoning trace stands in its own column and not in the completion', async () => {
  expect((await adapt({ reasoning_traces: true })).cells).toEqual({
    enhanced_prompt: ROW.prompt,
    enhanced_completion: ANSWER,
    reasoning_trace: STEPS,
  });
});

it('a reasoning trace leads to the original where that is kept, and the row stays kept', async () => {
  const model = answering();

  const verdict = await adapt({ reasoning_traces: true }, { model, row: SOUND_ROW });

  expect(verdict).toMatchObject({
    outcome: 'kept',
    reason: { code: 'already_good' },
    cells: { enhanced_completion: SOUND, reasoning_trace: STEPS },
  });
  expect(model.requests).toHaveLength(1);
  expect(lastText(model.requests.at(-1))).toContain(`answer>\n${SOUND}\n</`);
});

it('a reasoning trace is not asked for where none is wanted, nor of a row that is not read', async () => {
  const model = answering();

  expect((await adapt({}, { model })).cells).not.toHaveProperty('reasoning_trace');
  expect(model.requests).toHaveLength(1);
  const empty = { ...ROW, prompt: '' };
  expect((await adapt({ reasoning_traces: true }, { row: empty })).outcome).toBe('kept');
});

describe('metadata of a row', () => {
  const block = '[metadata]\ntopic: health\nlanguage: en\n[/metadata]\n\n';

  it('metadata of a row stands before its prompt, changed or kept, and is not part of what is answered', async () => {
    const model = answering();

    const changed = await adapt({ prompt_metadata_injection: true }, { model });
    const kept = await adapt({ prompt_metadata_injection: true }, { row: SOUND_ROW });

    expect(changed.cells.enhanced_prompt).toBe(`${block}${ROW.prompt}`);
    expect(kept).toMatchObject({ outcome: 'kept', cells: { enhanced_prompt: `${block}${ROW.prompt}` } });
    expect(lastText(model.requests[0])).not.toContain('[metadata]');
    expect(model.requests).toHaveLength(1);
  });

  it('metadata of a row says the context of a universal prompt once', async () => {
    const { cells } = await adapt({
      prompt_metadata_injection: true,
      mode: 'universal_prompt',
      mapping: { universal_prompt: 'Write about the topic, please.', context: ['topic'] },
    });

    expect(cells.enhanced_prompt?.match(/topic: health/g)).toHaveLength(1);
  });
});

it('sources are shown to the model and to the judge, and kept with the row by title and address', async () => {
  const model = answering();

  const verdict = await adapt({ grounding: true }, { model, searcher: finding(PAGES) });

  expect(lastText(model.requests[0])).toMatch(
    /<(data-\w+) sources>\n1\. Sleep \(https:\/\/example\.org\/sleep\)\nRegular hours help\.\n2\. [^<]+<\/\1>/,
  );
  expect(verdict.comparisons[0]?.request).toContain('Blue light delays sleep.');
  expect(verdict.sources).toEqual(PAGES.map(({ title, url }) => ({ title, url })));
  expect(verdict.notes).toBeUndefined();
});

it('sources change no answer that has its reasoning before it, which would lead to another one', async () => {
  const row = { ...SOUND_ROW, completion: `<think>They want rules.</think>\n${SOUND}` };
  const model = answering();
  const given = { searcher: finding(PAGES), winner: 'second' } as const;

  const verdict = await adapt({ grounding: true }, { ...given, model, row });

  expect(verdict).toMatchObject({ outcome: 'kept', cells: { enhanced_completion: row.completion } });
  expect(model.requests).toEqual([]);
  expect((await adapt({ grounding: true }, { ...given, row: SOUND_ROW })).outcome).toBe('changed');
});

it('sources are not claimed for a row that kept its original', async () => {
  const codes = { first: 'scored_worse', undecided: 'not_preferred', none: 'no_trusted_judge' } as const;
  for (const [judged, code] of Object.entries(codes) as ['first' | 'undecided' | 'none', string][]) {
    const winner = judged === 'none' ? null : judged;
    const verdict = await adapt({ grounding: true }, { searcher: finding(PAGES), row: SOUND_ROW, winner });

    expect(verdict).toMatchObject({
      outcome: 'kept',
      reason: { code },
      cells: { enhanced_completion: SOUND },
    });
    expect(verdict.sources).toBeUndefined();
    expect(verdict.comparisons).toMatchObject([{ first: SOUND, second: ANSWER, original: 'first' }]);
  }
});

it('sources are not claimed for an answer whose writer was not shown them', async () => {
  const row = { prompt: 'In which year did the war end? Answer with the number only.', completion: '' };
  const model = answering('1945');

  const verdict = await adapt({ grounding: true }, { searcher: finding(PAGES), row, model });

  expect(verdict).toMatchObject({ outcome: 'changed', cells: { enhanced_completion: '1945' } });
  expect(model.requests.some((request) => lastText(request).includes(PAGES[0]?.url ?? ''))).toBe(false);
  expect(verdict.sources).toBeUndefined();
});

it('sources are missed with a note, changed or kept, where the search fails', async () => {
  const searcher = finding(new SearchError('unavailable', 'The search provider answered 503'));
  const note = { code: 'not_grounded', message: expect.stringContaining('answered 503') };

  expect(await adapt({ grounding: true }, { searcher })).toMatchObject({
    outcome: 'changed',
    cells: { enhanced_completion: ANSWER },
    notes: [note],
  });
  expect(await adapt({ grounding: true }, { searcher, row: SOUND_ROW })).toMatchObject({
    outcome: 'kept',
    notes: [note],
  });
  expect((await adapt({ grounding: true }, { searcher: null })).notes?.[0]?.code).toBe('not_grounded');
});

it('sources are not searched for where nobody asks', async () => {
  const searcher = finding(new Error('nobody was to search'));

  expect((await adapt({}, { searcher })).outcome).toBe('changed');
});
