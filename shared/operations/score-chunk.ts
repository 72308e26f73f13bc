import type { Scorer } from '#shared/domain/evaluation/scorer.ts';
import { AskFailure, newCallMeter } from '#shared/domain/model/ask-model.ts';
import { RowScore, SampledRow } from '#shared/schema/row-score.ts';
import { askingOf, type ModelRowsJob, runRowsOnModel } from './run-rows-on-model.ts';

export interface ScoreChunk extends ModelRowsJob {
  readonly scorer: Pick<Scorer, 'score'>;
}

export type ScoreEnd =
  | { readonly status: 'finished'; readonly scores: readonly RowScore[] }
  | { readonly status: 'unfinished' | 'stopped'; readonly rowsDone: number; readonly rowsTotal: number };

/** Scores the rows of a sample before and after; each line is a `SampledRow`. */
export async function scoreChunk(chunk: ScoreChunk): Promise<ScoreEnd> {
  async function scoreRow(line: string, row: number, signal: AbortSignal): Promise<RowScore> {
    const { dataset_row, request, before, after } = SampledRow.parse(JSON.parse(line));
    const asking = askingOf(chunk, signal);
    const meter = newCallMeter();
    const score = (answer: string) => chunk.scorer.score({ request, answer }, asking, meter);
    try {
      const scored = await score(after);
      if (before === null) {
        return { row, dataset_row, before: null, after: scored };
      }
      // An unchanged row keeps its score: asking twice could only add noise.
      return { row, dataset_row, before: before === after ? scored : await score(before), after: scored };
    } catch (error) {
      if (!(error instanceof AskFailure)) {
        throw error;
      }
      return {
        row,
        dataset_row,
        before: null,
        after: null,
        reason: { code: error.code, message: error.message },
      };
    }
  }

  const end = await runRowsOnModel({
    ...chunk,
    process: scoreRow,
    parse: (value) => RowScore.parse(value),
  });
  return end.status === 'finished'
    ? { status: 'finished', scores: end.results }
    : { status: end.status, ...end.progress };
}
