import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import { coerce } from '#shared/answers/decide/coerce.ts';
import {
  type Defect,
  debrisOf,
  demandedLanguage,
  diagnose,
  speaksEnglish,
} from '#shared/answers/decide/diagnose.ts';
import { shareOfWordingKept, shareOfWordsKept, wordingOf } from '#shared/answers/decide/facts.ts';
import { numbersOf, resultOf } from '#shared/answers/decide/numbers.ts';
import { type AnswerForm, isExact } from '#shared/answers/decide/read-form.ts';
import { readText } from '#shared/answers/decide/read-text.ts';
import type { StandingAnswer } from '#shared/answers/decide/standing-answer.ts';
import { beginsSmall, slipsOf, tidy } from '#shared/answers/decide/surface.ts';
import { isShorter, wordsOf } from '#shared/answers/decide/words.ts';
import type { AnswerVerdict } from '#shared/judging/decide/arbiter.ts';
import { findLanguage } from '#shared/languages/decide/catalog.ts';
import {
  AskFailure,
  type Asking,
  askModel,
  type CallMeter,
  orRefusal,
} from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import type { AnswerEdit, RowReason } from '#shared/runs/schema/run-result.ts';
import { answerInForm } from '#shared/witnesses/decide/prompts/answer-in-form.v1.ts';
import { readInForm } from '#shared/witnesses/decide/read-in-form.ts';
import { finishAnswer } from './prompts/finish-answer.v1.ts';
import { mendAnswer } from './prompts/mend-answer.v1.ts';
import { translateText } from './prompts/translate-text.v1.ts';
import { withBlueprint } from './prompts/with-blueprint.ts';

/** A new answer with its edit, or why the original stays. */
export type Treatment =
  | { readonly answer: string; readonly edit: AnswerEdit }
  | { readonly answer: null; readonly code: string; readonly why: string };

export interface TreatmentContext {
  readonly model: ModelClient;
  /** Generates an answer in prose, from a draft if there is one, with the fault so far in the prompt. */
  readonly write: (draft: string, fault: string | null) => Promise<string>;
  /** An image for answers in a demanded form. */
  readonly image: string | null;
  /** Whether the turns have parts that no model is shown: what the answer says stays, and only how it is written changes. */
  readonly isBlind: boolean;
  readonly blueprint: string | null;
  readonly judge: (answer: string) => Promise<AnswerVerdict>;
  /** An explanation with fewer words is thin. */
  readonly wordsMin: number;
  readonly asking: Asking;
  readonly meter: CallMeter;
}

/** Tries to mend an answer in one way. */
type Treat = (standing: StandingAnswer, treating: TreatmentContext) => Promise<Treatment>;

/** The treatments to try for each defect, in order. */
const TREATMENTS: Readonly<Record<Defect, readonly Treat[]>> = {
  empty: [answerAnew],
  debris: [clean],
  form_broken: [reformat, answerAnew],
  doubtful: [answerAnew],
  degenerate: [answerAnew],
  wrong_language: [translate, answerAnew],
  cut_off: [finish, answerAnew],
  thin: [enrich, extend, mend],
  careless: [mend],
};

/** The treatments that say nothing new. */
const OF_WRITING: ReadonlySet<Treat> = new Set([clean, reformat, translate, mend]);

export const UNSEEN: RowReason = {
  code: 'parts_unseen',
  message:
    'The turns have images or other parts that are no text, which no model is shown: what the answer says stays',
};
/** A row whose answer has its reasoning before it keeps both: a new answer that may say something else would not follow from it. */
export const REASONED_OTHERWISE = stay(
  'no_better_answer',
  'A new answer would not follow from the reasoning before it',
);
export const stayUnseen = (): Treatment => stay(UNSEEN.code, UNSEEN.message);

/**
 * Improves a defective answer: by the smallest edit that fixes its defect, else by a new answer. It rejects a text that
 * breaks the form, loses a fact, or is itself defective.
 * @throws {ModelOutage}
 */
export async function treatAnswer(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { diagnosis } = standing;
  if (diagnosis.defect === null) return stay('already_good', 'Nothing is wrong with the answer');
  let last: Treatment = treating.isBlind
    ? stayUnseen()
    : stay('no_better_answer', 'No better answer was found');
  for (const treat of TREATMENTS[diagnosis.defect]) {
    if (treating.isBlind && !OF_WRITING.has(treat)) continue;
    try {
      last = await treat(standing, treating);
    } catch (error) {
      // If the original is empty the row fails; otherwise the original stays.
      if (!(error instanceof AskFailure) || diagnosis.defect === 'empty') throw error;
      last = stay('no_better_answer', `No better answer was found: ${error.message}`);
    }
    if (last.answer !== null) return last;
  }
  // A row without an answer fails if none can be generated.
  if (diagnosis.defect === 'empty' && last.answer === null) {
    throw new AskFailure(
      'answer_unusable',
      `The row has no completion, and none could be generated: ${last.why}`,
    );
  }
  return last;
}

