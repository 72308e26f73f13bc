import { creditsPerHundredRows, type RowPrice } from '#shared/platform/schema/row-prices.ts';
import type { ResolvedExpansion } from '#shared/runs/schema/expansion.ts';
import type { Processing, RunQuote } from '../schema/adaptation.ts';
import { priceProcessed, rowPriceOf } from './price-rows.ts';
import { type AdaptationSpecification, asksInVain, asksModel } from './specification.ts';
import { estimateSeconds, type KnownSpeed, measuredSecondsPerRow } from './speed.ts';

/** The parts of a specification that determine price and time. */
export type QuotedSpecification = Omit<AdaptationSpecification, 'blueprint' | 'length' | 'safety'> & {
  readonly safety: { readonly blanks_violations?: boolean } | null;
  readonly blueprint?: string | null;
};

export interface QuoteInput {
  readonly rowCount: number;
  readonly specification: QuotedSpecification;
  /** Rows that are reused from earlier runs: they cost nothing and take no time. Default: 0. */
  readonly reusedRows?: number;
  /** Rows that the evaluation samples; each is scored before and after. */
  readonly evaluationRows: number;
  /** Limit of concurrent calls. */
  readonly modelConcurrency: number;
  /** The model that answers, and its measured speed; without it an assumed speed is used. */
  readonly measured?: { readonly modelId: string | null; readonly speed: KnownSpeed };
  /** How model calls are made. Default: `standard`. */
  readonly processing?: Processing | undefined;
}

export interface AdaptationQuote {
  /** Rows that are processed. */
  readonly rows: number;
  /** Processed rows plus rows of a language expansion: the billed rows if none is dropped or fails. */
  readonly outputRows: number;
  /** Processed rows that are reused from earlier runs, and cost nothing. */
  readonly reusedRows: number;
  readonly price: RowPrice;
  readonly processing: Processing;
  readonly credits: number;
  readonly minutes: number;
  /** The basis of the estimated minutes, in a few words. */
  readonly basis: string;
  /** Notes for the caller, in sentences. */
  readonly notes: readonly string[];
}

/** Assumed seconds of one model call, before any was measured. */
export const CALL_SECONDS_ASSUMED = 2;
/** Assumed minutes of a batch job: providers promise an answer within 24 hours, and mostly need less. */
export const BATCH_JOB_MINUTES_ASSUMED = 60;
/** Assumed seconds of a run outside its calls, before any was measured. */
const OTHER_SECONDS_ASSUMED = 15;
const MINUTES_MIN = 0.1;

/**
 * Calls of a common row, to estimate time: an estimate and no maximum. One call writes or fixes the answer; a row without
 * a defect needs none, and a thin or voted answer may take three. Of a trusted judge, only the calls for pairs are counted.
 *
 * @param rows of the run, where a bound of the rows that a model is asked about makes a difference
 */
export function callsPerRow(specification: QuotedSpecification, rows = 0): number {
  const { mode } = specification;
  const hasCompletion = mode !== 'prompt_only';
  const isPairing = specification.training_type === 'preference_pairs';
  const samples = isPairing ? (hasCompletion ? 1 : 2) : 0;
  // Two answers are compared in both orders; of three, the winner of two with the third.
  const comparing = isPairing ? 4 : 0;
  const wording = specification.prompt_rephrase || mode === 'completion_only' ? 1 : 0;
  const tracing = specification.reasoning_traces ? 1 : 0;
  const reviewing = specification.safety === null ? 0 : 1;
  // Two answers that agree, and one that is compared or criticised.
  const verifying = asksModel(specification) ? 3 * askedShare(specification, rows) : 0;
  return verifying + 1 + samples + comparing + wording + tracing + reviewing;
}

/** Share of the rows of a run that a model is asked about. */
const askedShare = ({ verification_rows: max }: QuotedSpecification, rows: number): number =>
  max === undefined || rows <= max ? 1 : max / rows;

/** Calls for each of `rows`, including those for the rows that an expansion adds. */
export function callsPerWorkedRow(specification: QuotedSpecification, rows: number): number {
  const added = rows === 0 ? 0 : addedRows(rows, specification.expansion) / rows;
  return callsPerRow(specification, rows) + added * callsPerAddedRow(specification);
}

/** Model time of a row, in seconds: measured if known, else assumed. */
export function secondsPerRow(specification: QuotedSpecification, speed: KnownSpeed): number {
  const calls = callsPerRow(specification);
  return speed.observations.length === 0
    ? calls * CALL_SECONDS_ASSUMED
    : measuredSecondsPerRow(speed.observations, speed.isOfThisKind ? null : calls);
}

/** Rows that an expansion adds for each target: a share of `rows`, rounded, and at least one (spec §4.8). */
export function rowsPerTarget(
  rows: number,
  { sample_rate: rate }: Pick<ResolvedExpansion, 'sample_rate'>,
): number {
  return rows === 0 ? 0 : Math.max(1, Math.round(rows * rate));
}

