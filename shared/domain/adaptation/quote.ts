import type { RunQuote } from '../../schema/adaptation.ts';
import { priceRows } from '../pricing/prices.ts';

export interface QuoteInput {
  readonly rowCount: number;
  readonly maxRows: number | null;
  readonly promptRephrase: boolean;
  /** Rows that the evaluation samples; each is scored before and after. */
  readonly evaluationRows: number;
  /** Calls that may be open at once. */
  readonly modelConcurrency: number;
}

export interface AdaptationQuote {
  readonly rows: number;
  readonly credits: number;
  readonly minutes: number;
}

/** Seconds that one call to a model is taken to last. */
const CALL_SECONDS_ASSUMED = 2;

/** Model time of a row: the answer and two comparisons, and where asked for the rephrased prompt. */
export function secondsPerRow(promptRephrase: boolean): number {
  return (promptRephrase ? 4 : 3) * CALL_SECONDS_ASSUMED;
}

/**
 * What an adaptation costs and about how long it takes. Credits are exact: they are what is reserved and the most
 * that is settled. Minutes rest on an assumed call time and the configured concurrency.
 */
export function quoteAdaptation(input: QuoteInput): AdaptationQuote {
  const rows = Math.min(input.rowCount, input.maxRows ?? input.rowCount);
  const scored = Math.min(rows, input.evaluationRows) * 2 * CALL_SECONDS_ASSUMED;
  const seconds = (rows * secondsPerRow(input.promptRephrase) + scored) / input.modelConcurrency;
  return { rows, credits: priceRows(rows, 'text'), minutes: Math.max(1, Math.ceil(seconds / 60)) };
}

/** The quote as `/adapt` and `/run` answer it (spec §2.5). */
export function toRunQuote(quote: AdaptationQuote, runId: string | null): RunQuote {
  return {
    run_id: runId,
    estimatedMinutes: quote.minutes,
    estimatedCreditsConsumed: quote.credits,
    estimate: runId === null,
    multimodalPricingApplied: false,
  };
}