function stay(code: string, why: string): Treatment {
  return { answer: null, code, why };
}

function take(
  kind: AnswerEdit['kind'],
  evidence: AnswerEdit['evidence'],
  { original }: StandingAnswer,
  answer: string,
): Treatment {
  return { answer, edit: { kind, evidence, words_kept: wordsKept(original, answer) } };
}

/** Share of the original's words that stayed, to two decimals; 0 if there was no original. */
export function wordsKept(original: string, answer: string): number {
  return original.trim() === '' ? 0 : Math.round(shareOfWordsKept(original, answer) * 100) / 100;
}

/** Accepts an answer that passes every check, unless a trusted judge prefers the original. */
async function takeUnlessWorse(
  kind: AnswerEdit['kind'],
  standing: StandingAnswer,
  answer: string,
  treating: TreatmentContext,
): Promise<Treatment> {
  const verdict = await treating.judge(answer);
  if (verdict === 'worse') return stay('scored_worse', 'The judge prefers the original to the new answer');
  return take(kind, verdict === 'better' ? 'judged' : 'checked', standing, answer);
}

/** Takes the debris out of an answer. What is left is treated if it has another defect, and stands if that fails. */
async function clean(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const debris = debrisOf({ ...standing, answer: standing.original.trim() });
  if (debris === null) return stay('no_better_answer', 'Nothing can be taken out of the answer');
  const original = debris.rest;
  if (!debris.isCertain && (await treating.judge(original)) !== 'better')
    return stay('no_better_answer', 'No judge finds the answer better without what stands outside of it');
  const diagnosis = diagnose({ ...standing, answer: original });
  const rest: StandingAnswer = { ...standing, original, diagnosis };
  const treatment =
    diagnosis.defect === null || diagnosis.defect === 'debris' ? null : await treatAnswer(rest, treating);
  if (treatment === null || treatment.answer === null) return take('mended', 'checked', standing, original);
  const { edit, answer } = treatment;
  return { answer, edit: { ...edit, words_kept: wordsKept(standing.original, answer) } };
}

/** Converts the original to the demanded form if that only changes its notation. */
async function reformat(standing: StandingAnswer): Promise<Treatment> {
  const answer = coerce(standing.form, standing.original);
  return answer === null || faultOf(standing, answer, {}) !== null
    ? stay('no_better_answer', 'The answer cannot be put into the demanded form by writing it differently')
    : take('reformatted', 'checked', standing, answer);
}

/** Attempts at an answer; each retry includes the last fault. */
const ATTEMPTS = 2;
/** Additional tokens for a repaired text, beyond those of its original. */
const REPAIR_TOKENS = 120;

/** Generates an answer if the original cannot be fixed. */
async function answerAnew(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { form, diagnosis, original, reasoning } = standing;
  if (reasoning !== '' && diagnosis.defect !== 'empty') {
    return REASONED_OTHERWISE;
  }
  if (form.isContradictory && diagnosis.defect !== 'empty') {
    return stay('form_contradictory', 'The request asks for two forms at once');
  }
  if (isVoted(form)) return voteAnswer(standing, treating);
  const draft = diagnosis.defect === 'empty' || diagnosis.defect === 'degenerate' ? '' : original.trim();
  const isRepair = diagnosis.defect === 'form_broken';
  let fault = diagnosis.defect === null || draft === '' ? null : diagnosis.why;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const answer = isExact(form)
      ? await askInForm(standing, treating, { draft: draft === '' ? null : draft, fault, variation: attempt })
      : await treating.write(draft, fault);
    fault = faultOf(standing, answer, { keepsFacts: isRepair || diagnosis.defect === 'cut_off' });
    if (
      fault === null &&
      diagnosis.defect === 'doubtful' &&
      !(await isConsistent(standing, answer, treating))
    ) {
      fault = 'differs from what the model answers when asked again';
    }
    if (fault !== null) continue;
    if (draft === '') return take('written', 'checked', standing, answer);
    if (diagnosis.defect === 'doubtful') return take('rewritten', 'consistent', standing, answer);
    // The judge cannot compare two languages.
    if (diagnosis.defect === 'wrong_language') return take('rewritten', 'checked', standing, answer);
    return takeUnlessWorse('rewritten', standing, answer, treating);
  }
  return stay('no_better_answer', `No new answer could be taken: it ${fault}`);
}

/** Whether the form is so short that several answers can be generated and counted. */
function isVoted({ kind }: AnswerForm): boolean {
  return kind === 'label' || kind === 'number' || kind === 'string';
}

/** Votes for a short answer without other evidence. */
const VOTES = 3;

