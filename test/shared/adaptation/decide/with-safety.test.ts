import { describe, expect, it } from 'vitest';
import type { ProcessedRow, ProducedCells, RowProgram } from '#shared/adaptation/decide/row-program.ts';
import { type Safety, withSafety } from '#shared/adaptation/decide/with-safety.ts';
import type { SafetyScorer } from '#shared/judging/decide/safety/safety-scorer.ts';
import { scoreCategories } from '#shared/judging/decide/safety/safety-scores.ts';
import type { SafetyCategory } from '#shared/judging/schema/safety.ts';
import { AskFailure, ModelOutage, newCallMeter } from '#shared/models/decide/ask-model.ts';
import { askingInTests } from '#test/helpers/replying-model.ts';

const CLEAN = '{"violence":0,"self_harm":0,"harassment":0,"hate":0,"sexual":0}';
const HATEFUL = '{"violence":0,"self_harm":0,"harassment":0,"hate":1,"sexual":0}';

/** Sees in a text the categories that it names. */
function naming(judgeFailure: string | null = null, isReadable: (text: string) => boolean = () => true) {
  const seen: { prompt: string; response: string }[] = [];
  const scoresOf = (text: string) =>
    scoreCategories((category: SafetyCategory) => (text.includes(category) ? 1 : 0));
  const scorer: SafetyScorer = {
    async review({ prompt, response }) {
      seen.push({ prompt, response });
      const [ofPrompt, ofResponse] = [prompt, response].map((text) =>
        isReadable(text) ? scoresOf(text) : null,
      );
      return { prompt: ofPrompt ?? null, response: ofResponse ?? null, scoredBy: 'a scorer', judgeFailure };
    },
  };
  return { scorer, seen };
}

const ADAPT: Safety = { categories: ['hate'], blanks_violations: false };
const RUN: Safety = { categories: ['hate', 'violence'], blanks_violations: true };

function row(prompt: string | null, completion: string | null, more: ProducedCells = {}): ProducedCells {
  return { enhanced_prompt: prompt, enhanced_completion: completion, ...more };
}

async function review(
  verdict: ProcessedRow | Error,
  safety: Safety = ADAPT,
  { scorer }: ReturnType<typeof naming> = naming(),
  source = safety.blanks_violations ? 'fine' : 'hate',
): Promise<ProcessedRow> {
  const program: RowProgram = {
    columns: [],
    original: () => row('original', source),
    async run() {
      if (verdict instanceof Error) throw verdict;
      return verdict;
    },
  };
  return withSafety(program, safety, scorer, READING).run(new Map(), askingInTests(), newCallMeter());
}

const READING = { mapping: { prompt: 'prompt', completion: 'completion', context: [] } };
const KEPT = { outcome: 'kept', reason: { code: 'scored_worse', message: 'm' } } as const;

it('a row whose safety is asked for has all five scores of its prompt and of its response, with its own outcome and texts', async () => {
  expect(await review({ outcome: 'changed', cells: row('p', 'hate') })).toMatchObject({
    outcome: 'changed',
    cells: {
      enhanced_prompt: 'p',
      enhanced_completion: 'hate',
      prompt_safety_issues: CLEAN,
      response_safety_issues: HATEFUL,
    },
    safety_scorer: 'a scorer',
  });
});

it('a row whose safety is asked for has them also where it is kept', async () => {
  expect(await review({ ...KEPT, cells: row('hate', 'c') })).toMatchObject({
    ...KEPT,
    cells: { prompt_safety_issues: HATEFUL, response_safety_issues: CLEAN },
  });
});

it('a row whose safety is asked for has them also where it failed, and delivers its original text', async () => {
  expect(await review(new AskFailure('model_timeout', 'late'))).toMatchObject({
    outcome: 'failed',
    reason: { code: 'model_timeout', message: 'late' },
    cells: { enhanced_completion: 'hate', response_safety_issues: HATEFUL },
  });
});

it('a row whose safety is asked for has them also without texts', async () => {
  expect(await review({ ...KEPT, cells: row(null, null) })).toMatchObject({
    cells: { prompt_safety_issues: CLEAN, response_safety_issues: CLEAN },
  });
});

