import { expect, test } from 'vitest';
import { hasWords, markParts, restoreParts } from '#shared/languages/decide/untranslated-parts.ts';

const TEXT =
  'See https://example.com/a?b=1, run `npm test` for {name} and {{user}}, print %s, mail me@example.com [[1]]:\n```py\nx = {1}\n```';

test('code, links, addresses and placeholders are marked, and come back as they were', () => {
  const marked = markParts(TEXT);

  expect(marked.text).toBe('See [[1]], run [[2]] for [[3]] and [[4]], print [[5]], mail [[6]] [[7]]:\n[[8]]');
  expect(restoreParts(marked.text, marked)).toBe(TEXT);
});

test('equal parts have one mark, which may come again', () => {
  const marked = markParts('Use {x}, then {x}.');

  expect(marked).toEqual({ text: 'Use [[1]], then [[1]].', parts: ['{x}'] });
  expect(restoreParts('Usa [[1]].', marked)).toBe('Usa {x}.');
});

test('a translation that lost a mark, or made one up, is none', () => {
  const marked = markParts('Open {a} and {b}.');

  expect(restoreParts('Abre [[1]].', marked)).toBeNull();
  expect(restoreParts('Abre [[1]], [[2]] y [[3]].', marked)).toBeNull();
});

test('what is beside the marks decides whether there is anything to translate', () => {
  expect(hasWords(markParts('```js\nlet a = 1;\n``` 42'))).toBe(false);
  expect(hasWords(markParts('`a` works'))).toBe(true);
});
