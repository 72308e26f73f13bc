import { type ErrorDetail, ServiceError } from '../../errors/service-error.ts';
import type { LanguageExpansion } from '../../schema/adaptation.ts';

/** Codes to show a caller whose own is not known. */
const LANGUAGE_SAMPLE = ['ar', 'de', 'en', 'es', 'fr', 'haw', 'hi', 'ja', 'pt', 'sw', 'zh-Hans', 'zh-Hant'];
const COUNTRY_SAMPLE = ['BR', 'DE', 'EG', 'FR', 'IN', 'JP', 'KE', 'MX', 'US'];

/** Codes that CLDR has names for, but that stand for no one language or country. */
const NO_LANGUAGE = new Set(['mis', 'mul', 'und', 'zxx']);
const NO_COUNTRY = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

/** Names of CLDR, which come with Node.js. */
const names = (type: 'language' | 'region') => new Intl.DisplayNames(['en'], { type, fallback: 'none' });

/** Whether a code is of ISO 639-1, or of ISO 639-2 where that has none, in any case, with or without a script. */
export function isLanguage(code: string): boolean {
  const [, language = ''] = /^([a-z]{2,3})(-[a-z]{4})?$/i.exec(code) ?? [];
  const isNamed = language !== '' && names('language').of(code) !== undefined;
  return isNamed && !NO_LANGUAGE.has(language.toLowerCase());
}

/** Whether a code is of ISO 3166-1 alpha-2, in any case. */
export function isCountry(code: string): boolean {
  const country = code.toUpperCase();
  return /^[A-Z]{2}$/.test(country) && !NO_COUNTRY.has(country) && names('region').of(country) !== undefined;
}

/**
 * Checks the codes of a language expansion (spec §4.8, §7).
 * @throws {ServiceError} `language_unsupported`, naming each unknown entry with a sample of those that are known
 */
export function requireLanguages(expansion: LanguageExpansion): void {
  const unknown = (path: string, code: string, kind: string, sample: readonly string[]): ErrorDetail => ({
    path: `language_expansion.${path}`,
    message: `${JSON.stringify(code)} is no known ${kind}; known are, among others, ${sample.join(', ')}`,
    sample,
  });
  const language = (path: string, code: string): ErrorDetail[] =>
    isLanguage(code) ? [] : [unknown(path, code, 'language', LANGUAGE_SAMPLE)];
  const details =
    expansion.type === 'translate'
      ? expansion.languages.flatMap((code, index) => language(`languages[${index}]`, code))
      : expansion.pairs.flatMap((pair, index) => [
          ...(isCountry(pair.country)
            ? []
            : [unknown(`pairs[${index}].country`, pair.country, 'country', COUNTRY_SAMPLE)]),
          ...language(`pairs[${index}].language`, pair.language),
        ]);
  if (details.length === 0) return;
  const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
  throw new ServiceError('language_unsupported', message, { details });
}
