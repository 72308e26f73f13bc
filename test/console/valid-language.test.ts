import { expect, test } from 'vitest';
import { ensureValidLanguage } from '../../console/src/valid-language.ts';

test.each([
  ['en-US@posix', 'en-US'],
  ['C', 'en-US'],
  ['', 'en-US'],
  ['de-CH', 'de-CH'],
])('a browser with the language %j has %j, which charts can take', (language, expected) => {
  const browser = { language };

  ensureValidLanguage(browser);

  expect(browser.language).toBe(expected);
  expect(() => new Intl.NumberFormat(browser.language)).not.toThrow();
});
