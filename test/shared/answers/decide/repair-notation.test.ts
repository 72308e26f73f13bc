import { expect, it } from 'vitest';
import { coerce } from '#shared/answers/decide/coerce.ts';
import { repairCode, repairJson } from '#shared/answers/decide/repair-notation.ts';
import { slowTexts } from '#test/helpers/hostile-texts.ts';
import { formOf } from '#test/helpers/standing-answer.ts';

it.each([
  ['marks of Python', `{'name': 'Poetry Slam', 'price': 7.50,}`, { name: 'Poetry Slam', price: 7.5 }],
  ['an apostrophe', `{'note': 'don't ask', 'n': 1}`, { note: "don't ask", n: 1 }],
  ['literals of Python', `{"a": True, "b": None, "c": False}`, { a: true, b: null, c: false }],
  ['keys without marks', `{a: 1, b_2: "x"}`, { a: 1, b_2: 'x' }],
  ['a missing bracket after a closed value', `{"a": 1, "b": ["x", "y"]`, { a: 1, b: ['x', 'y'] }],
  ['a bracket too many', `{"a": 1}}`, { a: 1 }],
  ['a comma at the end of a list', '[1, 2,]', [1, 2]],
  ['a double mark inside single ones', `{'a': 'say "x"'}`, { a: 'say "x"' }],
  [
    'escapes inside single marks',
    String.raw`{'a': 'one\ntwo \u00e9 it\'s \\ \"x\"'}`,
    { a: 'one\ntwo é it\'s \\ "x"' },
  ],
])('JSON in another notation is repaired: %s', (_, text, value) => {
  expect(JSON.parse(repairJson(text) ?? 'null')).toEqual(value);
});

it.each([
  ['is valid', '{"a": 1}'],
  ['breaks off in a value', '{"a": "x'],
  ['breaks off after a value, where keys may be missing', '{"a": 12'],
  ['breaks off after a comma', '{"a": [1],'],
  ['has brackets that do not match', '{"a": [1}'],
  ['has a comment', '{"a": 1} // one'],
  ['has no value', '{"a": }'],
  ['has a bare word as its value', '{"a": blue}'],
  ['is prose', 'The value is 1.'],
])('JSON in another notation is not repaired if it %s', (_, text) => {
  expect(repairJson(text)).toBeNull();
});

it.each([
  ['a colon', 'python', 'def f(x)\n    return x', 'def f(x):\n    return x'],
  [
    'a bracket',
    'python',
    'def f(x):\n    y = (x + 1\n    return y',
    'def f(x):\n    y = (x + 1)\n    return y',
  ],
] as const)('code that does not parse gets %s', (_, language, code, repaired) => {
  expect(repairCode(language, code)).toBe(repaired);
});

it.each([
  ['python', 'def f(x):\n    return x'],
  ['python', 'def f(x):\n    retrun x y'],
  ['python', 'def f(x):\n    return x.format('],
  ['python', 'def f(x):\n    return (x + 1'],
  ['javascript', 'function f(x) {\n  return x;'],
  ['javascript', 'function f(x) } return x'],
] as const)('code that does not parse is left to the model: %s %s', (language, code) => {
  expect(repairCode(language, code)).toBeNull();
});

it('code that does not parse is repaired only where the answer is nothing but code', () => {
  const form = formOf('Write a Python function f(x) that returns x.', 'def f(x):\n    return x');
  expect(coerce(form, 'def f(x)\n    return x')).toBe('def f(x):\n    return x');
  expect(coerce(form, 'Here it is:\n\ndef f(x)\n    return x')).toBeNull();
});

it('repairs take time that grows as their texts do', () => {
  expect(slowTexts((text) => repairJson(`{${text}`))).toEqual([]);
  expect(slowTexts((text) => repairCode('python', text))).toEqual([]);
});
