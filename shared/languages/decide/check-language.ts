import { own } from '#shared/platform/own.ts';
import type { Language } from './catalog.ts';
import { DETECTED_LANGUAGES, type LanguageDetector, withoutCode } from './detect-language.ts';
import { hanVariants } from './han-variants.ts';

/** The result of a language check: `unknown` without evidence for or against the language. */
export type LanguageVerdict = 'right' | 'wrong' | 'unknown';

/** Checks a text, given the text that it was generated from. */
export type LanguageCheck = (text: string, source: string) => LanguageVerdict;

/** Shorter texts are names and numbers, which may stay untranslated. */
const LETTERS_MIN = 12;
/** On shorter texts the detector too often returns a similar language, or that of the names in them. */
const CONDEMNED_LETTERS_MIN = 40;
/** Shorter words in a name may be small: "of", "da", "the". */
const NAME_WORD_LETTERS_MIN = 4;
/**
 * Minimum share of letters in the expected script, because names, units and terms use letters of other scripts: a Latin
 * word has as many letters as a sentence in Han.
 */
const SCRIPT_SHARE_MIN: Readonly<Record<string, number>> = { Latn: 0.5 };
const SCRIPT_SHARE_MIN_OTHERS = 0.3;

/** ISO 15924 codes that combine several Unicode scripts. */
const UNICODE_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul', 'Han'],
};

/** Other languages that the detector may return for a language: it knows 60, and confuses very similar ones. */
const DETECTED_AS: Readonly<Record<string, readonly string[]>> = {
  bs: ['hr', 'sr'],
  fil: ['tl'],
  hr: ['hr', 'sr'],
  id: ['ms'],
  nb: ['no'],
  nn: ['no'],
  sr: ['sr', 'hr'],
  'zh-Hans': ['zh'],
  'zh-Hant': ['zh'],
};

/**
 * Checks the language of texts: by script, for Chinese by the characters that only one of its scripts has, by the
 * detector if it knows the language, and always that a text differs from its source and is not in the language of its
 * source. Names stay as they are: of a text that is nothing else, and of a short one whose other words are too few,
 * nothing is known. Nor is it of an unchanged text that `mayStay`, where the detector knows neither the language nor that of the
 * text: what it knows it mostly recognises.
 */
export function createLanguageCheck(
  language: Language,
  detect: LanguageDetector,
  mayStay = false,
): LanguageCheck {
  const { base, script } = language;
  const accepted =
    own(DETECTED_AS, language.code) ??
    own(DETECTED_AS, base) ??
    (DETECTED_LANGUAGES.has(base) ? [base] : null);
  const isOfScript = scriptMatcher(script);
  const isTelling = TELLING_SCRIPTS.has(script);

  return (text, source) => {
    const prose = withoutCode(text);
    const sourceProse = withoutCode(source);
    const letters = lettersOf(prose);
    if (lettersOf(sourceProse).length < LETTERS_MIN && letters.length < LETTERS_MIN) return 'unknown';
    if (letters.length === 0) return 'wrong';
    const spoken = detect(text);
    const spokenBefore = detect(source);
    const wasThere = spokenBefore !== null && accepted?.includes(spokenBefore) === true;
    if (isSame(prose, sourceProse)) {
      if (isNames(prose)) return 'unknown';
      const isUndetected = mayStay && accepted === null && spokenBefore === null;
      if (!wasThere && !isUndetected) return 'wrong';
    } else if (letters.length < CONDEMNED_LETTERS_MIN) {
      const { words, added } = addedWords(prose, sourceProse);
      if (2 * added.length >= words.length && lettersOf(added.join('')).length < LETTERS_MIN)
        return 'unknown';
    }
    if (isOfScript !== null && !isOfScript(letters)) return 'wrong';
    if (base === 'zh' && !isOfVariant(script, prose)) return 'wrong';
    if (letters.length < LETTERS_MIN) return 'unknown';
    if (accepted === null) {
      // Here the detector can only show that the text was not translated.
      if (spoken !== null && spoken === spokenBefore && isOfScript?.(lettersOf(sourceProse)) === true)
        return 'wrong';
      return isTelling ? 'right' : 'unknown';
    }
    if (spoken === null) return 'unknown';
    if (accepted.includes(spoken)) return 'right';
    const isCondemned = spoken === spokenBefore || letters.length >= CONDEMNED_LETTERS_MIN;
    return isCondemned ? 'wrong' : 'unknown';
  };
}

