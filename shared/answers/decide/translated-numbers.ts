import { nameOfNumber, valueOfWord, valuesInAnyLanguage } from './number-words.ts';
import { numbersOf, numberValues } from './numbers.ts';

/** 12-hour times and converted units are other numbers of the same meaning. */
const CONVERTED = /\d\s?[ap]\.?m\b|\b(?:o'clock|miles?|feet|inch|pounds?|fahrenheit)|°\s?F\b/i;
/** Decades, and scales that other languages group in another way: "150,000" is 1.5 lakh, "20,000" is 2万. */
const SCALED =
  /\b\d{2,4}(?:['’]?s|er)\b|\bann[ée]es\b|\baños\b|\banni\b|[万萬億亿만억]|लाख|करोड़|\b(?:lakh|crore|million|milliard|millone|milh(?:ão|õe)|miljo|billion|bilion|milion|thousand|tausend|duizend|hundred|hundert|mille\b|mila\b|mil\b|mio\.|mrd|tsd)\w*/iu;
/** Names of times, numbers and periods that are not translated word by word. */
const IDIOMS =
  /\bhal[bf]\b|\bpast\b|\bquarter\b|viertel|\bmedi[ao]\b|\bdemie?\b|\bmezz[ao]\b|\bmeia\b|\bcuarto\b|\bquart\b|fortnight|\bboth\b|\bbeide|\bambos\b|\bambas\b|\bpairs?\b|\bpaar\b|\bcouple\b|\bdouble|\bdopp|\bdobl|\bdozen|\bdutzend|\bdocena|\bdouzaine|\bscore\b|\bonce\b/i;
/** "Eight days" is a week in French, "14 Tage" two weeks in German. */
const PERIODS: ReadonlySet<number> = new Set([7, 8, 14, 15]);
const PERIOD = /\bweeks?\b|woche|semana|semaine|settiman|\bdays\b|\btage|\bd[ií]as\b|\bjours\b|giorni/i;

/** Function words by language, which tell what language a source is in. */
const FUNCTION_WORDS: Readonly<Record<string, RegExp>> = {
  English: /\b(?:the|and|is|are|of|to|we|has|with|for|it|at|every|on)\b/gi,
  German: /\b(?:der|die|das|und|ist|nicht|ein|eine|mit|für|wir|den|im)\b/gi,
  Spanish: /\b(?:el|los|las|una|y|es|que|con|por|del|para|son)\b/gi,
  French: /\b(?:le|les|et|est|des|une|du|nous|dans|pour|avec|sont)\b/gi,
  Italian: /\b(?:il|gli|di|che|è|per|della|sono|con|una|alle|ogni)\b/gi,
  Portuguese: /\b(?:os|uma|não|que|com|do|da|em|são|às|para|e)\b/gi,
  Dutch: /\b(?:het|een|en|van|is|de|wij|niet|met|zijn|om)\b/gi,
};

/**
 * Which number a translation has in place of one of its source, in words that continue "The answer …"; null if there is
 * none. A number that it does not have at all may be told in words.
 */
export function translatedNumberFault(asked: string, given: string, language: string | null): string | null {
  const pair = replacedNumber(sourceIn(asked), given, language);
  return pair === null ? null : describeReplaced(pair);
}

/** Words that continue "The answer …". */
export const describeReplaced = ({ lost, added }: Replacement): string =>
  `has ${added.text} where the text has ${lost.text}`;

/** Whether a text has times, units, scales or decades that other languages write with other numbers. */
export const hasOtherNumbers = (text: string): boolean => CONVERTED.test(text) || SCALED.test(text);

/** The number of a source for which another stands in its translation into a language, by its English name; null if there is none. */
export function replacedNumber(source: string, given: string, language: string | null): Replacement | null {
  if (CONVERTED.test(source) || SCALED.test(`${source}\n${given}`)) return null;
  const isShown = numbersShownIn(given, language);
  const lost = numbersIn(source, languageOf(source, language)).filter(({ value }) => !isShown(value));
  const known = new Set([...numberValues(source), ...valuesInAnyLanguage(source), ...piecesOf(source)]);
  const added = numbersIn(given, language).filter(({ value }) => !known.has(value));
  const replaced = pairUp(lost, added);
  const [pair] = replaced ?? [];
  return pair !== undefined && isLikely(replaced ?? [], source, given) ? pair : null;
}

/** Characters of a request in which its text is looked for. */
const ASKED_MAX = 4_000;

/** The text to translate: a quotation, or what follows a colon. */
export function sourceIn(request: string): string {
  const asked = request.slice(0, ASKED_MAX);
  return (
    // At most 4,000 characters.
    /["“«„]([^"”»“]{4,2000})["”»“]/.exec(asked)?.[1] ?? /[:：]\s*([\s\S]{4,})$/.exec(asked)?.[1] ?? ''
  );
}

interface TextNumber {
  readonly value: number;
  readonly text: string;
  readonly at: number;
  readonly isDigits: boolean;
}

/** The numbers of a text: runs of digits, and words in one language. */
function numbersIn(text: string, language: string | null): TextNumber[] {
  return [...text.matchAll(/\d{1,15}|\p{L}+/gu)].flatMap(({ 0: shown, index: at }) => {
    const isDigits = /^\d/.test(shown);
    const value = isDigits ? Number(shown) : language === null ? null : valueOfWord(shown, language);
    return value === null ? [] : [{ value, text: shown, at, isDigits }];
  });
}

const piecesOf = (text: string): number[] => (text.match(/\d{1,15}/g) ?? []).map(Number);

/** Tells which numbers a translation shows: in digits, in a word of any language, or inside a compound word. */
function numbersShownIn(text: string, language: string | null): (value: number) => boolean {
  const shown = new Set([
    ...piecesOf(text),
    ...numbersOf(text).map(({ value }) => value),
    ...numberValues(text),
    ...valuesInAnyLanguage(text),
  ]);
  const lower = text.toLowerCase();
  const known = new Map<number, boolean>();
  return (value) => {
    if (shown.has(value)) return true;
    const name = language === null ? null : nameOfNumber(value, language);
    const isNamed = known.get(value) ?? (name !== null && lower.includes(name));
    known.set(value, isNamed);
    return isNamed;
  };
}

/** The language of a source by its function words; null if two are as likely. */
function languageOf(source: string, target: string | null): string | null {
  const scores = Object.entries(FUNCTION_WORDS)
    .filter(([name]) => name !== target)
    .map(([name, words]) => [name, source.match(words)?.length ?? 0] as const)
    .sort(([, a], [, b]) => b - a);
  const [best, next] = scores;
  return best === undefined || best[1] === 0 || best[1] === next?.[1] ? null : best[0];
}

interface Replacement {
  readonly lost: TextNumber;
  readonly added: TextNumber;
}

/** Which added number stands for which lost one; null if there are other numbers than one of a kind. */
function pairUp(lost: readonly TextNumber[], added: readonly TextNumber[]): Replacement[] | null {
  if (lost.length === 0 || lost.length !== added.length) return null;
  const [onlyLost, onlyAdded] = [lost[0] as TextNumber, added[0] as TextNumber];
  if (lost.length === 1) return [{ lost: onlyLost, added: onlyAdded }];
  const pairs = [true, false].map((isDigits) => [
    lost.filter((number) => number.isDigits === isDigits),
    added.filter((number) => number.isDigits === isDigits),
  ]);
  if (pairs.some(([a, b]) => a?.length !== 1 || b?.length !== 1)) return null;
  return pairs.map(([a, b]) => ({ lost: a?.[0] as TextNumber, added: b?.[0] as TextNumber }));
}

/** Whether numbers were changed rather than translated in another way. */
function isLikely(pairs: readonly Replacement[], source: string, given: string): boolean {
  const isIdiomatic = IDIOMS.test(source) || IDIOMS.test(given);
  const isPeriod = PERIOD.test(given);
  return pairs.every(({ lost, added }) => {
    const isSmall = [lost, added].some(({ value, isDigits }) => value <= 12 || !isDigits);
    if (isIdiomatic && isSmall) return false;
    return (
      Math.abs(lost.value - added.value) !== 12 &&
      !(isPeriod && (PERIODS.has(lost.value) || PERIODS.has(added.value)))
    );
  });
}
