import { AskFailure, type Asking, type CallMeter } from '#shared/domain/model/ask-model.ts';
import type { RowReason } from '#shared/schema/run-result.ts';
import type { ProducedCells, RowProgram, RowRemarks, RowVerdict } from './row-program.ts';
import type { SafetyScorer } from './safety-scorer.ts';
import { issuesOf, SAFETY_ISSUE_MIN, safetyCell } from './safety-scores.ts';
import type { AdaptationSpecification } from './specification.ts';

export type Safety = NonNullable<AdaptationSpecification['safety']>;

/** Cells with their scores, and what is to be noted of them. */
export interface ReviewedCells extends RowRemarks {
  readonly cells: ProducedCells;
  readonly notes: RowReason[];
  readonly safety_scorer: string;
}

/** All that a row shows as a response; blanked together, since each of them tells what the completion says. */
const RESPONSE_COLUMNS = ['enhanced_completion', 'reasoning_trace', 'chosen', 'rejected'] as const;

/**
 * Scores the texts of a row, and blanks its response if the run does so (`/run`) and a requested category has an
 * issue.
 * @throws {ModelOutage}
 */
export async function reviewCells(
  cells: ProducedCells,
  safety: Safety,
  scorer: SafetyScorer,
  asking: Asking,
  meter: CallMeter,
): Promise<ReviewedCells> {
  const responses = RESPONSE_COLUMNS.map((column) => cells[column] ?? '').filter((text) => text !== '');
  const texts = { prompt: cells.enhanced_prompt ?? '', response: [...new Set(responses)].join('\n\n') };
  const review = await scorer.review(texts, asking, meter);
  const reviewed: ProducedCells = {
    ...cells,
    prompt_safety_issues: safetyCell(review.prompt),
    response_safety_issues: safetyCell(review.response),
  };
  const notes: RowReason[] = [];
  if (review.judgeFailure !== null) {
    const message = `Word lists scored the row in the judge's place: ${review.judgeFailure}`;
    notes.push({ code: 'safety_scored_by_words', message });
  }
  const violated = issuesOf(review.response).filter((category) => safety.categories.includes(category));
  if (safety.blanks_violations && violated.length > 0) {
    for (const column of RESPONSE_COLUMNS) {
      if (Object.hasOwn(reviewed, column)) reviewed[column] = null;
    }
    const scores = violated.map((category) => `${category} ${review.response[category]}`).join(', ');
    const message = `The completion was blanked: ${scores} (${SAFETY_ISSUE_MIN} and more is an issue)`;
    notes.push({ code: 'completion_blanked', message });
  }
  return { cells: reviewed, notes, safety_scorer: review.scoredBy };
}

/** A program whose every row is scored, whatever became of it: also one that failed delivers its original text. */
export function withSafety(program: RowProgram, safety: Safety, scorer: SafetyScorer): RowProgram {
  async function decide(...args: Parameters<RowProgram['run']>): Promise<RowVerdict> {
    try {
      return await program.run(...args);
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error;
      const reason = { code: error.code, message: error.message };
      return { outcome: 'failed', reason, cells: program.original(args[0]) };
    }
  }

  return {
    ...program,
    async run(cells, asking, meter) {
      const verdict = await decide(cells, asking, meter);
      const reviewed = await reviewCells(verdict.cells, safety, scorer, asking, meter);
      const notes = [...(verdict.notes ?? []), ...reviewed.notes];
      return { ...verdict, ...reviewed, notes };
    },
  };
}