/** The answer that repeated calls agree on; without one, the original stays. */
async function voteAnswer(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { diagnosis } = standing;
  // The original in another form takes precedence over a model's answer.
  if (diagnosis.defect === 'form_broken' && standing.form.labels.length > 0) {
    return stay('no_better_answer', 'The answer names none of the demanded answers, or several');
  }
  const votes = await collectVotes(standing, treating);
  const agreed = votes.find((vote) => votes.filter((other) => isSame(vote, other)).length >= 2);
  const answer = agreed ?? votes[0];
  if (answer === undefined) return stay('no_better_answer', 'No answer of the model had the demanded form');
  // For an empty original, accept an uncertain answer.
  if (diagnosis.defect === 'empty')
    return take('written', agreed === undefined ? 'checked' : 'consistent', standing, answer);
  if (agreed === undefined)
    return stay('not_confident', 'The model answers differently each time it is asked');
  return take('rewritten', 'consistent', standing, answer);
}

/**
 * Answers to count.
 * @throws {AskFailure} if a call fails before there is one; a later call that is refused is one vote less
 */
async function collectVotes(standing: StandingAnswer, treating: TreatmentContext): Promise<string[]> {
  const votes: string[] = [];
  for (let variation = 0; variation < VOTES; variation += 1) {
    const vote = await orRefusal(askInForm(standing, treating, { draft: null, fault: null, variation }));
    if (vote instanceof AskFailure) {
      if (votes.length === 0) throw vote;
      continue;
    }
    if (faultOf(standing, vote, {}) === null) votes.push(vote);
    // Two of three that agree cannot be outvoted.
    if (votes.length === 2 && isSame(votes[0] as string, votes[1] as string)) break;
  }
  return votes;
}

/** Whether two short answers are equal, ignoring punctuation and case. */
function isSame(a: string, b: string): boolean {
  const [one, two] = [numbersOf(a), numbersOf(b)];
  if (one.length === 1 && two.length === 1) return resultOf(a) === resultOf(b);
  return wordingOf(a).join(' ') === wordingOf(b).join(' ');
}

interface InForm {
  readonly draft: string | null;
  readonly fault: string | null;
  readonly variation: number;
}

function askInForm(
  { request, form }: StandingAnswer,
  { model, image, blueprint, asking, meter }: TreatmentContext,
  inForm: InForm,
): Promise<string> {
  const asked = answerInForm({ request, form, image, blueprint, ...inForm });
  return askModel(model, asked, (generation) => readInForm(generation, form), asking, meter);
}

/** Whether the model comes to the same result in a second, independent answer. */
async function isConsistent(
  standing: StandingAnswer,
  answer: string,
  treating: TreatmentContext,
): Promise<boolean> {
  const again = isExact(standing.form)
    ? await askInForm(standing, treating, { draft: null, fault: null, variation: ATTEMPTS })
    : await treating.write('', null);
  const [result, other] = [resultOf(answer), resultOf(again)];
  if (result !== null || other !== null) return result === other;
  return shareOfWordsKept(answer, again) >= 0.5;
}

/** Generates the missing end; the existing text is kept verbatim. */
async function finish(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { request, original, diagnosis, form } = standing;
  const { model, blueprint, asking, meter } = treating;
  if (diagnosis.defect === null || isExact(form))
    return stay('no_better_answer', 'The answer cannot be continued');
  const stands = original.trimEnd().replace(/(?:…|\.\.\.)$/, '');
  let why = diagnosis.why;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const end = await askModel(
      model,
      withBlueprint(finishAnswer({ request, answer: stands, why }, 400, attempt), blueprint),
      readText,
      asking,
      meter,
    );
    const answer = join(stands, end);
    const isEcho = end.length >= 12 && request.includes(end.trim());
    const fault = isEcho ? 'goes on with the request' : faultOf(standing, answer, {});
    if (fault === null) return take('completed', 'checked', standing, answer);
    why = fault;
  }
  return stay('no_better_answer', 'No end could be found for the answer');
}

/** Appends an end, without the existing text that models often repeat. */
function join(stands: string, end: string): string {
  const text = end.replace(/^(?:…|\.\.\.)\s*/, '');
  if (text.startsWith(stands)) return text;
  const words = stands.split(/\s+/);
  for (let count = Math.min(12, words.length); count >= 1; count -= 1) {
    const tail = words.slice(-count).join(' ');
    if (count >= 2 && text.toLowerCase().startsWith(tail.toLowerCase())) {
      return `${stands}${text.slice(tail.length)}`;
    }
  }
  const lastLine = stands.slice(stands.lastIndexOf('\n') + 1).trim();
  if (lastLine.length > 8 && text.toLowerCase().startsWith(lastLine.toLowerCase())) {
    return `${stands}${text.slice(lastLine.length)}`;
  }
  const isNewLine = /^\s*(?:[-*•]|\d+[.)]|Day \d|Step \d)/i.test(text) && !/[,;:–-]$/.test(stands);
  if (isNewLine) return `${stands}\n${text}`;
  return /^[,.;:!?)]/.test(text) || /\s$/.test(stands) ? `${stands}${text}` : `${stands} ${text}`;
}

