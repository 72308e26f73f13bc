import { NO_PROFILE } from '#shared/answers/decide/answer-profile.ts';
import { readForm } from '#shared/answers/decide/read-form.ts';
import type { Asking, CallMeter } from '#shared/models/decide/ask-model.ts';
import type { ModelClient } from '#shared/models/decide/port.ts';
import { newTrials, type Trial, type TrialStore } from '#shared/models/decide/trials.ts';
import { measureInParts } from '#shared/models/measure-in-parts.ts';
import {
  BLIND_KINDS,
  type BlindKind,
  type BlindOpinion,
  type BlindRow,
  blindKindOf,
  compareBlind,
} from './decide/blind-answers.ts';
import {
  assembleBlindCalibration,
  type BlindCalibration,
  type BlindCalibrationStore,
  BlindTrial,
  blindCalibrationKeyOf,
  type KnownOpinion,
} from './decide/blind-calibration.ts';
import { confirmOpinion } from './decide/correct-row.ts';
import { KNOWN_QUESTIONS, type KnownQuestion } from './decide/known-questions.ts';

/** The row that a question and its right answer are. */
export function knownRow({ prompt, right }: KnownQuestion): BlindRow {
  const form = readForm({ request: prompt, answer: right, profile: NO_PROFILE });
  return { request: prompt, prompt, answer: right, form };
}

/**
 * The calibration of a model's blind answers: the stored one, completed by the kinds of questions that it lacks. Each kind is
 * stored as it is measured, and of one that breaks off the trials are, so that the next call completes it.
 * @throws {ModelOutage} if the model does not respond
 */
export async function calibrateBlind(
  model: ModelClient,
  {
    store,
    asking,
    meter,
  }: {
    readonly store: BlindCalibrationStore & TrialStore;
    readonly asking: Asking;
    readonly meter: CallMeter;
  },
): Promise<BlindCalibration> {
  const key = blindCalibrationKeyOf(model.modelId);
  let known = (await store.findBlindCalibration(key)) ?? { ...key, kinds: {} };
  for (const [kind, questions] of questionsByKind()) {
    if (known.kinds[kind] !== undefined) continue;
    const ofKind = { ...key, set_hash: `${key.set_hash}-${kind}` };
    const { kinds } = await measureInParts(store, ofKind, asking, (trial) =>
      measureBlind(model, asking, meter, questions, trial),
    );
    known = { ...known, kinds: { ...known.kinds, ...kinds } };
    await store.saveBlindCalibration(known);
  }
  return known;
}

/** The questions of each kind, those with short answers first: of a calibration that breaks off, more kinds are there. */
function questionsByKind(): Map<BlindKind, KnownQuestion[]> {
  const byKind = new Map<BlindKind, KnownQuestion[]>();
  for (const known of KNOWN_QUESTIONS) {
    const kind = blindKindOf(knownRow(known));
    if (kind !== null) byKind.set(kind, [...(byKind.get(kind) ?? []), known]);
  }
  return new Map([...byKind].sort(([a], [b]) => BLIND_KINDS.indexOf(a) - BLIND_KINDS.indexOf(b)));
}

/**
 * Measures how often a model's blind answers differ from right rows and from wrong ones, and how often its critic
 * confirms them: two or three calls a question, and up to six more where answers differ or a model compares.
 * @throws {ModelOutage} if the model does not respond
 */
export async function measureBlind(
  model: ModelClient,
  asking: Asking,
  meter: CallMeter,
  questions: readonly KnownQuestion[] = KNOWN_QUESTIONS,
  trial: Trial = newTrials(asking),
): Promise<BlindCalibration> {
  const trials = await Promise.all(
    questions.map((known, n) =>
      trial(`question ${n}`, BlindTrial, (asking) => answerBlind(model, known, asking, meter)),
    ),
  );
  return assembleBlindCalibration(
    model.modelId,
    trials.filter((trial) => trial !== null),
  );
}

/** What is said of one question. */
async function answerBlind(
  model: ModelClient,
  known: KnownQuestion,
  asking: Asking,
  meter: CallMeter,
): Promise<BlindTrial> {
  const row = knownRow(known);
  const answers = [known.right, known.wrong];
  const opinions = await compareBlind(model, row, answers, asking, meter);
  const judge = async (opinion: BlindOpinion | null, answer: string): Promise<KnownOpinion | null> => {
    if (opinion === null) return null;
    const { agreed, differs } = opinion;
    const isConfirmed =
      differs &&
      agreed !== null &&
      (await confirmOpinion(model, { ...row, answer }, agreed, asking, meter)).isConfirmed;
    return { opinion, isConfirmed };
  };
  return {
    ofRight: await judge(opinions[0] ?? null, known.right),
    ofWrong: await judge(opinions[1] ?? null, known.wrong),
  };
}
