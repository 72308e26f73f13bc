import { type LanguageDetector, withoutCode } from '../evaluation/detect-language.ts';
import type { Language } from './catalog.ts';
import { hanVariants } from './han-variants.ts';

/** The result of a language check: `unknown` if nothing speaks for or against the language. */
export type LanguageVerdict = 'right' | 'wrong' | 'unknown';

/** Judges a text by itself and by the text that it was made from. */
export type LanguageCheck = (text: string, source: string) => LanguageVerdict;

/** Shorter texts are names and numbers, which may stay as they are. */
const LETTERS_MIN = 12;
/** Of shorter texts the detector too often names a neighbour of the language. */
const CONDEMNED_LETTERS_MIN = 40;
/** Names, units and terms of other scripts take up letters: a word of Latin script has as many as a sentence in Han. */
const SCRIPT_SHARE_MIN: Readonly<Record<string, number>> = { Latn: 0.5 };
const SCRIPT_SHARE_MIN_OTHERS = 0.3;

/** Of ISO 15924 codes that stand for several scripts of Unicode. */
const UNICODE_SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul', 'Han'],
};

/**
 * What the detector may say of a text in a language, beside the language itself: it knows 60, and names a language
 * that it knows where two can hardly be told apart.
 */
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
const DETECTED = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no ' +
    'or pa pl pt ro ru sk sl sq sv ta te th tr uk ur vi yo'
  ).split(' '),
);

/**
 * Checks texts for a language: by the script it is written in, for Chinese by the characters that only one of its
 * scripts has, by the detector where that knows the language, and in any case that a text is not the one it was made
 * from, nor still in the language of that.
 */
export function createLanguageCheck(language: Language, detect: LanguageDetector): LanguageCheck {
  const { base, script } = language;
  const accepted = DETECTED_AS[language.code] ?? DETECTED_AS[base] ?? (DETECTED.has(base) ? [base] : null);
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
    if (isSame(prose, sourceProse) && !wasThere) return 'wrong';
    if (isOfScript !== null && !isOfScript(letters)) return 'wrong';
    if (base === 'zh' && !isOfVariant(script, prose)) return 'wrong';
    if (letters.length < LETTERS_MIN) return 'unknown';
    if (accepted === null) {
      // The detector can only say that nothing was translated.
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

/** Scripts in which hardly more than one language is written today: who writes them writes that language. */
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

/** Whether enough of a text's letters are of a script; null where this version of Unicode does not know it. */
function scriptMatcher(script: string): ((letters: readonly string[]) => boolean) | null {
  const classes = (UNICODE_SCRIPTS[script] ?? [script]).map((name) => `\\p{Script=${name}}`).join('');
  let letter: RegExp;
  try {
    letter = new RegExp(`[${classes}]`, 'u');
  } catch {
    return null;
  }
  const shareMin = SCRIPT_SHARE_MIN[script] ?? SCRIPT_SHARE_MIN_OTHERS;
  return (letters) => letters.filter((one) => letter.test(one)).length >= shareMin * letters.length;
}

/** Whether Chinese text is in the script asked for: most of the characters that tell are of that script. */
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