/** Translates an answer into the language of its request. */
async function translate(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { original } = standing;
  const { model, blueprint, asking, meter } = treating;
  const code = demandedLanguage(standing);
  const language = code === null ? null : findLanguage(code);
  if (language === null)
    return stay('no_better_answer', 'Nothing tells the language that the answer is to be in');
  const tokens = Math.max(REPAIR_TOKENS, Math.ceil(original.length * 1.2));
  const answer = await askModel(
    model,
    withBlueprint(translateText(original.trim(), language.name, tokens), blueprint),
    readText,
    asking,
    meter,
  );
  return faultOf(standing, answer, { keepsNumbers: true }) === null
    ? take('translated', 'checked', standing, answer)
    : stay('no_better_answer', 'No translation of the answer kept its facts');
}

/** Expands a thin answer and keeps its content. */
async function enrich(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const answer = await treating.write(standing.original.trim(), null);
  const fault = enrichedFault(standing, answer, treating);
  return fault === null
    ? takeUnlessWorse('rewritten', standing, answer, treating)
    : stay('no_better_answer', `No fuller answer could be taken: it ${fault}`);
}

function enrichedFault(
  standing: StandingAnswer,
  answer: string,
  { wordsMin }: TreatmentContext,
): string | null {
  const fault = faultOf(standing, answer, { keepsFacts: true, keepsWords: ENRICHED_WORDS_KEPT_MIN });
  if (fault !== null) return fault;
  const saysLittle = wordsOf(answer).length < wordsMin || isShorter(answer, standing.original);
  return saysLittle ? 'says too little' : null;
}

/** Keeps a thin answer verbatim and appends the rest. */
async function extend(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { request, original } = standing;
  const { model, blueprint, asking, meter } = treating;
  const stands = tidy(original);
  const why = 'says too little: add one or two sentences';
  const end = await askModel(
    model,
    withBlueprint(finishAnswer({ request, answer: stands, why }, 200, 0), blueprint),
    readText,
    asking,
    meter,
  );
  const answer = join(stands, end);
  const fault = enrichedFault(standing, answer, treating);
  return fault === null
    ? takeUnlessWorse('completed', standing, answer, treating)
    : stay('no_better_answer', `No fuller answer could be taken: it ${fault}`);
}

/** Minimum share of the original's content words in an expanded answer. */
const ENRICHED_WORDS_KEPT_MIN = 0.5;
/** Minimum share of the original's words, in order, in a fixed answer. */
const MENDED_WORDS_KEPT_MIN = 0.6;

/** Corrects only the writing of an answer: with the model if its output passes the checks, else by rules. */
async function mend(standing: StandingAnswer, treating: TreatmentContext): Promise<Treatment> {
  const { original } = standing;
  const { model, blueprint, asking, meter } = treating;
  const tokens = REPAIR_TOKENS + Math.ceil(original.length / 2);
  try {
    const request = withBlueprint(mendAnswer(original.trim(), tokens), blueprint);
    const answer = await askModel(model, request, readText, asking, meter);
    if (
      isSmallEdit(original, answer) &&
      faultOf(standing, answer, { keepsFacts: true, addsNone: true }) === null
    ) {
      return take('mended', 'checked', standing, answer);
    }
  } catch (error) {
    if (!(error instanceof AskFailure)) throw error;
  }
  // The rules know English alone; and a small first letter may be meant, unless the writer is careless elsewhere.
  const isCasual = standing.form.writing === 'careless' || beginsSmall(standing.prompt);
  const isKnown = speaksEnglish({ ...standing, answer: original });
  const tidied = isKnown ? tidy(original, isCasual || slipsOf(original).length > 0) : original.trim();
  const isBetter = tidied !== original.trim() && faultOf(standing, tidied, { keepsFacts: true }) === null;
  return isBetter
    ? take('mended', 'checked', standing, tidied)
    : stay('no_better_answer', 'The answer could not be mended without changing what it says');
}

/** Whether an answer has most words of an original in their order, with or without its slips, and few others. */
function isSmallEdit(original: string, answer: string): boolean {
  const after = wordingOf(answer);
  const keeps = (before: readonly string[]): boolean =>
    after.length <= 1.3 * before.length + 3 && shareOfWordingKept(before, after) >= MENDED_WORDS_KEPT_MIN;
  return keeps(wordingOf(original)) || keeps(wordingOf(tidy(original)));
}
