/** ISO 639-1 code of the language of a text; null where the text is too short or too mixed to tell. */
export type LanguageDetector = (text: string) => string | null;

/** Shorter texts are names and numbers, which belong to no language. */
const CHARACTERS_MIN = 12;
const CHARACTERS_MAX = 2000;

let detector: Promise<LanguageDetector> | null = null;

/** Loads the detector's 1.6 MB of n-grams when it is first needed, once a process. */
export function loadLanguageDetector(): Promise<LanguageDetector> {
  detector ??= import('eld/small').then(({ eld }) => (text) => {
    const prose = withoutCode(text).slice(0, CHARACTERS_MAX);
    if (prose.length < CHARACTERS_MIN) {
      return null;
    }
    const result = eld.detect(prose);
    return result.isReliable() && result.language !== '' ? result.language : null;
  });
  return detector;
}

function withoutCode(text: string): string {
  return text
    .replaceAll(/```[\s\S]*?(```|$)/g, ' ')
    .replaceAll(/`[^`\n]*`/g, ' ')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .trim();
}
