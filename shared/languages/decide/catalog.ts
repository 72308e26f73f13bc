import { nearestTo } from '#shared/platform/errors/nearest.ts';
import { own } from '#shared/platform/own.ts';
import cldr from './cldr.json' with { type: 'json' };

/** A written language: `code` is stored and shown, `zh-Hans`, `es`, `sr-Latn`. */
export interface Language {
  readonly code: string;
  /** ISO 639 code without a script. */
  readonly base: string;
  /** ISO 15924 code. */
  readonly script: string;
  /** English name, as used in prompts. */
  readonly name: string;
}

export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
  /** Codes of the languages that are official there, have speakers there, or have a CLDR locale for it. */
  readonly languages: readonly string[];
}

const languages: Readonly<Record<string, string>> = cldr.languages;
const aliases: Readonly<Record<string, string>> = cldr.aliases;
const scripts: Readonly<Record<string, string>> = cldr.scripts;
const territories: Readonly<Record<string, string>> = cldr.territories;

/** Codes of Chinese always include the script; other codes omit the likely script. */
const CHINESE = 'zh';
const CHINESE_NAMES: Readonly<Record<string, string>> = { Hans: 'Simplified', Hant: 'Traditional' };

/** Every supported code in its likely script, in alphabetical order. */
export const LANGUAGE_CODES: readonly string[] = Object.keys(languages)
  .flatMap((code) => (code === CHINESE ? ['zh-Hans', 'zh-Hant'] : [code]))
  .sort();

/**
 * Resolves a code in any case, with or without a script (spec §4.8): bare `zh` is `zh-Hans`, codes that CLDR has
 * replaced (`iw`) map to their replacement, and the likely script is omitted.
 * @returns null if the code is not in ISO 639, is not the shortest one, or the language does not use that script
 */
export function findLanguage(code: string): Language | null {
  const [, first = '', second] = /^([a-z]{2,3})(?:-([a-z]{4}))?$/i.exec(code) ?? [];
  const replaced = lookUp(aliases, first.toLowerCase()) ?? first.toLowerCase();
  const [base = '', implied] = replaced.split('-');
  const [name, likely, ...others] = lookUp(languages, base)?.split('|') ?? [];
  if (name === undefined || likely === undefined) return null;
  const asked = second === undefined ? (implied ?? likely) : titleCase(second);
  if (asked !== likely && !others.includes(asked)) return null;
  if (base === CHINESE) {
    return { code: `zh-${asked}`, base, script: asked, name: nameOf(name, own(CHINESE_NAMES, asked), asked) };
  }
  return asked === likely
    ? { code: base, base, script: asked, name }
    : { code: `${base}-${asked}`, base, script: asked, name: nameOf(name, undefined, asked) };
}

/** Codes by English name. */
const named: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  Object.entries(languages).map(([code, entry]) => [entry.split('|', 1)[0] ?? code, code]),
);

/** The ISO 639 code of a language's English name, such as `Dutch`; null for another name. */
export const languageNamed = (name: string): string | null => named.get(name) ?? null;

/** A country by its ISO 3166-1 alpha-2 code, in any case; null for an unknown code. */
export function findCountry(code: string): Country | null {
  const upper = code.toUpperCase();
  const [name, spoken] = lookUp(territories, upper)?.split('|') ?? [];
  if (name === undefined || spoken === undefined) return null;
  return { code: upper, name, languages: spoken === '' ? [] : spoken.split(' ') };
}

const SUGGESTIONS_MAX = 3;

/** The code that a locale or a longer code means: `en-US` is `en`, `deu` is `de`. */
function codeOfLocale(text: string): string | null {
  const [first = ''] = text.split(/[-_]/);
  if (!/^[a-z]{2,3}$/i.test(first)) return null;
  const [canonical = first] = Intl.getCanonicalLocales(first);
  return findLanguage(canonical)?.code ?? null;
}

/** Codes by the lower-case name of a language in that language, from ICU: `deutsch`. Takes 20 ms to make. */
let codesByOwnName: Map<string, string[]> | null = null;

function codesOfOwnName(text: string): readonly string[] {
  if (codesByOwnName === null) {
    codesByOwnName = new Map();
    for (const code of LANGUAGE_CODES) {
      const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code) ?? '';
      const key = name.toLowerCase();
      codesByOwnName.set(key, [...(codesByOwnName.get(key) ?? []), code]);
    }
  }
  return text === '' ? [] : (codesByOwnName.get(text.toLowerCase()) ?? []);
}

/**
 * Codes of the languages that an unknown code may mean, nearest first: by locale, or by name in English or in the
 * language itself.
 */
export function suggestLanguages(text: string): string[] {
  const code = codeOfLocale(text);
  if (code !== null) return [code];
  if (text.toLowerCase() === languages[CHINESE]?.split('|')[0]?.toLowerCase()) return ['zh-Hans', 'zh-Hant'];
  const own = codesOfOwnName(text);
  if (own.length > 0) return own.slice(0, SUGGESTIONS_MAX);
  const codes = new Map(LANGUAGE_CODES.map((each) => [findLanguage(each)?.name ?? each, each]));
  return namesNearest(text, codes);
}

/** Codes of the countries whose English names an unknown code may mean, nearest first. */
export function suggestCountries(text: string): string[] {
  const codes = Object.entries(territories).map(
    ([code, entry]) => [entry.split('|')[0] ?? code, code] as const,
  );
  return namesNearest(text, new Map(codes));
}

/** The codes of the exact name, or of the nearest names. */
function namesNearest(text: string, codes: ReadonlyMap<string, string>): string[] {
  const same = [...codes].filter(([name]) => name.toLowerCase() === text.toLowerCase());
  const names =
    same.length > 0 ? same.map(([name]) => name) : nearestTo(text, [...codes.keys()], SUGGESTIONS_MAX);
  return names.map((name) => codes.get(name) ?? name);
}

/** Codes that an error shows for an unknown code. */
export const LANGUAGE_SAMPLE: readonly string[] = [
  ...['ar', 'de', 'en', 'es', 'fr', 'haw', 'hi', 'ja', 'pt', 'sw', 'yue', 'zh-Hans', 'zh-Hant'],
];
export const COUNTRY_SAMPLE: readonly string[] = ['BR', 'DE', 'EG', 'FR', 'IN', 'JP', 'KE', 'MX', 'US'];

function lookUp(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function titleCase(script: string): string {
  return script.charAt(0).toUpperCase() + script.slice(1).toLowerCase();
}

function nameOf(language: string, adjective: string | undefined, script: string): string {
  return adjective === undefined
    ? `${language} in ${lookUp(scripts, script) ?? script} script`
    : `${adjective} ${language}`;
}
