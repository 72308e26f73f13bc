import type { AnswerVerifier } from '#shared/adaptation/decide/verify-answer.ts';
import { numbersOf } from '#shared/answers/decide/numbers.ts';
import { readCells } from '#shared/answers/decide/read-cells.ts';
import { learnProfile } from '#shared/answers/decide/row-material.ts';
import { loadLanguageDetector } from '#shared/languages/decide/detect-language.ts';
import { createAdaptiveLimit } from '#shared/models/decide/adaptive-limit.ts';
import { type Asking, newCallMeter } from '#shared/models/decide/ask-model.ts';
import type { GenerateRequest, ModelClient } from '#shared/models/decide/port.ts';
import { groupBy } from '#shared/platform/group-by.ts';
import { measureBlind } from '#shared/witnesses/calibrate-blind.ts';
import type { BlindCalibration } from '#shared/witnesses/decide/blind-calibration.ts';
import { isDoubtful } from '#shared/witnesses/decide/doubtful.ts';
import { KNOWN_QUESTIONS } from '#shared/witnesses/decide/known-questions.ts';
import { orNothing } from '#shared/witnesses/decide/or-nothing.ts';
import { checkAnswer } from './check-answer.ts';
import { datasetsOf } from './load-rows.ts';
import { table, withShare } from './markdown.ts';
import { programOf } from './program.ts';
import { REGISTER_SPECIFICATION, type RegisterRow } from './register.ts';
import type { LabRow } from './row.ts';
import { readRequest, similarity } from './scripted-answers.ts';
import { hashOf, wrongAnswerTo } from './wrong-answers.ts';

/** A row of which a right answer is known, and wrong ones. */
export interface LadderRow {
  readonly set: string;
  readonly prompt: string;
  readonly completion: string;
  readonly right: boolean;
  readonly reference: string;
  /** Answers that are wrong; a model that errs gives one of them. */
  readonly wrongs: readonly string[];
  /** Whether an answer is right. */
  readonly isRight: (answer: string) => Promise<boolean>;
}

/** Rows of the laboratory that are right or false; conversations are left out. */
export async function ladderRowsOf(rows: readonly LabRow[]): Promise<LadderRow[]> {
  const found: LadderRow[] = [];
  for (const [set, members] of datasetsOf(rows)) {
    for (const row of members) {
      const { kind, quality, prompt, context, completion, reference, check } = row;
      if (kind === 'dialogue' || (quality !== 'good' && quality !== 'wrong')) continue;
      const wrong = await wrongAnswerTo(row, members);
      found.push({
        ...{ set, completion, reference, right: quality === 'good' },
        prompt: context === undefined ? prompt : `${prompt}\ncontext: ${context}`,
        wrongs: [...(wrong === null ? [] : [wrong]), ...(quality === 'wrong' ? [completion] : [])],
        isRight: async (answer) => (await checkAnswer(check, answer)).ok,
      });
    }
  }
  return found;
}

/** Every so many right rows of a set without wrong ones gets the answer of another row. */
const EXCHANGED_EVERY = 10;

/** Rows of public sets whose right answer is known. Of a set without wrong rows, one in ten gets another row's answer. */
export function ladderRowsOfRegister(datasets: ReadonlyMap<string, readonly RegisterRow[]>): LadderRow[] {
  return [...datasets].flatMap(([set, rows]) => {
    const known = rows.filter(({ right, reference }) => right || reference !== undefined);
    const truthOf = ({ reference, completion }: RegisterRow) => reference ?? completion;
    const hasWrong = known.some(({ right }) => !right);
    return known.map((row, n): LadderRow => {
      const reference = truthOf(row);
      const others = [7, 11, 13].map((step) => truthOf(known[(n * step + 3) % known.length] as RegisterRow));
      const wrongs = others.filter((other) => lastOf(other) !== lastOf(reference));
      const exchanged = !hasWrong && n % EXCHANGED_EVERY === 0 ? wrongs[0] : undefined;
      return {
        ...{ set, prompt: row.prompt, reference, wrongs },
        completion: exchanged ?? row.completion,
        right: row.right && exchanged === undefined,
        isRight: async (answer) => lastOf(answer) === lastOf(reference),
      };
    });
  });
}

const bySet = (rows: readonly LadderRow[]): Map<string, LadderRow[]> => groupBy(rows, ({ set }) => set);

/** At most so many rows of each set, in an order that their texts decide. */
export function sampleRows(rows: readonly LadderRow[], perSet: number): LadderRow[] {
  return [...bySet(rows).values()].flatMap((members) =>
    members.toSorted((a, b) => hashOf(`sample ${a.prompt}`) - hashOf(`sample ${b.prompt}`)).slice(0, perSet),
  );
}