/** Scripts that hardly more than one living language uses. */
const TELLING_SCRIPTS: ReadonlySet<string> = new Set([
  ...['Adlm', 'Armn', 'Bamu', 'Cakm', 'Cher', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hmnp', 'Khmr', 'Knda', 'Laoo'],
  ...['Mlym', 'Mong', 'Mtei', 'Nkoo', 'Olck', 'Orya', 'Osge', 'Rohg', 'Sinh', 'Taml', 'Telu', 'Thaa', 'Thai'],
  ...['Tibt', 'Vaii', 'Yiii'],
]);

function lettersOf(text: string): string[] {
  return text.match(/\p{L}/gu) ?? [];
}

function isSame(a: string, b: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s\p{P}]+/gu, '');
  return plain(a) === plain(b);
}

/**
 * Words of English sentences and headings, which write all words large in titles, and hardly of names. Other languages
 * write no heading so.
 */
const NO_NAME =
  /\b(?:are|can|do|does|for|has|have|how|if|is|it|my|not|to|was|we|what|when|where|which|who|why|with|you|your)\b/i;

/** Whether a text is names alone, one or a list: only short words of it are small, and it is no sentence or heading. */
function isNames(text: string): boolean {
  return text.split(/[,;\n]/).every((item) => {
    const words = item.match(/[\p{L}\p{M}]+/gu) ?? [];
    const capitalized = words.filter((word) => /^\p{Lu}/u.test(word));
    return (
      lettersOf(item).length < CONDEMNED_LETTERS_MIN &&
      !/[?!:]/.test(item) &&
      !NO_NAME.test(item) &&
      words.every((word) => capitalized.includes(word) || word.length < NAME_WORD_LETTERS_MIN) &&
      2 * capitalized.join('').length >= words.join('').length
    );
  });
}

/** The words of a text, and those that its source does not have. Words of different scripts need no space between them. */
function addedWords(text: string, source: string): { words: readonly string[]; added: readonly string[] } {
  const wordsOf = (some: string): string[] =>
    some.toLowerCase().match(/[\p{Script=Latin}\p{M}]+|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu) ?? [];
  const known = new Set(wordsOf(source));
  const words = wordsOf(text);
  return { words, added: words.filter((word) => !known.has(word)) };
}

/** A letter of a script by its ISO 15924 code; null if this version of Unicode does not have it. */
export function letterOfScript(script: string): RegExp | null {
  const classes = (own(UNICODE_SCRIPTS, script) ?? [script]).map((name) => `\\p{Script=${name}}`).join('');
  try {
    return new RegExp(`[${classes}]`, 'u');
  } catch {
    return null;
  }
}

/** Whether enough of a text's letters belong to a script; null if this version of Unicode does not have it. */
function scriptMatcher(script: string): ((letters: readonly string[]) => boolean) | null {
  const letter = letterOfScript(script);
  if (letter === null) return null;
  const shareMin = own(SCRIPT_SHARE_MIN, script) ?? SCRIPT_SHARE_MIN_OTHERS;
  return (letters) => letters.filter((one) => letter.test(one)).length >= shareMin * letters.length;
}

/** Whether Chinese text is in the requested script: most of the script-specific characters belong to it. */
function isOfVariant(script: string, text: string): boolean {
  if (script !== 'Hans' && script !== 'Hant') return true;
  const variants = hanVariants();
  let balance = 0;
  for (const character of text) {
    if (variants.Hans.has(character)) balance += 1;
    if (variants.Hant.has(character)) balance -= 1;
  }
  return script === 'Hans' ? balance >= 0 : balance <= 0;
}
