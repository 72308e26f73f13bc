import { type Demand, demandFault, demandsOf } from './check-form.ts';
import type { DebrisKind } from './debris.ts';
import { learnInnerWords } from './inner-words.ts';
import { foldLabel } from './labels.ts';
import { isBareNumber } from './numbers.ts';
import type { Outline } from './outline.ts';
import type { AnswerForm, FormKind } from './read-form.ts';
import { isClosed, surfaceOf } from './surface.ts';

/**
 * The common form of a column of answers; all null and empty if there is none. What the column does is right: a demand
 * that is read from a prompt is held against an answer only if the column meets it.
 */
export interface AnswerProfile {
  /** Frequent answers, verbatim: a closed set of labels. Empty if there is none. */
  readonly labels: readonly string[];
  /** The same where nearly all answers are one of them: the column's own spelling. */
  readonly spelled: readonly string[];
  /** Short answers that occur more than once, verbatim: each is a form of the column's own. */
  readonly repeated: ReadonlySet<string>;
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
  readonly writing: Writing;
  /** Whether most answers end with a final mark; null if there are too few to say. */
  readonly isClosed: boolean | null;
  /** Words that occur within the column's sentences again and again, and hardly ever at their end. */
  readonly innerWords: ReadonlySet<string>;
  /** The words before the result with which nearly all answers end, as `####` or `The answer is`; null if there are none. */
  readonly closing: string | null;
  /** The mark, such as `;`, with which nearly all answers end that are no sentences; null if there is none. */
  readonly lastMark: string | null;
  /** The demands that the column meets, and how often it breaks off, as far as that can be said. */
  readonly met: ReadonlySet<DemandName>;
  /** Demands that enough rows of the column have, and that hardly any answer meets. */
  readonly unmet: ReadonlySet<DemandName>;
  /** The kinds of debris that are the column's own form; null if there are too few answers to say. */
  readonly debris: ReadonlySet<DebrisKind> | null;
  /** How its answers are laid out; null if there are too few to say. */
  readonly outline: Outline | null;
  /** Whether nearly all equations of the column look false: it calculates by rules of its own, such as odds or scores. */
  readonly hasOwnArithmetic: boolean;
}

/**
 * How a column is written. `careless`: many of its answers have chat words or misspellings. `plain`: its answers are
 * phrases that begin in lower case and end without a mark, which is its form. `lower`: its answers are sentences without capitals. Null
 * if it is none of them, or too small to say.
 */
export type Writing = 'careless' | 'plain' | 'lower' | null;

/**
 * A demand by its name; that of a kind has the name of the kind, of labels with the set that is named: rows of one
 * template do not confirm what was read from another. `spelling`: labels are written as requests name them.
 */
export type DemandName = FormKind | Exclude<Demand, 'kind'> | 'spelling' | `label ${string}`;

export function nameOfDemand(demand: Demand, { kind, options, labels }: AnswerForm): DemandName {
  if (demand !== 'kind') return demand;
  if (kind !== 'label') return kind;
  const isByLetter = options.size > 0 && labels.every((label) => label.length === 1);
  return isByLetter ? 'label' : `label ${labels.map(foldLabel).sort().join(' | ')}`;
}

export const NO_PROFILE: AnswerProfile = {
  labels: [],
  spelled: [],
  repeated: new Set(),
  jsonKeys: null,
  isNumeric: false,
  isTerse: false,
  isBilingual: false,
  language: null,
  writing: null,
  isClosed: null,
  innerWords: new Set(),
  closing: null,
  lastMark: null,
  met: new Set(),
  unmet: new Set(),
  debris: null,
  outline: null,
  hasOwnArithmetic: false,
};

/** Number of rows to learn from; more do not change the profile. */
export const PROFILE_ROWS_MAX = 500;

/** With fewer answers the profile is not significant. */
export const ANSWERS_MIN = 6;
const LABELS_MAX = 40;
const LABEL_CHARACTERS_MAX = 40;
const LABEL_WORDS_MAX = 3;
/** Minimum share of answers that the labels cover; the rest may be careless spellings. */
const LABELS_SHARE_MIN = 0.6;
const SHARED_MIN = 0.7;
/** A column meets a demand if this share of the answers of which it is demanded do, of so many at least. */
const MET_SHARE_MIN = 0.7;
/** A column in which hardly any answer meets a demand is not meant to. */
const UNMET_SHARE_MAX = 0.2;
/**
 * The same of a number of words, sentences or parts, and of code, whose language is read from the prompt: prompts are
 * often misread, and answers often miss them. One row may deviate from any column.
 */
