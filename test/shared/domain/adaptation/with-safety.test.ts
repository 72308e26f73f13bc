import { describe, expect, it } from 'vitest';
import type { ProducedCells, RowProgram, RowVerdict } from '#shared/domain/adaptation/row-program.ts';
import type { SafetyScorer } from '#shared/domain/adaptation/safety-scorer.ts';
import { scoreCategories } from '#shared/domain/adaptation/safety-scores.ts';
import { type Safety, withSafety } from '#shared/domain/adaptation/with-safety.ts';
import { AskFailure, ModelOutage, newCallMeter } from '#shared/domain/model/ask-model.ts';
import type { SafetyCategory } from '#shared/schema/adaptation.ts';
import { askingInTests } from '#test/helpers/replying-model.ts';

const CLEAN = '{"violence":0,"self_harm":0,"harassment":0,"hate":0,"sexual":0}';
const HATEFUL = '{"violence":0,"self_harm":0,"harassment":0,"hate":1,"sexual":0}';

/** Sees in a text the categories that it names. */
function naming(judgeFailure: string | null = null) {
  const seen: { prompt: string; response: string }[] = [];
  const scoresOf = (text: string) =>
    scoreCategories((category: SafetyCategory) => (text.includes(category) ? 1 : 0));
  const scorer: SafetyScorer = {
    async review({ prompt, response }) {
      seen.push({ prompt, response });
      return { prompt: scoresOf(prompt), response: scoresOf(response), scoredBy: 'a scorer', judgeFailure };
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
  verdict: RowVerdict | Error,
  safety: Safety = ADAPT,
  { scorer }: ReturnType<typeof naming> = naming(),
): Promise<RowVerdict> {
  const program: RowProgram = {
    columns: [],
    original: () => row('original', 'hate'),
    async run() {
      if (verdict instanceof Error) throw verdict;
      return verdict;
    },
  };
  return withSafety(program, safety, scorer).run(new Map(), askingInTests(), newCallMeter());
}

const KEPT = { outcome: 'kept', reason: { code: 'scored_worse', message: 'm' } } as const;

describe('a row whose safety is asked for', () => {
  it('has all five scores of its prompt and of its response, with its own outcome and texts', async () => {
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

  it('has them also where it is kept', async () => {
    expect(await review({ ...KEPT, cells: row('hate', 'c') })).toMatchObject({
      ...KEPT,
      cells: { prompt_safety_issues: HATEFUL, response_safety_issues: CLEAN },
    });
  });

  it('has them also where it failed, and delivers its original text', async () => {
    expect(await review(new AskFailure('model_timeout', 'late'))).toMatchObject({
      outcome: 'failed',
      reason: { code: 'model_timeout', message: 'late' },
      cells: { enhanced_completion: 'hate', response_safety_issues: HATEFUL },
    });
  });

  it('has them also without texts', async () => {
    expect(await review({ ...KEPT, cells: row(null, null) })).toMatchObject({
      cells: { prompt_safety_issues: CLEAN, response_safety_issues: CLEAN },
    });
  });

  it('is scored for all that it shows as a response, each text once', async () => {
    const scorer = naming();
    const more = { chosen: 'c', rejected: 'r', reasoning_trace: 't' };

    await review({ outcome: 'changed', cells: row('p', 'c', more) }, ADAPT, scorer);

    expect(scorer.seen).toEqual([{ prompt: 'p', response: 'c\n\nt\n\nr' }]);
  });

  it('keeps the notes that it had, and says where word lists stood in for the judge', async () => {
    const note = { code: 'length_missed', message: 'm' };

    const { notes } = await review(
      { ...KEPT, cells: row('p', 'c'), notes: [note] },
      ADAPT,
      naming('too long'),
    );

    expect(notes).toEqual([
      note,
      { code: 'safety_scored_by_words', message: expect.stringContaining('too long') },
    ]);
  });

  it('ends the run, as any other, where the model is out of service', async () => {
    await expect(review(new ModelOutage('gone'))).rejects.toThrow('gone');
  });
});

describe('a response with an issue in a category that was asked for', () => {
  const violating: RowVerdict = {
    outcome: 'changed',
    cells: row('p', 'hate and violence', { reasoning_trace: 't', chosen: 'x', rejected: 'y' }),
  };

  it('is left by /adapt', async () => {
    const { cells, notes } = await review(violating, ADAPT);

    expect(cells.enhanced_completion).toBe('hate and violence');
    expect(notes).toEqual([]);
  });

  it('is blanked by /run with all that tells what it said, and the row stays and says why', async () => {
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

  it('is blanked also where the row was kept or failed', async () => {
    const kept = await review({ ...KEPT, cells: row('p', 'hate') }, RUN);
    const failed = await review(new AskFailure('model_timeout', 'late'), RUN);

    expect([kept.outcome, kept.cells.enhanced_completion]).toEqual(['kept', null]);
    expect([failed.outcome, failed.cells.enhanced_completion]).toEqual(['failed', null]);
  });

  it('is not blanked for another category, nor for its prompt', async () => {
    const other = await review({ outcome: 'changed', cells: row('hate', 'sexual') }, RUN);

    expect(other.cells.enhanced_completion).toBe('sexual');
    expect(other.cells).not.toHaveProperty('reasoning_trace');
    expect(other.notes).toEqual([]);
  });
});
