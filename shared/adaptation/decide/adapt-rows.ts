import { faultOf } from '#shared/answers/decide/answer-fault.ts';
import { type AnswerProfile, NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { diagnose } from '#shared/answers/decide/diagnose.ts';
import { lostFacts } from '#shared/answers/decide/facts.ts';
import { keepsSubject } from '#shared/answers/decide/kept-words.ts';
import { type LengthTarget, lengthTargetOf } from '#shared/answers/decide/length.ts';
import type { SourceCells } from '#shared/answers/decide/read-cells.ts';
import { type AnswerForm, isExact, readForm } from '#shared/answers/decide/read-form.ts';
import { readText } from '#shared/answers/decide/read-text.ts';
import {
  type MaterialReader,
  materialReader,
  type RowMaterial,
  requestOf,
  splitCompletion,
} from '#shared/answers/decide/row-material.ts';
import { type StandingAnswer, standAnswer } from '#shared/answers/decide/standing-answer.ts';
import { isWellWritten } from '#shared/answers/decide/surface.ts';
import { isShorter } from '#shared/answers/decide/words.ts';
import { type Arbiter, judgeAgainst, speaksAnotherLanguage } from '#shared/judging/decide/arbiter.ts';
import type { LanguageDetector } from '#shared/languages/decide/detect-language.ts';
import {
  AskFailure,
  type Asking,
  askModel,
  type CallMeter,
  orRefusal,
} from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import type { Searcher } from '#shared/models/decide/searcher.ts';
import type { AnswerEdit, RowReason } from '#shared/runs/schema/run-result.ts';
import { type FetchImage, loadImage, type ReadImageFile } from '#shared/tabular/decide/images/load-image.ts';
import { answerAtLength, lengthNotes } from './answer-at-length.ts';
import { findSources, type Grounding, queryOf, sourcesAsContext } from './grounding.ts';
import { hasFreeLength, improveSound, isTooShort, missesLength } from './improve-sound.ts';
import { inferRowPrompt } from './infer-row-prompt.ts';
import { withMetadata } from './metadata-block.ts';
import { findPair, NO_PAIR, type PreferencePair, partPair, varied, withPair } from './preference-pairs.ts';
import { improveAnswer } from './prompts/improve-answer.v2.ts';
import { rewritePrompt } from './prompts/rewrite-prompt.v1.ts';
import { traceCompletion } from './reasoning-trace.ts';
import {
  type KnownRow,
  type ProcessedRow,
  type ProducedCells,
  type RowProgram,
  UNKNOWN_ROW,
} from './row-program.ts';
import type { AdaptationSpecification } from './specification.ts';
import { type Treatment, type TreatmentContext, treatAnswer, UNSEEN, wordsKept } from './treat-answer.ts';
import { type AnswerVerifier, type Verified, verifyAnswer } from './verify-answer.ts';

/** A row that is being adapted. */
interface AdaptingRow {
  readonly cells: SourceCells;
  readonly material: RowMaterial;
  readonly image: string | null;
  /** The prompt, rephrased if the run rephrases prompts. */
  readonly prompt: string;
  readonly grounding: Grounding;
  readonly known: KnownRow;
  /** Answers whose writer was shown the sources; mended texts and short exact answers are written without. */
  readonly written: Set<string>;
}

const UNGROUNDED: Grounding = { sources: [], notes: [] };

export interface AdaptRowsOptions {
  readonly specification: AdaptationSpecification;
  readonly rewriteModel: ModelClient;
  readonly answerModel: ModelClient;
  readonly arbiter: Arbiter;
  readonly detectLanguage: LanguageDetector;
  /** Size of the model's context in tokens; a row that cannot fit is not sent. */
  readonly contextTokensMax: number;
  readonly readImageFile: ReadImageFile;
  readonly fetchImage: FetchImage;
  /** Finds sources for answers; null without a search provider, absent if the run does not use sources. */
  readonly searcher?: Searcher | null;
  /** Who says whether well-written answers are true; absent if nobody is asked. */
  readonly verifier?: AnswerVerifier | null;
  /** The common form of the dataset's completions; absent if it was not learned. */
  readonly profile?: AnswerProfile;
}

/** What the rows of a run share. */
interface AdaptingRun extends AdaptRowsOptions {
  readonly profile: AnswerProfile;
  readonly reader: MaterialReader;
  readonly length: LengthTarget;
  /** Whether the run infers the prompts of answers. */
  readonly isInferring: boolean;
}

/**
 * The program of a run by its specification: reads a row, rephrases its prompt, and changes its completion if it has a
 * defect, or if the caller's controls ask for a change and the new text passes all checks.
 */
export function createRowProgram(options: AdaptRowsOptions): RowProgram {
  const { specification } = options;
  const reader = materialReader(specification);
  const length = lengthTargetOf(specification.length);
  const run: AdaptingRun = {
    ...options,
    profile: options.profile ?? NO_PROFILE,
    reader,
    length,
    isInferring: specification.mode === 'completion_only',
  };

  return {
    columns: reader.columns,

    original: (cells) => originalOf(reader, cells),

    async run(cells, asking, meter, known = UNKNOWN_ROW): Promise<ProcessedRow> {
      const material = reader.read(cells);
      if ('skip' in material) return unread(run, cells, material.skip);
      const tokensLeft = requireFit(material, length, options);
      const image = await loadImage(material.image, options.readImageFile, options.fetchImage);

      const prompt = await wordPrompt(run, material, asking, meter);
      const grounding = specification.grounding
        ? await findSources({
            searcher: options.searcher ?? null,
            query: queryOf(material, prompt, specification.mode),
            tokensLeft,
            signal: asking.signal,
          })
        : UNGROUNDED;
      const work: AdaptingRow = { cells, material, image, prompt, grounding, known, written: new Set() };
      const processed = await improve(run, work, asking, meter);
      return await complete(run, processed, work, asking, meter);
    },
  };
}

/**
 * The prompt of a row, inferred or worded anew. If the provider refuses a call for a new wording, the prompt stays.
 * @throws {AskFailure} if a prompt cannot be inferred: the row has none
 * @throws {ModelOutage}
 */
async function wordPrompt(
  run: AdaptingRun,
  material: RowMaterial,
  asking: Asking,
  meter: CallMeter,
): Promise<string> {
  const { prompt } = material;
  if (run.isInferring) {
    return await inferRowPrompt(run.rewriteModel, material, asking, meter);
  }
  const { mode, prompt_rephrase: isRephrasing } = run.specification;
  // It may go on from the turns in a column before it, as prompts of conversations do, which are rephrased only on request.
  const goesOn = mode !== 'chat' && material.history.some(({ role }) => role === 'user');
  // A well-written prompt stays: a new wording could only lose requirements.
  if (!isRephrasing || goesOn || prompt.trim() === '' || isWellWritten(prompt, run.detectLanguage))
    return prompt;
  const rewritten = await orRefusal(
    askModel(run.rewriteModel, rewritePrompt(prompt), readText, asking, meter),
  );
  if (rewritten instanceof AskFailure) return prompt;
  return isSamePrompt(run, prompt, rewritten, splitCompletion(material.completion).answer)
    ? rewritten
    : prompt;
}

/** Whether a new wording asks for the same thing in the same form. */
function isSamePrompt(
  { detectLanguage, profile }: AdaptingRun,
  prompt: string,
  rewritten: string,
  answer: string,
): boolean {
  if (rewritten.length > 4 * prompt.length + 200 || !keepsSubject(prompt, rewritten)) return false;
  if (speaksAnotherLanguage(prompt, rewritten, detectLanguage)) return false;
  if (lostFacts(prompt, rewritten).length > 0) return false;
  const formAskedBy = (request: string): AnswerForm => readForm({ request, answer, profile });
  const [asked, reworded] = [formAskedBy(prompt), formAskedBy(rewritten)];
  return !isExact(asked) || JSON.stringify(asked.labels) === JSON.stringify(reworded.labels);
}

/**
 * The row with its own completion, or a better one that passes all checks.
 * @throws {AskFailure} if the row has no completion and none could be generated, or if it has no pair because a call
 * for it failed; a refused call that the row can do without fails no row
 * @throws {ModelOutage}
 */
async function improve(
  run: AdaptingRun,
  work: AdaptingRow,
  asking: Asking,
  meter: CallMeter,
): Promise<ProcessedRow> {
  const { specification, length, isInferring } = run;
  const { material, image, prompt } = work;
  const { sources } = work.grounding;
  const { reasoning, answer: own } = splitCompletion(material.completion);
  const { write, sample } = answerWriter(run, work, asking, meter);
  const standing = readStanding(run, material, isInferring ? prompt : material.prompt);
  const request = judgedRequest(run, material, standing.prompt, sources);
  const treating: TreatmentContext = {
    model: run.answerModel,
    image,
    isBlind: material.hasUnseenParts === true,
    blueprint: specification.blueprint,
    write,
    judge: judgeAgainst(run.arbiter, { request, own }, asking, meter),
    wordsMin: specification.length === null ? EXPLAINING_WORDS_MIN : length.wordsMin,
    asking,
    meter,
  };

  const verified = await verify(run, work, standing, () => write('', null), asking, meter);
  const treatment = verified.treatment ?? (await treat(specification, standing, treating, sources));
  const treated =
    treatment.answer === null
      ? keepOwn(run, work, { code: treatment.code, message: treatment.why }, standing)
      : changedTo(work, `${reasoning}${treatment.answer}`, treatment.edit, treatment.answer);
  const processed = { ...treated, doubt: verified.doubt };
  if (specification.training_type !== 'preference_pairs') return processed;
  // The other answer would be about what its model was not shown.
  if (treating.isBlind) return withoutPair(processed);
  // The row's own answer was replaced because it is wrong: it cannot win a comparison.
  if (verified.treatment !== null) {
    const { answer } = verified.treatment;
    return withPair(processed, { chosen: answer, rejected: work.material.completion, isJudged: false });
  }

  const rival = treatment.answer ?? (isExact(standing.form) ? own : await orRefusal(write(own.trim(), null)));
  const rivals = {
    request,
    own,
    improved: rival instanceof AskFailure ? own : rival,
    sample,
    faultOf: (answer: string) => newFault(standing, answer),
  };
  const pair = await findPair(rivals, run, asking, meter);
  if (pair === null && rival instanceof AskFailure) throw rival;
  return deliverPair(processed, pair, { work, standing, own, delivered: treatment.answer ?? own });
}

/** A row of which no model is shown all: it gets no pair. */
const withoutPair = (processed: ProcessedRow): ProcessedRow => ({
  ...processed,
  cells: { ...processed.cells, ...NO_PAIR },
  ...(processed.outcome === 'kept' ? { reason: UNSEEN } : {}),
});

/** Whether the row's answer is true, where the run asks for it. An image and other parts are not shown, and an inferred prompt proves nothing. */
async function verify(
  { specification, verifier = null, isInferring }: AdaptingRun,
  { image, material, known: { doubt, isAsked } }: AdaptingRow,
  standing: StandingAnswer,
  write: () => Promise<string>,
  asking: Asking,
  meter: CallMeter,
): Promise<Verified> {
  return verifier === null || isInferring || image !== null || material.hasUnseenParts || !isAsked
    ? { treatment: null, doubt }
    : await verifyAnswer(specification, verifier, standing, doubt, write, asking, meter);
}

/** A careless answer that is too long is shortened; if no shorter answer can be taken, its writing is mended. */
async function treat(
  specification: AdaptationSpecification,
  standing: StandingAnswer,
  treating: TreatmentContext,
  sources: Grounding['sources'],
): Promise<Treatment> {
  const { defect } = standing.diagnosis;
  if (defect === null) return await improveSound(specification, standing, treating, sources);
  if (defect === 'careless' && missesLength(standing.original, specification.length)) {
    try {
      const shortened = await improveSound(specification, standing, treating, sources);
      if (shortened.answer !== null && isShorter(shortened.answer, standing.original)) return shortened;
    } catch (error) {
      // Its writing can still be mended.
      if (!(error instanceof AskFailure)) throw error;
    }
  }
  return await treatAnswer(standing, treating);
}

/** Writes answers to a row: from a draft with its fault, or as a variation without one. */
function answerWriter(
  { answerModel, specification, length }: AdaptingRun,
  { material, image, prompt, grounding, written }: AdaptingRow,
  asking: Asking,
  meter: CallMeter,
): { readonly write: TreatmentContext['write']; readonly sample: (variation: number) => Promise<string> } {
  const answerTo = (draft: string, fault: string | null) =>
    improveAnswer({
      history: material.history,
      prompt,
      draft,
      context: material.context,
      image,
      sources: grounding.sources,
      length,
      fault,
      blueprint: specification.blueprint,
    });
  const write = async (request: GenerateRequest): Promise<string> => {
    const answer = await answerAtLength(answerModel, request, specification.length, asking, meter);
    written.add(answer);
    return answer;
  };
  return {
    write: (draft, fault) => write(answerTo(draft, fault)),
    sample: (variation) => write(varied(answerTo('', null), variation)),
  };
}

/** The row's answer with its form and its defect. */
function readStanding(
  { profile, detectLanguage, specification, isInferring }: AdaptingRun,
  material: RowMaterial,
  prompt: string,
): StandingAnswer {
  const standing = standAnswer(material, prompt, { profile, detectLanguage });
  const { defect } = standing.diagnosis;
  // If the prompt was inferred from the answer, it cannot show that the answer is off topic.
  if (isInferring && (defect === 'form_broken' || defect === 'wrong_language' || defect === 'doubtful')) {
    return { ...standing, diagnosis: { defect: null } };
  }
  // A requested length asks for more than corrected spelling.
  if (
    defect === 'careless' &&
    hasFreeLength(standing.form) &&
    isTooShort(standing.original, specification.length)
  ) {
    return {
      ...standing,
      diagnosis: { defect: 'thin', why: 'is shorter than was asked for' },
    };
  }
  return standing;
}

/** The fault that the checks find in another answer to the row's request. */
function newFault(standing: StandingAnswer, answer: string): string | null {
  const seen = diagnose({ ...standing, answer }, { isWritten: true });
  return seen.defect === null ? null : seen.why;
}

/** The request for a judge, with its context, its sources and its length; an image and a blueprint are not shown. */
function judgedRequest(
  { specification, length }: AdaptingRun,
  material: RowMaterial,
  prompt: string,
  sources: Grounding['sources'],
): string {
  const context = [...material.context, ...sourcesAsContext(sources)];
  const request = requestOf({ history: material.history, context }, prompt);
  return specification.length === null ? request : `${request}\n${length.instruction}`;
}

function originalOf(reader: MaterialReader, cells: SourceCells): ProducedCells {
  const { prompt, completion } = reader.original(cells);
  return { enhanced_prompt: prompt, enhanced_completion: completion };
}

function kept(reader: MaterialReader, cells: SourceCells, reason: RowReason): ProcessedRow {
  return { outcome: 'kept', reason, cells: originalOf(reader, cells) };
}

/** A row that is kept unread, of a run that makes pairs without one: it is not billed. */
function unread({ specification, reader }: AdaptingRun, cells: SourceCells, reason: RowReason): ProcessedRow {
  const processed = kept(reader, cells, reason);
  return specification.training_type === 'preference_pairs'
    ? { ...processed, cells: { ...processed.cells, ...NO_PAIR } }
    : processed;
}

/**
 * The row with its own completion. It still counts as changed if its prompt was inferred, or worded anew where nothing
 * is wrong with the completion.
 */
function keepOwn(
  { isInferring, reader }: AdaptingRun,
  work: AdaptingRow,
  reason: RowReason,
  { diagnosis }: StandingAnswer,
): ProcessedRow {
  const { cells, material, prompt } = work;
  const own = material.completion;
  if (isInferring) return { ...changedTo(work, own, null), notes: [COMPLETION_KEPT] };
  if (prompt !== material.prompt && diagnosis.defect === null) return changedTo(work, own, null);
  return kept(reader, cells, reason);
}

function changedTo(
  { material, prompt, grounding: { sources }, written }: AdaptingRow,
  completion: string,
  edit: AnswerEdit | null,
  answer: string = completion,
): ProcessedRow {
  return {
    outcome: 'changed',
    ...(edit === null ? {} : { edit }),
    ...(sources.length === 0 || !written.has(answer)
      ? {}
      : { sources: sources.map(({ title, url }) => ({ title, url })) }),
    cells: { enhanced_prompt: material.promptCell(prompt), enhanced_completion: completion },
  };
}

/** Adds the other outputs of a row: its reasoning, its metadata, and its notes. */
async function complete(
  run: AdaptingRun,
  processed: ProcessedRow,
  { material, image, prompt, grounding }: AdaptingRow,
  asking: Asking,
  meter: CallMeter,
): Promise<ProcessedRow> {
  const { specification } = run;
  const cells = { ...processed.cells };
  const notes = [...(processed.notes ?? []), ...grounding.notes];
  const text = processed.outcome === 'changed' ? prompt : material.prompt;
  if (specification.reasoning_traces && cells.enhanced_completion) {
    const request = judgedRequest(run, material, text, grounding.sources);
    const traced = await traceCompletion(
      run.answerModel,
      {
        request,
        completion: cells.enhanced_completion,
        image,
        isBlind: material.hasUnseenParts === true,
      },
      asking,
      meter,
    );
    cells.enhanced_completion = traced.completion;
    cells.reasoning_trace = traced.trace;
    Object.assign(cells, partPair(cells));
    notes.push(...traced.notes);
  }
  if (specification.prompt_metadata_injection && text !== '') {
    cells.enhanced_prompt = material.promptCell(
      withMetadata(text, {
        context: specification.mode === 'universal_prompt' ? [] : material.context,
        language: run.detectLanguage(text),
        length: specification.length,
      }),
    );
  }
  if (processed.outcome === 'changed' && material.hasUnseenParts) notes.push(PARTS_UNSEEN);
  notes.push(...lengthNotes(cells.enhanced_completion, specification.length));
  return { ...processed, cells, ...(notes.length === 0 ? {} : { notes }) };
}

interface PairedRow {
  readonly work: AdaptingRow;
  readonly standing: StandingAnswer;
  /** The row's own answer as it was compared. */
  readonly own: string;
  /** The answer that the row has without its pair, as it was compared. */
  readonly delivered: string;
}

/** The row with its pair, and with the chosen answer as its completion where that one may replace the row's own. */
function deliverPair(
  processed: ProcessedRow,
  pair: PreferencePair | null,
  { work, standing, own, delivered }: PairedRow,
): ProcessedRow {
  if (pair === null) return withPair(processed, null);
  // The row's own answer is delivered with its reasoning.
  const cellOf = (answer: string): string => (answer === own ? work.material.completion : answer);
  const told = { ...pair, chosen: cellOf(pair.chosen), rejected: cellOf(pair.rejected) };
  if (pair.chosen === delivered) return withPair(processed, told);
  // Another answer is only delivered if it may replace this one.
  const mayReplace =
    faultOf(standing, pair.chosen, { keepsFacts: own.trim() !== '' }) === null &&
    (standing.diagnosis.defect !== null || pair.isJudged);
  return mayReplace
    ? withPair(
        changedTo(work, told.chosen, {
          kind: own.trim() === '' ? 'written' : 'rewritten',
          evidence: pair.isJudged ? 'judged' : 'checked',
          words_kept: wordsKept(own, pair.chosen),
        }),
        told,
      )
    : withPair(processed, null);
}

const COMPLETION_KEPT: RowReason = {
  code: 'completion_kept',
  message: 'The prompt was inferred; the completion stays, since no better one was found',
};

const PARTS_UNSEEN: RowReason = {
  code: 'parts_unseen',
  message: 'The turns have images or other parts that are no text, which no model was shown',
};

/** An answer with fewer words explains nothing. */
const EXPLAINING_WORDS_MIN = 12;

/** Tokens of the prompts' fixed text. */
const PROMPT_TOKENS = 700;

/** More UTF-8 bytes than tokenizers put into one token of prose, on average. */
const BYTES_PER_TOKEN = 5;

/**
 * Rejects a row that cannot fit the context, without a call. The estimate is low: a row that passes may still be
 * rejected by the model, and is then reported the same way.
 * @returns tokens left after the row and its answer
 */
function requireFit(
  { history, prompt, completion, context }: RowMaterial,
  length: LengthTarget,
  { contextTokensMax, specification }: Pick<AdaptRowsOptions, 'contextTokensMax' | 'specification'>,
): number {
  const texts = [prompt, completion, specification.blueprint ?? ''];
  for (const { text } of [...history, ...context]) texts.push(text);
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const tokens = Math.ceil(bytes / BYTES_PER_TOKEN) + PROMPT_TOKENS + length.outputTokensMax;
  if (tokens > contextTokensMax) {
    throw new AskFailure(
      'row_too_long',
      `The row needs about ${tokens} tokens and the model takes ${contextTokensMax}: shorten it, or use a model with a longer context`,
    );
  }
  return contextTokensMax - tokens;
}