const STRICT_SHARE_MIN = 0.9;
const STRICT: ReadonlySet<DemandName> = new Set([
  'words',
  'sentences',
  'parts',
  'result',
  'ending',
  'beginning',
  'code',
  'spelling',
]);
/** A column in which so many answers have slips is carelessly written; so many have to have one. */
const CARELESS_SHARE_MIN = 0.1;
const CARELESS_MIN = 2;
/** Whole sentences without a last mark break off only where so many other answers have one. */
const CLOSED_SHARE_MIN = 0.5;
/** A column of which so many answers end like sentences and have no capital has none by its form. */
const LOWER_SHARE_MIN = 0.8;
/** Characters of an answer that show how it is written. */
const WRITING_CHARACTERS_MAX = 500;

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
    ...learnLabels(texts),
    jsonKeys: learnKeys(texts),
    isNumeric: shareOf(texts, isBareNumber) >= SHARED_MIN,
    isTerse: shareOf(texts, isTerse) >= SHARED_MIN,
    isBilingual: false,
    language: null,
    writing: learnWriting(texts),
    isClosed: shareOf(texts, isClosed) >= CLOSED_SHARE_MIN,
    innerWords: learnInnerWords(texts),
    closing: learnClosing(texts),
    lastMark: learnLastMark(texts),
    met: new Set(),
    unmet: new Set(),
    debris: null,
    outline: null,
    hasOwnArithmetic: false,
  };
}

/** Rows that show how a column ends its answers, and the share that has to end so: one in five may break off. */
const CLOSING_ROWS_MIN = 20;
const CLOSING_SHARE_MIN = 0.8;
const CLOSING_WORDS_MAX = 4;
const CLOSING_CHARACTERS_MIN = 3;
/** A last line or sentence with a result is no longer. */
const CLOSING_CHARACTERS_MAX = 200;

/** A result is short, and differs from row to row. What is always the same, or a sentence of its own, is a phrase that one may leave out. */
const RESULT_WORDS_MAX = 4;
const RESULTS_MIN = 3;

/** Marks with which notation ends, and the share of a column that ends with one. */
const LAST_MARKS = [';', '}', ']', ')', '`'];
const LAST_MARK_SHARE_MIN = 0.9;

function learnLastMark(texts: readonly string[]): string | null {
  if (texts.length < CLOSING_ROWS_MIN) return null;
  return (
    LAST_MARKS.find((mark) => shareOf(texts, (text) => text.endsWith(mark)) >= LAST_MARK_SHARE_MIN) ?? null
  );
}

/** The longest beginning, in whole words, that nearly all last lines or sentences have before a short result. */
function learnClosing(texts: readonly string[]): string | null {
  const results = new Map<string, string[][]>();
  for (const text of texts) {
    const words = lastPartOf(text)?.split(/\s+/) ?? [];
    for (let end = Math.min(CLOSING_WORDS_MAX, words.length - 1); end > 0; end -= 1) {
      const beginning = words.slice(0, end).join(' ');
      const known = results.get(beginning) ?? [];
      if (known.push(words.slice(end)) === 1) results.set(beginning, known);
    }
  }
  const isClosing = ([beginning, endings]: [string, string[][]]): boolean =>
    endings.length >= Math.max(CLOSING_ROWS_MIN, CLOSING_SHARE_MIN * texts.length) &&
    beginning.length >= CLOSING_CHARACTERS_MIN &&
    shareOf(endings, ({ length }) => length <= RESULT_WORDS_MAX) >= CLOSING_SHARE_MIN &&
    new Set(endings.map((words) => words.join(' '))).size >= RESULTS_MIN;
  const found = [...results].filter(isClosing).map(([beginning]) => beginning);
  return found.reduce<string | null>(
    (longest, beginning) => (beginning.length > (longest?.length ?? 0) ? beginning : longest),
    null,
  );
}