/**
 * Whether a model errs anew in each call, in the same way about the same rows and questions, or in the same way about rows
 * alone: then the known questions are easier than the rows, which no measurement on them shows.
 */
export type Errors = 'independent' | 'systematic' | 'systematic, on rows alone';

export const RUNGS = [0.6, 0.8, 0.95, 0.99, 1] as const;

type Known = Pick<LadderRow, 'prompt' | 'reference' | 'wrongs' | 'isRight'>;

const knownQuestions: readonly Known[] = KNOWN_QUESTIONS.map(({ prompt, right, wrong }) => ({
  prompt,
  reference: right,
  wrongs: [wrong],
  isRight: async (answer) =>
    lastOf(answer) === lastOf(right) || similarity(answer, right) > similarity(answer, wrong),
}));

const isQuestion: ReadonlySet<Known> = new Set(knownQuestions);

const lastOf = (text: string): string | number => numbersOf(text).at(-1)?.value ?? text.trim().toLowerCase();

/**
 * A model that knows the rows and is right in a share of its calls. About a row that it has wrong it answers, compares
 * and criticises wrongly: it takes a wrong answer for the truth.
 */
export function ladderModel(rows: readonly Known[], rung: number, errors: Errors): ModelClient {
  const known = [...rows, ...knownQuestions].toSorted((a, b) => b.prompt.length - a.prompt.length);
  const byPrompt = new Map(known.map((row) => [row.prompt, row]));
  return {
    modelId: `ladder-${rung}-${errors}`,
    async generate(request) {
      const text = await answerTo(byPrompt, known, rung, errors, request);
      return { text, finishReason: 'stop', usage: { input_tokens: 0, output_tokens: 0 } };
    },
  };
}

async function answerTo(
  byPrompt: ReadonlyMap<string, Known>,
  known: readonly Known[],
  rung: number,
  errors: Errors,
  request: GenerateRequest,
): Promise<string> {
  const { blocks, schema, system } = readRequest({
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    response_format: { json_schema: { schema: request.jsonSchema?.schema as never } },
  });
  const asked = blocks.get('request') ?? '';
  const row = byPrompt.get(asked) ?? known.find(({ prompt }) => asked.includes(prompt));
  if (row === undefined) return 'I do not know.';
  const seed =
    errors !== 'independent'
      ? row.prompt
      : `${row.prompt} ${system} ${request.seed} ${[...blocks.values()].join(' ')}`;
  const isEasy = errors === 'systematic, on rows alone' && isQuestion.has(row);
  const isWrong = !isEasy && (hashOf(seed) % 10_000) / 10_000 >= rung && row.wrongs.length > 0;
  const truth = isWrong ? (row.wrongs[hashOf(`which ${seed}`) % row.wrongs.length] as string) : row.reference;
  const isTrue = async (answer: string) => (isWrong ? answer.trim() === truth.trim() : row.isRight(answer));
  const properties = schema?.properties ?? {};
  if ('same' in properties) {
    const [first, second] = [
      await isTrue(blocks.get('first') ?? ''),
      await isTrue(blocks.get('second') ?? ''),
    ];
    return JSON.stringify({ same: first === second });
  }
  if ('verdict' in properties) {
    const answer = blocks.get('answer') ?? '';
    const verdict = (await isTrue(answer)) ? 'right' : 'wrong';
    return JSON.stringify({ verdict, quote: answer.slice(0, 200), reason: 'It does not follow.' });
  }
  const labels = properties.answer?.enum;
  if (labels !== undefined) {
    const label =
      labels.find((option) => option === truth) ?? labels.find((option) => truth.includes(String(option)));
    return JSON.stringify({ answer: label ?? labels[0] });
  }
  return truth;
}

/** What verification made of rows. */
export interface VerifiedCount {
  readonly right: number;
  /** Right rows that were replaced by another answer that is wrong. */
  readonly spoiled: number;
  readonly rightFlagged: number;
  readonly wrong: number;
  readonly corrected: number;
  readonly wrongFlagged: number;
  /** Calls of the model by row, without its measurement. */
  readonly calls: number;
}

export interface LadderCount extends VerifiedCount {
  readonly rung: number;
  readonly errors: Errors;
}

type Verification = 'flag' | 'correct';

const clock = { now: () => 0, sleep: async () => undefined };

/** Has each rung of the ladder adapt the rows of all datasets, by the service's own program. */
export async function measureLadder(
  rows: readonly LadderRow[],
  verification: Verification = 'correct',
  rungs: readonly number[] = RUNGS,
): Promise<LadderCount[]> {
  const counts: LadderCount[] = [];
  for (const errors of ['independent', 'systematic', 'systematic, on rows alone'] as const) {
    // What is always right errs about nothing.
    for (const rung of rungs.filter((each) => each < 1 || errors !== 'systematic, on rows alone'))
      counts.push(await measureRung(rows, rung, errors, verification));
  }
  return counts;
}