/** Rows that an expansion adds for all its targets. */
export function addedRows(rows: number, expansion: ResolvedExpansion | null): number {
  return expansion === null ? 0 : expansion.targets.length * rowsPerTarget(rows, expansion);
}

/** Calls for a row in another language: one for each of its texts. */
export function callsPerAddedRow(specification: QuotedSpecification): number {
  const texts = 2 + (specification.reasoning_traces ? 1 : 0);
  const pair = specification.training_type === 'preference_pairs' ? 2 : 0;
  const reviewing = specification.safety === null ? 0 : 1;
  return texts + pair + reviewing;
}

/** Model time of a row in another language, in seconds. */
export function secondsPerAddedRow(specification: QuotedSpecification): number {
  return callsPerAddedRow(specification) * CALL_SECONDS_ASSUMED;
}

/**
 * Price and estimated time of an adaptation. Credits are exact: they are reserved, and are the maximum that is settled.
 * Minutes come from measured runs of this kind, else from the model's other kinds by the number of calls, else from an
 * assumed call time.
 */
export function quoteAdaptation(input: QuoteInput): AdaptationQuote {
  const { specification } = input;
  const rows = Math.min(input.rowCount, specification.max_rows ?? input.rowCount);
  const added = addedRows(rows, specification.expansion);
  const price = rowPriceOf(specification);
  const outputRows = rows + added;
  const processing = input.processing ?? 'standard';
  const reusedRows = Math.min(rows, input.reusedRows ?? 0);
  return {
    rows,
    outputRows,
    reusedRows,
    price,
    processing,
    credits: priceProcessed({ rows: rows - reusedRows, added }, price, processing),
    // Rows in other languages are made anew of reused ones too, and are estimated by the row.
    ...timeOf(input, added > 0 ? rows : rows - reusedRows, processing),
    notes: [
      ...notesOnRows(specification.max_rows, input.rowCount),
      ...notesOnSteering(specification),
      ...notesOnRephrasing(specification),
      ...notesOnUncounted(specification),
      ...notesOnAsked(specification, rows),
      ...notesOnReuse(reusedRows),
    ],
  };
}

/** The time of a run. The calls of a row follow each other, so there are as many batch jobs one after the other. */
function timeOf(
  input: QuoteInput,
  rows: number,
  processing: Processing,
): Pick<AdaptationQuote, 'minutes' | 'basis'> {
  const time = estimateTime(input, rows);
  if (processing === 'standard' || rows === 0) return time;
  const jobs = callsPerRow(input.specification);
  // Single calls for rows in other languages follow the jobs.
  const batched = callsPerRow(input.specification, rows) / callsPerWorkedRow(input.specification, rows);
  const single = time.minutes * (1 - batched);
  return {
    minutes: Math.max(time.minutes, Math.round(jobs * BATCH_JOB_MINUTES_ASSUMED + single)),
    basis: `assumed: ${jobs} batch ${jobs === 1 ? 'job' : 'jobs'} one after the other, ${BATCH_JOB_MINUTES_ASSUMED} minutes each; the provider promises each within 24 hours`,
  };
}

/** A note if the limit is above the number of rows, and so has no effect. */
export function notesOnRows(maxRows: number | null | undefined, rowCount: number): string[] {
  if (maxRows === null || maxRows === undefined || maxRows <= rowCount) return [];
  return [
    `job_specification.max_rows is ${maxRows}, and the dataset has ${rowCount} ${rowCount === 1 ? 'row' : 'rows'}: all of them are processed.`,
  ];
}

/** Notes on rows that get no pair, and on those that a filter drops unseen, which a launch cannot count. */
function notesOnUncounted({ training_type: type, safety }: QuotedSpecification): string[] {
  const pairs =
    'A row has a pair where its own answer is found to be wrong, or a judge that is believed here prefers one of two answers. Other rows are delivered with null as chosen and rejected, and are not billed.';
  const unscored =
    'brand_controls.safety_categories: a completion that nobody could score is not delivered as safe. Without a judge that is believed on safety, that is every completion in another language than English; its row is dropped and not billed. /adapt annotates rows and drops none.';
  return [
    ...(type === 'preference_pairs' ? [pairs] : []),
    ...(safety?.blanks_violations === true ? [unscored] : []),
  ];
}

/** A note where there are no prompts that could be worded anew. */
function notesOnRephrasing({ mode, prompt_rephrase: isAsked }: QuotedSpecification): string[] {
  if (mode !== 'completion_only' || !isAsked) return [];
  return [
    'recipes.prompt_rephrase has no effect without a column of prompts: each prompt is inferred from its completion, which no recipe turns off.',
  ];
}