/** The last line of a text, or of a single line the last sentence; null if it is all of the text, or long. */
function lastPartOf(text: string): string | null {
  const tail = text.slice(-CLOSING_CHARACTERS_MAX);
  const line = tail.lastIndexOf('\n');
  if (line !== -1) return tail.slice(line + 1).trim();
  const sentence = [...tail.slice(0, -2).matchAll(/[.!?]\s/g)].at(-1);
  return sentence === undefined ? null : tail.slice(sentence.index + 2).trim();
}

function learnWriting(texts: readonly string[]): Writing {
  const surfaces = texts.map((text) => surfaceOf(text.slice(0, WRITING_CHARACTERS_MAX)));
  // One or two letters may be a word of another language.
  const careless = surfaces.filter(({ slips }) => slips.some((slip) => slip.length > 2)).length;
  if (careless >= CARELESS_MIN && careless / texts.length >= CARELESS_SHARE_MIN) return 'careless';
  const written = texts.filter((text) => /\p{Ll}/u.test(text.slice(0, WRITING_CHARACTERS_MAX)));
  const isLower = (text: string): boolean =>
    isClosed(text) && !/\p{Lu}/u.test(text.slice(0, WRITING_CHARACTERS_MAX));
  if (shareOf(written, isLower) >= LOWER_SHARE_MIN) return 'lower';
  return shareOf(surfaces, ({ startsSmall, isUnclosed }) => startsSmall && isUnclosed) > 0.5 ? 'plain' : null;
}

/** Which demands the answers of a column meet, and which they do not; each has the form that its request demands. */
export function learnDemands(
  rows: Iterable<{ readonly form: AnswerForm; readonly answer: string }>,
): Pick<AnswerProfile, 'met' | 'unmet'> {
  const counts = new Map<DemandName, { demanded: number; met: number }>();
  const add = (name: DemandName, isMet: boolean): void => {
    const count = counts.get(name) ?? { demanded: 0, met: 0 };
    count.demanded += 1;
    if (isMet) count.met += 1;
    counts.set(name, count);
  };
  for (const { form, answer } of rows) {
    const text = answer.trim();
    if (text === '') continue;
    for (const demand of demandsOf(form)) {
      add(nameOfDemand(demand, form), demandFault(form, demand, text) === null);
    }
    if (form.kind === 'label') add('spelling', form.labels.includes(text));
  }
  const demanded = [...counts].filter(([, count]) => count.demanded >= ANSWERS_MIN);
  const isMet = ([name, count]: (typeof demanded)[number]): boolean =>
    STRICT.has(name) ? meetsStrictly(count.met, count.demanded) : count.met >= MET_SHARE_MIN * count.demanded;
  const namesOf = (some: typeof demanded) => new Set(some.map(([name]) => name));
  return {
    met: namesOf(demanded.filter(isMet)),
    unmet: namesOf(demanded.filter(([, count]) => count.met <= UNMET_SHARE_MAX * count.demanded)),
  };
}

/** Whether so many of all are nine of ten, or all but one. */
const meetsStrictly = (count: number, all: number): boolean =>
  count >= Math.min(STRICT_SHARE_MIN * all, all - 1);

function learnLabels(texts: readonly string[]): Pick<AnswerProfile, 'labels' | 'spelled' | 'repeated'> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    if (text.length <= LABEL_CHARACTERS_MAX) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  // Labels may differ in case only: what occurs twice is no slip.
  const labels = [...counts].filter(([text, count]) => count >= 2 && isLabelLike(text));
  const covered = labels.reduce((sum, [, count]) => sum + count, 0);
  const isClosed =
    labels.length >= 2 &&
    labels.length <= Math.min(LABELS_MAX, texts.length / 2) &&
    covered / texts.length >= LABELS_SHARE_MIN;
  const found = isClosed ? labels.map(([text]) => text) : [];
  return {
    labels: found,
    spelled: meetsStrictly(covered, texts.length) ? found : [],
    repeated: new Set([...counts].flatMap(([text, count]) => (count >= 2 ? [text] : []))),
  };
}

/** Whether a text may be a label: a few words, not a sentence. */
export function isLabelLike(text: string): boolean {
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

function shareOf<T>(texts: readonly T[], holds: (text: T) => boolean): number {
  return texts.filter(holds).length / texts.length;
}
