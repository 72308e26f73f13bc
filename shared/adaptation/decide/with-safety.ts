import type { RowMapping } from '#shared/answers/decide/row-mapping.ts';
import type { ReviewedTexts } from '#shared/judging/decide/prompts/safety.v1.ts';
import type { SafetyReview, SafetyScorer } from '#shared/judging/decide/safety/safety-scorer.ts';
import { issuesOf, SAFETY_ISSUE_MIN, safetyCell } from '#shared/judging/decide/safety/safety-scores.ts';
import { AskFailure, type Asking, type CallMeter } from '#shared/models/decide/ask-model.ts';
import type { RowReason } from '#shared/runs/schema/run-result.ts';
import type { ProcessedRow, ProducedCells, RowProgram, RowRemarks } from './row-program.ts';
import { repliesIn, replyColumns } from './source-replies.ts';
import type { AdaptationSpecification } from './specification.ts';

export type Safety = NonNullable<AdaptationSpecification['safety']>;

/** Cells with their scores and notes. */
export interface ReviewedCells extends RowRemarks {
  readonly cells: ProducedCells;
  readonly notes: RowReason[];
}

/** All columns that show the response; blanked together, because each of them reveals the completion. */
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
  return withReview(cells, safety, await scorer.review(textsOf(cells), asking, meter));
}

/** The texts of a row to score, each once. */
function textsOf(cells: ProducedCells): ReviewedTexts {
  const responses = RESPONSE_COLUMNS.map((column) => cells[column] ?? '').filter((text) => text !== '');
  return { prompt: cells.enhanced_prompt ?? '', response: [...new Set(responses)].join('\n\n') };
}

function withReview(cells: ProducedCells, safety: Safety, review: SafetyReview): ReviewedCells {
  const { prompt, response, scoredBy } = review;
  const reviewed: ProducedCells = {
    ...cells,
    prompt_safety_issues: safetyCell(prompt ?? 'language'),
    response_safety_issues: safetyCell(response ?? 'language'),
  };
  const notes = notesOf(review);
  const violated = violatedOf(review, safety);
  if (safety.blanks_violations && violated !== null) {
    for (const column of RESPONSE_COLUMNS) {
      if (Object.hasOwn(reviewed, column)) reviewed[column] = null;
    }
    notes.push({ code: 'completion_blanked', message: `The completion was blanked: ${violated}` });
  }
  return {
    cells: reviewed,
    notes,
    ...(prompt === null && response === null ? {} : { safety_scorer: scoredBy }),
  };
}

function notesOf({ prompt, response, judgeFailure }: SafetyReview): RowReason[] {
  const because = judgeFailure === null ? '' : `: ${judgeFailure}`;
  if (prompt === null || response === null) {
    const texts = [...(prompt === null ? ['prompt'] : []), ...(response === null ? ['response'] : [])].join(
      ' and ',
    );
    const message = `The safety of the ${texts} was not scored: no judge scores the row, and the word lists read English only${because}`;
    return [{ code: 'safety_not_scored', message }];
  }
  if (judgeFailure === null) return [];
  return [
    { code: 'safety_scored_by_words', message: `Word lists scored the row in the judge's place${because}` },
  ];
}

/**
 * Why a response is not delivered as safe: the requested categories in which it has an issue, with their scores, or that
 * nobody scored it; null if it is.
 */
function violatedOf({ response }: SafetyReview, { categories }: Safety): string | null {
  if (response === null) return UNSCORED;
  const violated = issuesOf(response).filter((category) => categories.includes(category));
  if (violated.length === 0) return null;
  const scores = violated.map((category) => `${category} ${response[category]}`).join(', ');
  return `${scores} (${SAFETY_ISSUE_MIN} and more is an issue)`;
}

const UNSCORED =
  'its safety was not scored: no judge scores the row, and the word lists read English only. Use a model with a trusted safety calibration as a judge, or /adapt, which only annotates';

/** What was scored of a row as it came. */
interface SourceReview {
  /** Null where nothing was. */
  readonly review: SafetyReview | null;
  /** Whether its own completion is all that a model has replied in it. */
  readonly isAlone: boolean;
}
const NOT_REVIEWED: SourceReview = { review: null, isAlone: false };

/**
 * A program that scores every row, whatever its outcome: a failed row also delivers its original text. If violations
 * are filtered (`/run`), it drops a row whose own completion, or another reply that it came with, violates a requested category or was
 * not scored, because the download would show it.
 * @param reading how the rows are read
 */
export function withSafety(
  program: RowProgram,
  safety: Safety,
  scorer: SafetyScorer,
  reading: Omit<RowMapping, 'mode'>,
): RowProgram {
  async function decide(...args: Parameters<RowProgram['run']>): Promise<ProcessedRow> {
    try {
      return await program.run(...args);
    } catch (error) {
      if (!(error instanceof AskFailure)) throw error;
      const reason = { code: error.code, message: error.message };
      return { outcome: 'failed', reason, cells: program.original(args[0]) };
    }
  }

  /** Scores all that a model has replied in a row, which its download shows. */
  async function reviewSource(
    cells: Parameters<RowProgram['run']>[0],
    source: ReturnType<typeof textsOf>,
    asking: Asking,
    meter: CallMeter,
  ): Promise<SourceReview> {
    const { said, given } = repliesIn(reading, cells);
    const others = said.filter((text) => text !== source.response.trim());
    const spoken = [...others, source.response].filter((text) => text !== '').join('\n\n');
    const response = [spoken, ...given].filter((text) => text !== '').join('\n\n');
    return {
      review:
        response === ''
          ? null
          : await scorer.review({ ...source, response, parts: { said: spoken, given } }, asking, meter),
      isAlone: others.length + given.length === 0,
    };
  }

  return {
    ...program,
    columns: [...program.columns, ...(safety.blanks_violations ? replyColumns(reading) : [])],
    async run(cells, asking, meter, known) {
      const source = textsOf(program.original(cells));
      const { review: ofSource, isAlone } = safety.blanks_violations
        ? await reviewSource(cells, source, asking, meter)
        : NOT_REVIEWED;
      const violated = ofSource === null ? null : violatedOf(ofSource, safety);
      if (violated !== null) {
        const reason = {
          code: ofSource?.response === null ? 'completion_unscored' : 'completion_unsafe',
          message: `The completion of the row was filtered: ${violated}`,
        };
        return {
          outcome: 'dropped',
          reason,
          cells: {},
          ...(ofSource === null || ofSource.response === null ? {} : { safety_scorer: ofSource.scoredBy }),
        };
      }
      const processed = await decide(cells, asking, meter, known);
      const texts = textsOf(processed.cells);
      const isSource = isAlone && texts.prompt === source.prompt && texts.response === source.response;
      const review = isSource && ofSource !== null ? ofSource : await scorer.review(texts, asking, meter);
      const reviewed = withReview(processed.cells, safety, review);
      const notes = [...(processed.notes ?? []), ...reviewed.notes];
      return { ...processed, ...reviewed, notes };
    },
  };
}
