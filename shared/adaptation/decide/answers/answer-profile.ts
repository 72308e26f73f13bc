import { isBareNumber } from './numbers.ts';

/** The common form of a dataset's answers; all null and empty if there is none. */
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
}

export const NO_PROFILE: AnswerProfile = {
  labels: [],
  jsonKeys: null,
  isNumeric: false,
  isTerse: false,
  isBilingual: false,
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
/** A rarer spelling of a label in another case is a typo, not a label. */
const VARIANT_SHARE_MIN = 0.25;

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
  };
}

function learnLabels(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const byFolded = new Map<string, number>();
  for (const [text, count] of counts) {
    const folded = text.toLowerCase();
    byFolded.set(folded, Math.max(byFolded.get(folded) ?? 0, count));
  }
  const labels = [...counts].filter(
    ([text, count]) =>
      count >= 2 && isLabelLike(text) && count >= VARIANT_SHARE_MIN * (byFolded.get(text.toLowerCase()) ?? 0),
  );
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
    !/[.!?。！？\n]/.test(text) &&
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
