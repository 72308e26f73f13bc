import type { Schemas } from 'tunesmith';
import { aboutMinutes, count, percentRange, plural, wholePercent, words } from '../format.ts';
import { stageWords } from '../ui/stage-words.ts';
import type { PilotArm } from './arms.ts';

export type Pilot = Schemas['Pilot'];
export type ArmResult = Schemas['PilotArmResult'];
export type WinRate = Schemas['PilotWinRate'];
type Recommendation = Schemas['PilotRecommendation'];

export const isActive = ({ status }: Pick<Pilot, 'status'>): boolean => status === 'running';

/** The state of a pilot for people. A cancelled one is no fault. */
export function statusWords({ status, error }: Pick<Pilot, 'status' | 'error'>): {
  readonly value: string;
  readonly label: string;
} {
  if (status === 'succeeded') return { value: 'succeeded', label: 'done' };
  if (status === 'running') return { value: 'running', label: 'comparing' };
  return error?.code === 'run_cancelled'
    ? { value: 'cancelled', label: 'cancelled' }
    : { value: 'failed', label: 'failed' };
}

/** The state of an arm: its tone, a word, and what it means where the word does not say it. */
export const ARM_STATES: Readonly<
  Record<
    ArmResult['status'],
    { readonly value: string; readonly label: string; readonly meaning: string | null }
  >
> = {
  running: { value: 'running', label: 'running', meaning: null },
  finished: { value: 'succeeded', label: 'finished', meaning: null },
  interrupted: {
    value: 'cancelled',
    label: 'interrupted',
    meaning: 'The pilot ended before this arm was done.',
  },
};

/** How sure a recommendation is, as a heading. */
export const CERTAINTY: Readonly<Record<Recommendation['certainty'], string>> = {
  better_than_original: 'Better than the originals',
  nothing_shown: 'No arm is shown to be better than leaving the dataset as it is',
};

/** What a person can do after a recommendation, in a sentence. */
export const NEXT_STEP: Readonly<Record<Recommendation['certainty'], string>> = {
  better_than_original:
    'Adapt the dataset with this arm. Others that beat the originals may be as good: choose among them by length, price or time.',
  nothing_shown:
    'Leave the dataset as it is, or try other arms or more rows. An arm can still be run: its button is in the table.',
};

/** `74 % (60 to 84 %)`; a dash where no row was decided. */
export function winRateWords({ win_rate: rate, interval }: Pick<WinRate, 'win_rate' | 'interval'>): string {
  if (rate === null) return '–';
  return interval === null ? wholePercent(rate) : `${wholePercent(rate)} (${percentRange(interval)})`;
}

/** What a win rate shows, as far as its interval says it. */
export function verdictWords(
  { win_rate: rate, interval, rows, same }: Pick<WinRate, 'win_rate' | 'interval' | 'rows' | 'same'>,
  other: string,
): string {
  if (rate === null || interval === null) {
    return rows > 0 && same === rows ? 'all answers are the same' : 'no row is decided';
  }
  if (interval[0] > 0.5) return `better than ${other}`;
  return interval[1] < 0.5 ? `worse than ${other}` : `not shown to differ from ${other}`;
}

/** `120 → 85`, with what the arm makes of answers that were not there. */
export function charactersWords({ before, after }: ArmResult['characters']): string {
  if (after === null) return '–';
  return before === null
    ? count(Math.round(after))
    : `${count(Math.round(before))} → ${count(Math.round(after))}`;
}

/** `about 3 min`; nothing before a row is done. */
export function minutesWords(minutes: number | null): string {
  return minutes === null ? 'time not known' : aboutMinutes(minutes);
}

const LENGTHS = {
  minimal: 'minimal answers',
  concise: 'concise answers',
  detailed: 'detailed answers',
  extensive: 'extensive answers',
} as const;

const VERIFICATIONS = {
  off: 'answers are not checked',
  flag: 'doubtful answers are flagged',
  correct: 'wrong answers are corrected',
  drop: 'rows with doubtful answers are dropped',
} as const;

