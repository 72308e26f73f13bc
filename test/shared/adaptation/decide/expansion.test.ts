import { expect, test } from 'vitest';
import { resolveExpansion } from '#shared/adaptation/decide/expansion.ts';
import { LANGUAGE_CODES } from '#shared/languages/decide/catalog.ts';
import type { LanguageExpansion } from '#shared/languages/schema/language-expansion.ts';
import { ServiceError } from '#shared/platform/errors/service-error.ts';
import { LANGUAGE_TARGETS_MAX } from '#shared/runs/schema/expansion.ts';

const translate = (...languages: string[]): LanguageExpansion => ({
  type: 'translate',
  languages,
  sample_rate: 0.5,
});
const localize = (...pairs: string[]): LanguageExpansion => ({
  type: 'localize',
  pairs: pairs.map((pair) => {
    const [country = '', language = ''] = pair.split('/');
    return { country, language };
  }),
  sample_rate: 1,
});

function refusal(expansion: LanguageExpansion): ServiceError {
  try {
    resolveExpansion(expansion);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('The expansion was taken.');
}

test('targets are resolved, and those that mean the same are one, in the order they came in', () => {
  expect(resolveExpansion(translate('ZH', 'de', 'zh-hans', 'DE', 'zh-Hant'))).toEqual({
    type: 'translate',
    targets: ['zh-Hans', 'de', 'zh-Hant'].map((language) => ({ language, country: null })),
    sample_rate: 0.5,
  });
  expect(resolveExpansion(localize('mx/ES', 'ES/es', 'MX/es')).targets).toEqual([
    { language: 'es', country: 'MX' },
    { language: 'es', country: 'ES' },
  ]);
});

test('a refusal names every unknown code, with a sample of those that are known', () => {
  const { code, message, details } = refusal(translate('de', 'klingonese', 'xx'));

  expect(code).toBe('language_unsupported');
  expect(details.map(({ path }) => path)).toEqual([
    'language_expansion.languages[1]',
    'language_expansion.languages[2]',
  ]);
  expect(message).toContain('"klingonese"');
  expect(message).toContain('zh-Hans');
  expect(LANGUAGE_CODES).toEqual(expect.arrayContaining(details[0]?.sample as string[]));
});

test('a refusal names the pair of which the language is not spoken in the country, and what is', () => {
  const { code, message, details } = refusal(localize('DE/de', 'TW/zh'));

  expect(code).toBe('language_unsupported');
  expect(details.map(({ path }) => path)).toEqual(['language_expansion.pairs[1]']);
  expect(message).toContain('the pair "TW" and "zh"');
  expect(details[0]?.sample).toContain('zh-Hant');
});

test('a refusal of a country where nobody lives says so', () => {
  expect(refusal(localize('AQ/en')).message).toContain('known there: none is');
});

test('a refusal comes for too many targets, after those that mean the same have become one', () => {
  const most = LANGUAGE_CODES.slice(0, LANGUAGE_TARGETS_MAX);

  expect(resolveExpansion(translate(...most, ...most)).targets).toHaveLength(LANGUAGE_TARGETS_MAX);
  expect(refusal(translate(...most, 'zh-Hant'))).toMatchObject({
    code: 'invalid_request',
    details: [{ path: 'language_expansion.languages' }],
  });
});

test('a refusal names fields of the body where the expansion is the body', () => {
  expect(() => resolveExpansion(translate('xx'), null)).toThrow(/^languages\[0\]: /);
});
