import type { RunQuote } from '../../schema/adaptation.ts';
import { creditsPerHundredRows, priceRows, type RowPrice } from '../pricing/prices.ts';
import type { AdaptationSpecification } from './specification.ts';

/** What the price and the time of an adaptation depend on. */
export type QuotedSpecification = Omit<AdaptationSpecification, 'blueprint' | 'length' | 'safety'> & {
  readonly safety: object | null;
};

export interface QuoteInput {
  readonly rowCount: number;
  readonly specification: QuotedSpecification;
  /** Rows that the evaluation samples; each is scored before and after. */
  readonly evaluationRows: number;
  /** Calls that may be open at once. */
  readonly modelConcurrency: number;
}

export interface AdaptationQuote {
  /** Rows that are worked on. */
  readonly rows: number;
  readonly price: RowPrice;
  readonly credits: number;
  readonly minutes: number;
}

/** Seconds that one call to a model is taken to last. */
const CALL_SECONDS_ASSUMED = 2;

/** Calls that a row takes when none has to be repeated. */
export function callsPerRow(specification: QuotedSpecification): number {
  const { mode } = specification;
  const hasCompletion = mode !== 'prompt_only';
  const isPairing = specification.training_type === 'preference_pairs';
  const samples = isPairing ? (hasCompletion ? 1 : 2) : 0;
  // Two answers are compared in both orders; of three, the winner of two with the third.
  const comparing = isPairing ? 4 : hasCompletion ? 2 : 0;
  const wording = specification.prompt_rephrase || mode === 'completion_only' ? 1 : 0;
  const tracing = specification.reasoning_traces ? 1 : 0;
  const reviewing = specification.safety === null ? 0 : 1;
  return 1 + samples + comparing + wording + tracing + reviewing;
}

/** Model time of a row, in seconds. */
export function secondsPerRow(specification: QuotedSpecification): number {
  return callsPerRow(specification) * CALL_SECONDS_ASSUMED;
}

/** Rows with an image among their context cost more (spec §4.8). */
export function rowPriceOf({ mapping }: Pick<AdaptationSpecification, 'mapping'>): RowPrice {
  return mapping.image !== undefined && mapping.context.includes(mapping.image) ? 'image_context' : 'text';
}

/**
 * What an adaptation costs and about how long it takes. Credits are exact: they are what is reserved and the most
 * that is settled. Minutes rest on an assumed call time and the configured concurrency.
 */
export function quoteAdaptation(input: QuoteInput): AdaptationQuote {
  const { specification } = input;
  const rows = Math.min(input.rowCount, specification.max_rows ?? input.rowCount);
  const scored = Math.min(rows, input.evaluationRows) * 2 * CALL_SECONDS_ASSUMED;
  const seconds = (rows * secondsPerRow(specification) + scored) / input.modelConcurrency;
  const price = rowPriceOf(specification);
  return { rows, price, credits: priceRows(rows, price), minutes: Math.max(1, Math.ceil(seconds / 60)) };
}

/** The quote as `/adapt` and `/run` answer it (spec §2.5). */
export function toRunQuote(quote: AdaptationQuote, runId: string | null): RunQuote {
  const isMultimodal = quote.price === 'image_context';
  return {
    run_id: runId,
    estimatedMinutes: quote.minutes,
    estimatedCreditsConsumed: quote.credits,
    estimate: runId === null,
    multimodalPricingApplied: isMultimodal,
    ...(isMultimodal ? { creditMultiplier: creditsPerHundredRows[quote.price] } : {}),
  };
}