/** The settings of an arm in words; the blueprint is a text of its own. */
export function settingsWords({
  recipe_specification: specification,
  brand_controls: controls = {},
  training_type: type,
}: PilotArm): string {
  const { prompt_rephrase, reasoning_traces, deduplication, lint, verification } =
    specification?.recipes ?? {};
  const words = [
    ...(controls.length === undefined ? [] : [LENGTHS[controls.length]]),
    ...(prompt_rephrase === undefined
      ? []
      : [prompt_rephrase ? 'prompts are rephrased' : 'prompts stay as they are']),
    ...(reasoning_traces === true ? ['reasoning traces'] : []),
    ...(verification === undefined ? [] : [VERIFICATIONS[verification]]),
    ...(type === 'preference_pairs' ? ['preference pairs'] : []),
    ...(controls.hallucination_mitigation === true ? ['grounded in a web search'] : []),
    ...((controls.safety_categories ?? []).length > 0 ? ['safety scores'] : []),
    ...(lint === undefined ? [] : [`drops ${plural(lint.drop.length, 'kind')} of findings`]),
    ...(deduplication === true ? ['drops repeated rows, in the whole dataset only'] : []),
    ...(controls.blueprint === undefined ? [] : ['a blueprint']),
  ];
  const text = words.join(', ');
  return text === '' ? 'as a run is by default' : text;
}

/** How far a pilot is, in a sentence. */
export function progressWords({
  progress: { rows_done: done, rows_total: total, stage },
}: Pick<Pilot, 'progress'>): string {
  const before = stageWords(stage);
  if (before !== null) return before;
  if (done === 0) return 'The sample is drawn, and the first rows are adapted.';
  return done >= total
    ? 'All rows are adapted. The answers are compared.'
    : `${count(done)} of ${plural(total, 'row')} adapted, over all arms.`;
}

/** Who compares the answers, and for what it is believed. */
export function judgeWords({ believed_for: kinds }: NonNullable<Pilot['judge']>): string {
  return kinds.length === 0
    ? 'It is believed for no kind of pair, so only the checks decide: rows in which both answers pass them stay undecided.'
    : `It is believed for pairs of the kinds ${kinds.map(words).join(', ')}. For all others, only the checks decide.`;
}

const ADVICE: Readonly<Record<string, string>> = {
  run_cancelled: 'What was done is shown below. Start another pilot when you want to compare again.',
  run_interrupted: 'Start the pilot again; nothing of the dataset has changed.',
  run_timed_out: 'Start a pilot with fewer rows or fewer arms.',
  run_budget_exceeded: 'Start a pilot with fewer rows or fewer arms, or ask your operator for a larger plan.',
  model_unavailable: 'Try again in a while; if it goes on, tell the operator of this service.',
  model_refused: 'Tell the operator of this service: the model does not take its requests.',
  too_many_rows_failed:
    'Look at the failed rows of the arms below: fewer settings at once may show which one fails.',
};

/** What to do about a pilot that failed; null where the message alone says it. */
export const adviceOnError = (code: string): string | null =>
  Object.hasOwn(ADVICE, code) ? (ADVICE[code] ?? null) : null;

/** The result of a pilot for the list: the arm that it recommends, or why there is none. */
export function resultOf(pilot: Pilot): { readonly arm: ArmResult | null; readonly words: string } {
  const { recommendation } = pilot;
  if (recommendation === null) {
    return { arm: null, words: isActive(pilot) ? progressShare(pilot) : 'no result' };
  }
  const arm = pilot.arms.find((each) => each.arm === recommendation.arm) ?? null;
  return { arm, words: arm === null ? 'no arm is shown to be better' : 'recommended' };
}

const progressShare = ({ progress: { rows_done: done, rows_total: total } }: Pilot): string =>
  total === 0 ? 'working' : `${wholePercent(done / total)} of the rows`;

/** Whether an arm has something to go on from: a run of it can be started. */
export const isRunnable = (pilot: Pick<Pilot, 'status'>, arm: ArmResult): boolean =>
  !isActive(pilot) && arm.rows.changed + arm.rows.kept > 0;

/** The adaptation by an arm. Rows of other languages are no part of a pilot, and none are added. */
export function adaptRequestOfArm(
  { pilot_id, recommendation }: Pick<Pilot, 'pilot_id' | 'recommendation'>,
  arm: number,
): Schemas['AdaptRequest'] {
  return {
    pilot_id,
    ...(recommendation?.arm === arm ? {} : { pilot_arm: arm }),
    language_expansion: null,
  };
}