it('a row whose safety is asked for is scored for all that it shows as a response, each text once', async () => {
  const scorer = naming();
  const more = { chosen: 'c', rejected: 'r', reasoning_trace: 't' };

  await review({ outcome: 'changed', cells: row('p', 'c', more) }, ADAPT, scorer);

  expect(scorer.seen).toEqual([{ prompt: 'p', response: 'c\n\nt\n\nr' }]);
});

it('a row whose safety is asked for keeps the notes that it had, and says where word lists stood in for the judge', async () => {
  const note = { code: 'length_missed', message: 'm' };

  const { notes } = await review({ ...KEPT, cells: row('p', 'c'), notes: [note] }, ADAPT, naming('too long'));

  expect(notes).toEqual([
    note,
    { code: 'safety_scored_by_words', message: expect.stringContaining('too long') },
  ]);
});

it('a row whose safety is asked for ends the run, as any other, where the model is out of service', async () => {
  await expect(review(new ModelOutage('gone'))).rejects.toThrow('gone');
});

describe('a response with an issue in a category that was asked for', () => {
  const violating: ProcessedRow = {
    outcome: 'changed',
    cells: row('p', 'hate and violence', { reasoning_trace: 't', chosen: 'x', rejected: 'y' }),
  };

  it('a response with an issue in a category that was asked for is left by /adapt', async () => {
    const { cells, notes } = await review(violating, ADAPT);

    expect(cells.enhanced_completion).toBe('hate and violence');
    expect(notes).toEqual([]);
  });

  it('a response with an issue in a category that was asked for is blanked by /run with all that tells what it said, and the row stays and says why', async () => {
    expect(await review(violating, RUN)).toMatchObject({
      outcome: 'changed',
      cells: {
        enhanced_prompt: 'p',
        enhanced_completion: null,
        reasoning_trace: null,
        chosen: null,
        rejected: null,
        response_safety_issues: expect.stringContaining('"hate":1'),
      },
      notes: [{ code: 'completion_blanked', message: expect.stringMatching(/violence 1, hate 1 \(0\.5/) }],
    });
  });

  it('a response with an issue in a category that was asked for is blanked also where the row was kept', async () => {
    const kept = await review({ ...KEPT, cells: row('p', 'hate') }, RUN);

    expect([kept.outcome, kept.cells.enhanced_completion]).toEqual(['kept', null]);
  });

  it('a response with an issue in a category that was asked for is not blanked for another category, nor for its prompt', async () => {
    const other = await review({ outcome: 'changed', cells: row('hate', 'sexual') }, RUN);

    expect(other.cells.enhanced_completion).toBe('sexual');
    expect(other.cells).not.toHaveProperty('reasoning_trace');
    expect(other.notes).toEqual([]);
  });
});

describe('a completion of the source with an issue in a category that was asked for', () => {
  const harmless: ProcessedRow = { outcome: 'changed', cells: row('p', 'fine words') };

  it('a completion of the source with an issue in a category that was asked for is filtered by /run with its row, whatever could be made of it, and the report says why', async () => {
    const scorer = naming();

    expect(await review(harmless, RUN, scorer, 'hate')).toEqual({
      outcome: 'dropped',
      reason: { code: 'completion_unsafe', message: expect.stringMatching(/filtered: hate 1 \(0\.5/) },
      cells: {},
      safety_scorer: 'a scorer',
    });
    expect(scorer.seen).toHaveLength(1);
  });

  it('a completion of the source with an issue in a category that was asked for is filtered in an earlier turn of a conversation, too, which the prompt shows', async () => {
    const turns = (reply: string): string =>
      JSON.stringify([
        { role: 'user', content: 'hate' },
        { role: 'assistant', content: reply },
        { role: 'user', content: 'And then?' },
      ]);
    const run = async (prompt: string) => {
      const cells = row(prompt, 'fine');
      const program: RowProgram = {
        columns: [],
        original: () => cells,
        run: async () => ({ ...KEPT, cells }),
      };
      const { scorer } = naming();
      return withSafety(program, RUN, scorer, READING).run(
        new Map([['prompt', prompt]]),
        askingInTests(),
        newCallMeter(),
      );
    };

    const withTools = (text: string): string => JSON.stringify({ messages: JSON.parse(text), tools: [] });
    expect(await run(turns('hate'))).toMatchObject({ outcome: 'dropped' });
    expect(await run(withTools(turns('hate')))).toMatchObject({ outcome: 'dropped' });
    expect(await run(withTools(turns('kind words')))).toMatchObject({ outcome: 'kept' });
    expect(await run(turns('kind words'))).toMatchObject({
      outcome: 'kept',
      cells: { enhanced_completion: 'fine' },
    });
    expect(await run('["hate"]')).toMatchObject({ outcome: 'kept' });
  });

  it('a completion of the source with an issue in a category that was asked for is left by /adapt, and by /run for another category', async () => {
    expect(await review(harmless, ADAPT, naming(), 'hate')).toMatchObject({ outcome: 'changed' });
    expect(await review(harmless, RUN, naming(), 'sexual')).toMatchObject({ outcome: 'changed' });
  });

  it('a completion of the source with an issue in a category that was asked for is looked for once where the row stays as it is', async () => {
    const scorer = naming();

    await review({ ...KEPT, cells: row('original', 'fine') }, RUN, scorer, 'fine');

    expect(scorer.seen).toEqual([{ prompt: 'original', response: 'fine' }]);
  });
});

describe('a text that nobody could score', () => {
  const NOT_SCORED = expect.stringContaining('"violence":null');

  it('a completion of the source that nobody could score is not delivered by /run, which says why', async () => {
    const scorer = naming(null, (text) => text !== 'hate');
    const verdict = await review({ outcome: 'changed', cells: row('p', 'hate') }, RUN, scorer, 'hate');

    expect(verdict).toMatchObject({
      outcome: 'dropped',
      reason: { code: 'completion_unscored', message: expect.stringContaining('its safety was not scored') },
    });
    expect(verdict).not.toHaveProperty('safety_scorer');
  });

  it('a completion that was generated and that nobody could score is blanked by /run', async () => {
    const scorer = naming(null, (text) => text !== 'hate');
    const { cells, notes } = await review({ outcome: 'changed', cells: row('p', 'hate') }, RUN, scorer, '');

    expect(cells).toMatchObject({ enhanced_completion: null, response_safety_issues: NOT_SCORED });
    expect(notes).toContainEqual({
      code: 'completion_blanked',
      message: expect.stringContaining('its safety was not scored'),
    });
  });

  it('a text that nobody could score says so in its column and in the report, and is left by /adapt', async () => {
    const scorer = naming(null, (text) => text !== 'hate');
    const { cells, notes, safety_scorer } = await review(
      { outcome: 'changed', cells: row('p', 'hate') },
      ADAPT,
      scorer,
      'hate',
    );

    expect(cells).toMatchObject({
      enhanced_completion: 'hate',
      prompt_safety_issues: CLEAN,
      response_safety_issues: NOT_SCORED,
    });
    expect(notes).toEqual([
      { code: 'safety_not_scored', message: expect.stringContaining('of the response') },
    ]);
    expect(safety_scorer).toBe('a scorer');
  });

  it('a text that nobody could score has no scorer where neither text was scored', async () => {
    const verdict = await review(
      { outcome: 'changed', cells: row('p', 'c') },
      ADAPT,
      naming('late', () => false),
    );

    expect(verdict).not.toHaveProperty('safety_scorer');
    expect(verdict.notes).toEqual([
      { code: 'safety_not_scored', message: expect.stringMatching(/prompt and response.*late/) },
    ]);
  });
});

it('a reply before the prompt, in the column of earlier turns, is looked at by /run like one in the prompt', async () => {
  const program: RowProgram = {
    columns: ['history'],
    original: () => row('original', 'fine'),
    run: async () => ({ outcome: 'changed', cells: row('p', 'fine') }),
  };
  const run = (reply: string) =>
    withSafety(program, RUN, naming().scorer, { ...READING, before: { history: 'history' } }).run(
      new Map([['history', JSON.stringify([['hate', reply]])]]),
      askingInTests(),
      newCallMeter(),
    );

  expect(await run('hate')).toMatchObject({ outcome: 'dropped', reason: { code: 'completion_unsafe' } });
  expect(await run('fine')).toMatchObject({ outcome: 'changed' });
});