/** A note on controls that a sound answer takes on only where a judge prefers it, which a launch cannot know. */
function notesOnSteering({ mode, blueprint = null, grounding }: QuotedSpecification): string[] {
  const controls = [
    ...(blueprint === null ? [] : ['blueprint']),
    ...(grounding ? ['hallucination_mitigation'] : []),
  ];
  if (controls.length === 0 || mode === 'prompt_only') return [];
  return [
    `brand_controls.${controls.join(' and ')}: applied to every answer that the run writes. An answer that is sound stays as it is, unless a judge whose error is known prefers the new one.`,
  ];
}

/** A note with the rows that a model is asked about, if they are not all. */
function notesOnAsked(specification: QuotedSpecification, rows: number): string[] {
  if (asksInVain(specification)) {
    return ['verification asks the model about no row: it needs a column of prompts and one of completions.'];
  }
  const { verification_rows: max } = specification;
  if (max === undefined || max >= rows) return [];
  return [
    `The model is asked whether answers are true about ${max.toLocaleString('en-US')} of ${rows.toLocaleString('en-US')} rows: those that are doubted without it come first.`,
  ];
}

/** A note with the rows that are reused. */
function notesOnReuse(rows: number): string[] {
  if (rows === 0) return [];
  const unchanged = rows === 1 ? '1 row is' : `${rows.toLocaleString('en-US')} rows are`;
  return [`${unchanged} unchanged since an earlier run and ${rows === 1 ? 'costs' : 'cost'} nothing again.`];
}

function estimateTime(
  { specification, evaluationRows, modelConcurrency, measured }: QuoteInput,
  rows: number,
): Pick<AdaptationQuote, 'minutes' | 'basis'> {
  const calls = callsPerWorkedRow(specification, rows);
  const work = { rows, evaluatedRows: Math.min(rows, evaluationRows), concurrency: modelConcurrency };
  const { observations, isOfThisKind } = measured?.speed ?? { observations: [], isOfThisKind: false };
  if (observations.length === 0) {
    const open = (count: number): number => Math.max(1, Math.min(modelConcurrency, count));
    const working = (rows * calls) / open(rows);
    const scoring = (work.evaluatedRows * 2) / open(work.evaluatedRows);
    return {
      minutes: toMinutes((working + scoring) * CALL_SECONDS_ASSUMED + OTHER_SECONDS_ASSUMED),
      basis: `assumed: ${CALL_SECONDS_ASSUMED} s a model call, ${Math.round(calls)} calls a row, ${modelConcurrency} at once; runs are measured, and then quoted by that`,
    };
  }
  const runs = `${observations.length} ${observations.length === 1 ? 'run' : 'runs'}`;
  const kind = isOfThisKind ? 'of this kind' : 'of other kinds, by the call,';
  return {
    minutes: toMinutes(estimateSeconds(observations, { ...work, callsPerRow: isOfThisKind ? null : calls })),
    basis: `measured over ${runs} ${kind} with ${measured?.modelId}`,
  };
}

/** Estimated seconds of `rows` with `callsPerRow` calls each, and the basis of the estimate. */
export function assumeTime(
  rows: number,
  callsPerRow: number,
  modelConcurrency: number,
): Pick<AdaptationQuote, 'minutes' | 'basis'> {
  const working = (rows * callsPerRow) / Math.max(1, Math.min(modelConcurrency, rows));
  return {
    minutes: toMinutes(working * CALL_SECONDS_ASSUMED + OTHER_SECONDS_ASSUMED),
    basis: `assumed: ${CALL_SECONDS_ASSUMED} s a model call, ${callsPerRow} a row, ${modelConcurrency} at once`,
  };
}

/** Rounded minutes: whole ones from ten on, tenths from one on, hundredths below. */
function toMinutes(seconds: number): number {
  const minutes = seconds / 60;
  const digits = minutes >= 10 ? 1 : minutes >= 1 ? 10 : 100;
  return Math.max(MINUTES_MIN, Math.round(minutes * digits) / digits);
}

/** The quote in the responses of `/adapt` and `/run` (spec §2.5). */
export function toRunQuote(quote: AdaptationQuote, runId: string | null): RunQuote {
  const isMultimodal = quote.price === 'image_context';
  return {
    run_id: runId,
    estimatedMinutes: quote.minutes,
    estimateBasis: quote.basis,
    estimatedCreditsConsumed: quote.credits,
    ...(quote.notes.length === 0 ? {} : { notes: [...quote.notes] }),
    ...(quote.reusedRows === 0 ? {} : { reused_rows: quote.reusedRows }),
    estimate: runId === null,
    multimodalPricingApplied: isMultimodal,
    ...(isMultimodal
      ? { creditMultiplier: creditsPerHundredRows[quote.price] / (quote.processing === 'batch' ? 2 : 1) }
      : {}),
  };
}
