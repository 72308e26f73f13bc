import { ownCopy } from '#shared/platform/own-copy.ts';

/** ISO 639-1 code of the language of a text; null if the text is too short or too mixed. */
export type LanguageDetector = (text: string) => string | null;

/** Shorter texts are names and numbers without a language. */
const CHARACTERS_MIN = 12;
/** More text does not improve the result. */
export const DETECTED_CHARACTERS_MAX = 240;
/** Size of each half of the result cache: a row's texts are checked several times. */
const REMEMBERED_MAX = 512;
/** Longer texts are read again: the cache outlives the rows, and what it holds is bounded. */
const REMEMBERED_CHARACTERS_MAX = 2_000;

/** ISO 639-1 codes of the languages that the detector knows: it takes any other for one of them. */
export const DETECTED_LANGUAGES: ReadonlySet<string> = new Set(
  'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'.split(
    ' ',
  ),
);

let detector: Promise<LanguageDetector> | null = null;

/** Loads the detector's 1.6 MB of n-grams on first use, once a process. */
export function loadLanguageDetector(): Promise<LanguageDetector> {
  detector ??= import('eld/small').then(({ eld }) =>
    remember((text) => {
      const prose = withoutCode(text).slice(0, DETECTED_CHARACTERS_MAX);
      if (prose.length < CHARACTERS_MIN) {
        return null;
      }
      const result = eld.detect(prose);
      return result.isReliable() && result.language !== '' ? result.language : null;
    }),
  );
  return detector;
}

/** Remembers recent results: of a full half only those are kept that are asked for while the next one fills. */
export function remember(detect: LanguageDetector): LanguageDetector {
  let recent = new Map<string, string | null>();
  let earlier = recent;
  return (text) => {
    if (text.length > REMEMBERED_CHARACTERS_MAX) return detect(text);
    const known = recent.get(text);
    if (known !== undefined) return known;
    const remembered = earlier.get(text);
    const language = remembered === undefined ? detect(text) : remembered;
    if (recent.size >= REMEMBERED_MAX) {
      earlier = recent;
      recent = new Map();
    }
    recent.set(ownCopy(text), language);
    return language;
  };
}

/** A text without its code and links, which have no language. */
export function withoutCode(text: string): string {
  if (!/`|:\/\//.test(text)) {
    return text.trim();
  }
  return text
    .replaceAll(/```[\s\S]*?(```|$)/g, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .trim();
}
