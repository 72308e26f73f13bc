import { type Demand, demandFault, demandsOf } from './check-form.ts';
import { isBareNumber } from './numbers.ts';
import type { AnswerForm, FormKind } from './read-form.ts';
import { slipsOf } from './surface.ts';

/**
 * The common form of a column of answers; all null and empty if there is none. What the column does is right: a demand
 * that is read from a prompt is held against an answer only if the column meets it.
 */
export interface AnswerProfile {
  /** Frequent answers, verbatim: a closed set of labels. Empty if there is none. */
  readonly labels: readonly string[];
  /** Keys that nearly all answers have, if nearly all are JSON objects; else null. */
  readonly jsonKeys: readonly string[] | null;
  /** Whether nearly all answers are one number, with or without a unit. */
  readonly isNumeric: boolean;
  /** Whether nearly all answers are at most three words without final punctuation. */
  readonly isTerse: boolean;
  /**
   * Whether most answers are in another language than their requests; then no answer counts as in the wrong language.
   */
  readonly isBilingual: boolean;
  /** The commonest language of the requests; null if none is. */
  readonly language: string | null;
  /** Whether the column is carelessly written: many of its answers have chat words or misspellings. */
  readonly isCasual: boolean;
  /** The demands that the column meets, and how often it breaks off, as far as that can be said. */
  readonly met: ReadonlySet<DemandName>;
}

/** A demand by its name; that of a kind has the name of the kind. */
export type DemandName = FormKind | Exclude<Demand, 'kind'>;

export const nameOfDemand = (demand: Demand, { kind }: AnswerForm): DemandName =>
  demand === 'kind' ? kind : demand;

export const NO_PROFILE: AnswerProfile = {
  labels: [],
  jsonKeys: null,
  isNumeric: false,
  isTerse: false,
  isBilingual: false,
  language: null,
  isCasual: false,
  met: new Set(),
};

/** Number of rows to learn from; more do not change the profile. */
export const PROFILE_ROWS_MAX = 500;

/** With fewer answers the profile is not significant. */
const ANSWERS_MIN = 6;
const LABELS_MAX = 40;
const LABEL_CHARACTERS_MAX = 40;
const LABEL_WORDS_MAX = 3;
/** Minimum share of answers that the labels cover; the rest may be careless spellings. */
const LABELS_SHARE_MIN = 0.6;
const SHARED_MIN = 0.7;
/** A column meets a demand if this share of the answers of which it is demanded do, of so many at least. */
const MET_SHARE_MIN = 0.8;
/** A column in which so many answers have slips is carelessly written; so many have to have one. */
const CASUAL_SHARE_MIN = 0.1;
const CASUAL_MIN = 2;

/** Learns the common form of a dataset's answers. Empty answers are ignored. */
export function profileAnswers(answers: Iterable<string>): AnswerProfile {
  const texts: string[] = [];
  for (const answer of answers) {
    const text = answer.trim();
    if (text !== '') texts.push(text);
    if (texts.length >= PROFILE_ROWS_MAX) break;
  }
  if (texts.length < ANSWERS_MIN) return NO_PROFILE;
  return {
    labels: learnLabels(texts),
    jsonKeys: learnKeys(texts),
    isNumeric: shareOf(texts, isBareNumber) >= SHARED_MIN,
    isTerse: shareOf(texts, isTerse) >= SHARED_MIN,
    isBilingual: false,
    language: null,
    isCasual: isCasual(texts),
    met: new Set(),
  };
}

function isCasual(texts: readonly string[]): boolean {
  const careless = texts.filter((text) => slipsOf(text.slice(0, CASUAL_CHARACTERS_MAX)).length > 0).length;
  return careless >= CASUAL_MIN && careless / texts.length >= CASUAL_SHARE_MIN;
}
const CASUAL_CHARACTERS_MAX = 500;

/** The demands that the answers of a column meet; each has the form that its request demands. */
export function demandsMet(
  rows: Iterable<{ readonly form: AnswerForm; readonly answer: string }>,
): ReadonlySet<DemandName> {
  const counts = new Map<DemandName, { demanded: number; met: number }>();
  for (const { form, answer } of rows) {
    const text = answer.trim();
    if (text === '') continue;
    for (const demand of demandsOf(form)) {
      const name = nameOfDemand(demand, form);
      const count = counts.get(name) ?? { demanded: 0, met: 0 };
      count.demanded += 1;
      if (demandFault(form, demand, text) === null) count.met += 1;
      counts.set(name, count);
    }
  }
  const met = [...counts].filter(
    ([, count]) => count.demanded >= ANSWERS_MIN && count.met / count.demanded >= MET_SHARE_MIN,
  );
  return new Set(met.map(([name]) => name));
}

function learnLabels(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  // Labels may differ in case only: what occurs twice is no slip.
  const labels = [...counts].filter(([text, count]) => count >= 2 && isLabelLike(text));
  const covered = labels.reduce((sum, [, count]) => sum + count, 0);
  const isClosed =
    labels.length >= 2 &&
    labels.length <= Math.min(LABELS_MAX, texts.length / 2) &&
    covered / texts.length >= LABELS_SHARE_MIN;
  return isClosed ? labels.map(([text]) => text) : [];
}

/** Whether a text may be a label: a few words, not a sentence. */
function isLabelLike(text: string): boolean {
  return (
    text.length <= LABEL_CHARACTERS_MAX &&
    text.split(/\s+/).length <= LABEL_WORDS_MAX &&
    !/[!?。！？\n]|\.\s|\.{2}/.test(text) &&
    !isBareNumber(text)
  );
}

function learnKeys(texts: readonly string[]): string[] | null {
  const counts = new Map<string, number>();
  for (const text of texts) {
    const keys = keysOf(text);
    if (keys !== null) counts.set(keys, (counts.get(keys) ?? 0) + 1);
  }
  const [commonest] = [...counts].sort(([, a], [, b]) => b - a);
  return commonest !== undefined && commonest[1] / texts.length >= LABELS_SHARE_MIN
    ? (JSON.parse(commonest[0]) as string[])
    : null;
}

/** The sorted keys of a JSON object, as JSON; null if the text is not one. Long answers are not parsed. */
function keysOf(text: string): string | null {
  if (!text.startsWith('{') || text.length > 20_000) return null;
  try {
    return JSON.stringify(Object.keys(JSON.parse(text) as object).sort());
  } catch {
    return null;
  }
}

function isTerse(text: string): boolean {
  return text.length <= 60 && text.split(/\s+/).length <= 3 && !/[.!?。！？]$/.test(text);
}

function shareOf(texts: readonly string[], holds: (text: string) => boolean): number {
  return texts.filter(holds).length / texts.length;
}
