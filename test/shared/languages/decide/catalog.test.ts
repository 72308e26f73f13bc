import { describe, expect, test } from 'vitest';
import { extractCldr } from '#bin/languages.ts';
import {
  findCountry,
  findLanguage,
  LANGUAGE_CODES,
  LANGUAGE_SAMPLE,
} from '#shared/languages/decide/catalog.ts';
import cldr from '#shared/languages/decide/cldr.json' with { type: 'json' };

test('the catalog is what CLDR says today', () => {
  expect(cldr).toEqual(extractCldr());
});

test('more than 500 languages and the 249 countries of ISO 3166-1 are known', () => {
  expect(LANGUAGE_CODES.length).toBeGreaterThan(500);
  expect(Object.keys(cldr.territories)).toHaveLength(249);
});

test('every code resolves to itself, in any case', () => {
  for (const code of LANGUAGE_CODES) {
    expect([code, findLanguage(code)?.code, findLanguage(code.toUpperCase())?.code]).toEqual([
      code,
      code,
      code,
    ]);
  }
  expect(LANGUAGE_SAMPLE.every((code) => LANGUAGE_CODES.includes(code))).toBe(true);
});

describe('a code', () => {
  test.each([
    ['zh', 'zh-Hans', 'Simplified Chinese'],
    ['ZH-HANT', 'zh-Hant', 'Traditional Chinese'],
    ['es', 'es', 'Spanish'],
    ['fil', 'fil', 'Filipino'],
    ['yue', 'yue', 'Cantonese'],
    ['sr-latn', 'sr-Latn', 'Serbian in Latin script'],
    ['sr-Cyrl', 'sr', 'Serbian'],
    ['iw', 'he', 'Hebrew'],
    ['sh', 'sr-Latn', 'Serbian in Latin script'],
  ])('%s is %s, which is %s', (code, resolved, name) => {
    expect(findLanguage(code)).toMatchObject({ code: resolved, name });
  });

  test.each([
    '',
    'd',
    'xx',
    'und',
    'mul',
    'zxx',
    'en-US',
    'zh-Hans-CN',
    'german',
    'de-',
    'de--Latn',
    '12',
    'eng',
  ])('%j is none: unknown, longer than need be, or with more than a script', (code) => {
    expect(findLanguage(code)).toBeNull();
  });

  test.each(['es-Cyrl', 'en-Arab', 'constructor', 'zh-Cyrl'])('%s is none: it is not written so', (code) => {
    expect(findLanguage(code)).toBeNull();
  });
});

describe('a country', () => {
  test.each([
    ['es', 'ca'],
    ['CA', 'fr'],
    ['MX', 'es'],
    ['RS', 'sr'],
    ['RS', 'sr-Latn'],
    ['TW', 'zh-Hant'],
    ['HK', 'yue'],
    ['IN', 'hi'],
  ])('%s speaks %s', (country, language) => {
    expect(findCountry(country)?.languages).toContain(language);
  });

  test.each([
    ['TW', 'zh-Hans'],
    ['JP', 'sw'],
  ])('%s does not speak %s', (country, language) => {
    expect(findCountry(country)?.languages).not.toContain(language);
  });

  test.each(['', 'D', 'XX', 'EU', 'UN', 'ZZ', 'XK', '419', 'DEU', 'YU'])('%j is none', (code) => {
    expect(findCountry(code)).toBeNull();
  });
});
