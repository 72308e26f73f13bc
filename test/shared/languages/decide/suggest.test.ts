import { expect, test } from 'vitest';
import { resolveExpansion } from '#shared/adaptation/decide/expansion.ts';
import { suggestCountries, suggestLanguages } from '#shared/languages/decide/catalog.ts';

test.each([
  ['German', ['de']],
  ['german', ['de']],
  ['Deutsch', ['de']],
  ['español', ['es']],
  ['en-US', ['en']],
  ['pt_BR', ['pt']],
  ['deu', ['de']],
  ['Chinese', ['zh-Hans', 'zh-Hant']],
])('the language %s is %j', (text, codes) => {
  expect(suggestLanguages(text)).toEqual(codes);
});

test('a misspelt language is the nearest by name, and nonsense is none', () => {
  expect(suggestLanguages('Germn')[0]).toBe('de');
  expect(suggestLanguages('Portugese')[0]).toBe('pt');
  expect(suggestLanguages('qqqqqqqqqq')).toEqual([]);
});

test.each([
  ['Mexico', 'MX'],
  ['germany', 'DE'],
  ['Brasil', 'BR'],
])('the country %s is %s', (text, code) => {
  expect(suggestCountries(text)[0]).toBe(code);
});

test('an unknown code is refused with what may have been meant', () => {
  expect(() =>
    resolveExpansion({ type: 'translate', languages: ['fr', 'German'], sample_rate: 1 }, null),
  ).toThrow(/languages\[1\]: "German" is no known language; did you mean "de"\? [0-9]+ are known/);
  expect(() =>
    resolveExpansion(
      { type: 'localize', pairs: [{ country: 'Mexico', language: 'es' }], sample_rate: 1 },
      null,
    ),
  ).toThrow(/pairs\[0\]\.country: "Mexico" is no known country; did you mean "MX"\? /);
});