async function measureRung(
  rows: readonly LadderRow[],
  rung: number,
  errors: Errors,
  verification: Verification,
): Promise<LadderCount> {
  const model = ladderModel(rows, rung, errors);
  const asking: Asking = {
    limit: createAdaptiveLimit({ concurrencyMax: 8, clock, random: () => 0 }),
    ...{ clock, random: () => 0, attemptsMax: 1, serverErrorsMax: 1, outageSecondsMax: 1 },
  };
  const calibration = await measureBlind(model, asking, newCallMeter());
  return { rung, errors, ...(await verifyRows(rows, { model, calibration }, asking, verification)) };
}

/**
 * Has a model verify the rows of all datasets, by the service's own program.
 * @throws {ModelOutage}
 */
export async function verifyRows(
  rows: readonly LadderRow[],
  { model, calibration }: AnswerVerifier,
  asking: Asking,
  verification: Verification,
): Promise<VerifiedCount> {
  const detectLanguage = await loadLanguageDetector();
  const specification = { ...REGISTER_SPECIFICATION, verification };
  const models = {
    ...{ rewrite: model, answer: model, judge: null, calibration: null, embedder: null },
    ...{ contextTokensMax: Number.POSITIVE_INFINITY, verifier: { model, calibration } },
  };
  const meter = newCallMeter();
  const count = { right: 0, spoiled: 0, rightFlagged: 0, wrong: 0, corrected: 0, wrongFlagged: 0 };
  for (const members of bySet(rows).values()) {
    const lines = members.map(({ prompt, completion }) => JSON.stringify({ prompt, completion }));
    const profile = learnProfile(lines, specification, detectLanguage);
    const program = programOf({ specification, profile, detectLanguage }, models);
    const verify = async (row: LadderRow, line: string): Promise<void> => {
      count[row.right ? 'right' : 'wrong'] += 1;
      const processed = await orNothing(program.run(readCells(line, program.columns), asking, meter));
      if (processed === null) return;
      const isFlagged = isDoubtful(processed.doubt);
      if (isFlagged) count[row.right ? 'rightFlagged' : 'wrongFlagged'] += 1;
      const answer = processed.outcome === 'changed' ? (processed.cells.enhanced_completion ?? null) : null;
      if (answer === null || answer === row.completion) return;
      const isRight = await row.isRight(answer);
      if (row.right && !isRight) count.spoiled += 1;
      if (!row.right && isRight) count.corrected += 1;
    };
    await Promise.all(members.map((row, n) => verify(row, lines[n] as string)));
  }
  return { ...count, calls: meter.calls / rows.length };
}

/** What each rung did, as a table. */
export function describeLadder(counts: readonly LadderCount[]): string {
  return table(
    ['errors', 'right in', ...COUNTED],
    counts.map((count) => [count.errors, `${Math.round(100 * count.rung)} %`, ...cellsOfCount(count)]),
  );
}

/** What a model that knows no row did, as a table. */
export function describeVerified(
  counts: readonly (VerifiedCount & { readonly verification: Verification })[],
): string {
  return table(
    ['verification', ...COUNTED],
    counts.map((count) => [count.verification, ...cellsOfCount(count)]),
  );
}

/** How far a model is believed as a witness, by kind of answer, as a table. */
export function describeBlindCalibration({ kinds }: BlindCalibration): string {
  return table(
    [
      'kind',
      'right answers',
      'contradicted',
      'and confirmed',
      'false answers',
      'contradicted',
      'and confirmed',
    ],
    Object.entries(kinds).map(([kind, of]): (string | number)[] => [
      ...[kind, of.right, withShare(of.right_differed, of.right), withShare(of.right_confirmed, of.right)],
      ...[of.wrong, withShare(of.wrong_differed, of.wrong), withShare(of.wrong_confirmed, of.wrong)],
    ]),
  );
}

const COUNTED = ['right rows', 'spoiled', 'flagged', 'false rows', 'corrected', 'flagged', 'calls a row'];

function cellsOfCount(count: VerifiedCount): (string | number)[] {
  const { right, spoiled, rightFlagged, wrong, corrected, wrongFlagged, calls } = count;
  return [
    ...[right, withShare(spoiled, right), withShare(rightFlagged, right)],
    ...[wrong, withShare(corrected, wrong), withShare(wrongFlagged, wrong)],
    calls.toFixed(2),
  ];
}
