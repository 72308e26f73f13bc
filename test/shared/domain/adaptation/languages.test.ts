import { expect, test } from 'vitest';
import { isCountry, isLanguage } from '#shared/domain/adaptation/languages.ts';

test.each(['de', 'DE', 'haw', 'yue', 'zh', 'zh-Hans', 'ZH-hant', 'sr-Latn'])('%s is a language', (code) => {
  expect(isLanguage(code)).toBe(true);
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
  'i-klingon',
  'de-',
  'de--Latn',
  '12',
])('%j is none', (code) => {
  expect(isLanguage(code)).toBe(false);
});

test.each(['DE', 'br', 'GB', 'ke'])('%s is a country', (code) => {
  expect(isCountry(code)).toBe(true);
});

test.each(['', 'D', 'XX', 'EU', 'UN', 'ZZ', '419', 'DEU'])('%j is none', (code) => {
  expect(isCountry(code)).toBe(false);
});
