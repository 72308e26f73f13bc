import {
  COUNTRY_SAMPLE,
  findCountry,
  findLanguage,
  LANGUAGE_CODES,
  LANGUAGE_SAMPLE,
  type Language,
  suggestCountries,
  suggestLanguages,
} from '#shared/languages/decide/catalog.ts';
import type { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import { invalidField } from '#shared/platform/errors/from-zod.ts';
import { limitSearches } from '#shared/platform/errors/nearest.ts';
import { type ErrorDetail, ServiceError } from '#shared/platform/errors/service-error.ts';
import {
  type ExpansionTarget,
  LANGUAGE_TARGETS_MAX,
  type ResolvedExpansion,
} from '#shared/runs/schema/expansion.ts';

type SuggestCodes = (kind: 'language' | 'country', code: string) => string[];

const suggestCodes: SuggestCodes = (kind, code) =>
  kind === 'language' ? suggestLanguages(code) : suggestCountries(code);

type TargetLookup = { readonly target: ExpansionTarget } | { readonly detail: ErrorDetail };

/**
 * Resolves the targets of an expansion (spec §4.8): normalised codes, without duplicates.
 * @param path of the expansion in the request, for errors; null if it is the body itself
 * @throws {ServiceError} `language_unsupported`, naming every unknown code with a sample of known codes, and every pair
 * of a country and a language that is not spoken there (spec §7); `invalid_request` for too many targets
 */
export function resolveExpansion(
  expansion: LanguageExpansion,
  path: string | null = 'language_expansion',
): ResolvedExpansion {
  const at = (field: string): string => (path === null ? field : `${path}.${field}`);
  const suggest = limitSearches(suggestCodes);
  const found: TargetLookup[] =
    expansion.type === 'translate'
      ? expansion.languages.map((code, index) => findTarget(code, at(`languages[${index}]`), suggest))
      : expansion.pairs.map((pair, index) => findPair(pair, at(`pairs[${index}]`), suggest));
  const details = found.flatMap((one) => ('detail' in one ? [one.detail] : []));
  if (details.length > 0) {
    const message = details.map((detail) => `${detail.path}: ${detail.message}`).join('; ');
    throw new ServiceError('language_unsupported', message, { details });
  }
  const targets = new Map<string, ExpansionTarget>();
  for (const one of found) {
    if ('target' in one) targets.set(`${one.target.language} ${one.target.country}`, one.target);
  }
  if (targets.size > LANGUAGE_TARGETS_MAX) {
    throw invalidField(
      at(expansion.type === 'translate' ? 'languages' : 'pairs'),
      `has ${targets.size} targets; the limit is ${LANGUAGE_TARGETS_MAX}`,
    );
  }
  return { type: expansion.type, targets: [...targets.values()], sample_rate: expansion.sample_rate };
}

function findTarget(code: string, path: string, suggest: SuggestCodes): TargetLookup {
  const language = findLanguage(code);
  return language === null
    ? { detail: unknown(path, code, 'language', suggest, LANGUAGE_SAMPLE, LANGUAGE_CODES.length) }
    : { target: { language: language.code, country: null } };
}

function findPair(
  pair: { readonly country: string; readonly language: string },
  path: string,
  suggest: SuggestCodes,
): TargetLookup {
  const country = findCountry(pair.country);
  if (country === null) {
    return { detail: unknown(`${path}.country`, pair.country, 'country', suggest, COUNTRY_SAMPLE) };
  }
  const language = findLanguage(pair.language);
  if (language === null) {
    const sample = [...new Set([...country.languages.slice(0, 5), ...LANGUAGE_SAMPLE])];
    return {
      detail: unknown(`${path}.language`, pair.language, 'language', suggest, sample, LANGUAGE_CODES.length),
    };
  }
  if (country.languages.includes(language.code)) {
    return { target: { language: language.code, country: country.code } };
  }
  return { detail: notSpoken(path, pair, language, country.name, country.languages) };
}

/** Maximum number of a country's languages in an error. */
const SPOKEN_SHOWN = 20;

function notSpoken(
  path: string,
  pair: { readonly country: string; readonly language: string },
  language: Language,
  countryName: string,
  spoken: readonly string[],
): ErrorDetail {
  const sample = spoken.slice(0, SPOKEN_SHOWN);
  const known =
    sample.length === 0 ? 'none is' : `${sample.join(', ')}${spoken.length > SPOKEN_SHOWN ? ', …' : ''}`;
  const named = `the pair ${JSON.stringify(pair.country)} and ${JSON.stringify(pair.language)}`;
  return {
    path,
    message: `${named} is not supported: ${language.name} (${language.code}) is not known to be spoken in ${countryName}; known there: ${known}`,
    sample,
  };
}

function unknown(
  path: string,
  code: string,
  kind: 'language' | 'country',
  suggest: SuggestCodes,
  sample: readonly string[],
  count?: number,
): ErrorDetail {
  const known = count === undefined ? 'known are, among others,' : `${count} are known, among them`;
  const suggestions = suggest(kind, code);
  const meant =
    suggestions.length === 0
      ? ''
      : `did you mean ${suggestions.map((each) => JSON.stringify(each)).join(' or ')}? `;
  return {
    path,
    message: `${JSON.stringify(code)} is no known ${kind}; ${meant}${known} ${sample.join(', ')}`,
    sample,
    ...(suggestions.length === 0 ? {} : { suggestions }),
  };
}
